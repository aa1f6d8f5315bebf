import { expect, test } from '@playwright/test';
import fc from 'fast-check';
import { answersOf } from '../../monitor/target/answering.ts';

const quick = ['a', 'b', 'c'];

/** The status after each of some runs. In `a- b+` the run of `a` got no answer, and the run of `b` got one. */
const output = (runs: string, remembered?: unknown) => {
  const answers = answersOf(quick, remembered);
  return runs.split(' ').map((run) => {
    answers.take(run.slice(0, -1), run.endsWith('+'));
    return answers.is();
  });
};

const last = (runs: string): string | undefined => output(runs).at(-1);

test('a single run without an answer changes nothing, and a second run of the same slot does', () => {
  expect(last('a+ b+ c+ a- b+ c+ a+ b-')).toBe('everywhere');
  expect(output('a+ b+ c+ a- a-').slice(-2)).toEqual(['everywhere', 'nowhere']);
  expect(output('a+ b+ c+ a- b+ a-').slice(-2)).toEqual(['everywhere', 'partly']);
});

test('a single run without an answer is enough where no run has been answered yet', () => {
  expect(output('a- b- c-')).toEqual(['nowhere', 'nowhere', 'nowhere']);
});

test('the status is unjudged when every quick slot is silent, whatever slow slots reported before', () => {
  expect(last('a+ b+ c+ slow+ a- slow+ a- b- b- c-')).toBe('partly');
  expect(last('a+ b+ c+ slow+ a- slow+ a- b- b- c- c-')).toBe('nowhere');
});

test('the status is partial after an outage until each slot has answered', () => {
  const outage = 'a+ b+ c+ a- a- b- b- c- c-';
  expect(output(`${outage} a+ b+ c+`).slice(-3)).toEqual(['partly', 'partly', 'everywhere']);
});

test('a mix of silent and answering slots gives one headline, in any order of runs', () => {
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

test('a restart keeps the status', () => {
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

test('a damaged row is ignored', () => {
  for (const remembered of [undefined, null, 'x', [], { failures: 7 }, { failures: { a: 'x' } }])
    expect(answersOf(quick, remembered).is()).toBe('everywhere');
});
