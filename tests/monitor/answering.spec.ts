import { expect, test } from '@playwright/test';
import fc from 'fast-check';
import { answersOf } from '../../monitor/answering.ts';

const quick = ['a', 'b', 'c'];

/** What is said after runs such as `a- b+`: of `a` without an answer, of `b` with one. */
const output = (runs: string, remembered?: unknown) => {
  const answers = answersOf(quick, remembered);
  return runs.split(' ').map((run) => {
    answers.take(run.slice(0, -1), run.endsWith('+'));
    return answers.is();
  });
};

const last = (runs: string): string | undefined => output(runs).at(-1);

test('one run without an answer is no news, and the second of the same place is', () => {
  expect(last('a+ b+ c+ a- b+ c+ a+ b-')).toBe('everywhere');
  expect(output('a+ b+ c+ a- a-').slice(-2)).toEqual(['everywhere', 'nowhere']);
  expect(output('a+ b+ c+ a- b+ a-').slice(-2)).toEqual(['everywhere', 'partly']);
});

test('where nothing has answered yet, one run without an answer says it', () => {
  expect(output('a- b- c-')).toEqual(['nowhere', 'nowhere', 'nowhere']);
});

test('when every quick place is silent nothing can be judged, whatever slow ones said before', () => {
  expect(last('a+ b+ c+ slow+ a- slow+ a- b- b- c-')).toBe('partly');
  expect(last('a+ b+ c+ slow+ a- slow+ a- b- b- c- c-')).toBe('nowhere');
});

test('after an outage it is judged in part until each place has answered', () => {
  const outage = 'a+ b+ c+ a- a- b- b- c- c-';
  expect(output(`${outage} a+ b+ c+`).slice(-3)).toEqual(['partly', 'partly', 'everywhere']);
});

test('places that never answer beside others that always do give one headline, in whatever order they run', () => {
  const order = fc.array(fc.nat(20), { minLength: 100, maxLength: 400 });
  fc.assert(
    fc.property(order, fc.integer({ min: 1, max: 20 }), (runs, silent) => {
      const all = Array.from({ length: 21 }, (_, place) => `${place}`);
      const answers = answersOf(all);
      for (const place of all) answers.take(place, true);
      const message = runs.map((place) => {
        answers.take(`${place}`, place >= silent);
        return answers.is();
      });
      const changes = message.filter(
        (one, index) => index > 0 && one !== message[index - 1],
      ).length;
      expect(changes).toBeLessThanOrEqual(2);
    }),
  );
});

test('a restart changes nothing', () => {
  const run = fc.tuple(fc.constantFrom('a', 'b', 'c', 'slow'), fc.boolean());
  fc.assert(
    fc.property(fc.array(run), (runs) => {
      const one = answersOf(quick);
      let other = answersOf(quick);
      for (const [place, isAnswered] of runs) {
        one.take(place, isAnswered);
        other.take(place, isAnswered);
        other = answersOf(quick, JSON.parse(JSON.stringify(other.saved())));
        expect(other.is()).toBe(one.is());
      }
    }),
  );
});

test('what is damaged in the file is as good as nothing', () => {
  for (const remembered of [undefined, null, 'x', [], { failures: 7 }, { failures: { a: 'x' } }])
    expect(answersOf(quick, remembered).is()).toBe('everywhere');
});
