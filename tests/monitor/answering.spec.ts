import { expect, test } from '@playwright/test';
import fc from 'fast-check';
import { Answers } from '../../monitor/target/answering.ts';

const quick = ['a', 'b', 'c'];

const got = { '+': 'proof', '-': 'no answer', '~': 'no proof', '0': 'no request' } as const;
type Sign = keyof typeof got;
const isSign = (sign: string): sign is Sign => sign in got;

/** The status after each of some runs. In `a- b+` the run of `a` got no answer, and the run of `b` got one. */
const output = (runs: string, remembered?: unknown) => {
  const answers = new Answers(quick, remembered);
  return runs.split(' ').map((run) => {
    const place = run.slice(0, -1);
    const sign = run.slice(-1);
    if (isSign(sign)) answers.take(place, got[sign]);
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

test('two runs in a row that prove nothing make a slot unproven, until one proves something', () => {
  expect(output('a+ b+ c+ a~ b+ c+ a~').slice(-2)).toEqual(['everywhere', 'unproven']);
  expect(last('a+ a~ a+ a~')).toBe('everywhere');
  expect(last('a+ a~ a~ a- a0 b+')).toBe('unproven');
  expect(last('a+ a~ a~ b- b- c+')).toBe('partly');
  expect(last('a+ a~ a~ a+')).toBe('everywhere');
});

test('a first run that proves nothing makes its slot unproven', () => {
  const answers = new Answers(quick);
  answers.take('a', 'no proof', true);
  expect(answers.is()).toBe('unproven');
});

test('a mix of silent and answering slots gives one headline, in any order of runs', () => {
  const order = fc.array(fc.nat(20), { minLength: 100, maxLength: 400 });
  fc.assert(
    fc.property(order, fc.integer({ min: 1, max: 20 }), (runs, silent) => {
      const all = Array.from({ length: 21 }, (_, place) => `${place}`);
      const answers = new Answers(all);
      for (const place of all) answers.take(place, 'proof');
      const message = runs.map((place) => {
        answers.take(`${place}`, place >= silent ? 'proof' : 'no answer');
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
  const run = fc.tuple(
    fc.constantFrom('a', 'b', 'c', 'slow'),
    fc.constantFrom(...Object.values(got)),
    fc.boolean(),
  );
  fc.assert(
    fc.property(fc.array(run), (runs) => {
      const one = new Answers(quick);
      let other = new Answers(quick);
      for (const [place, answer, isFirst] of runs) {
        one.take(place, answer, isFirst);
        other.take(place, answer, isFirst);
        other = new Answers(quick, JSON.parse(JSON.stringify(other.saved())));
        expect(other.is()).toBe(one.is());
      }
    }),
  );
});

test('a damaged row is ignored', () => {
  for (const remembered of [undefined, null, 'x', [], { failures: 7 }, { failures: { a: 'x' } }])
    expect(new Answers(quick, remembered).is()).toBe('everywhere');
});
