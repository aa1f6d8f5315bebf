import { expect, test } from '@playwright/test';
import { ageAt, type Reading } from '../../monitor/canary/age.ts';
import {
  applyCheck,
  type Canary,
  type CheckAnswer,
  createCanary,
  markLost,
  nextCheckIn,
  proveAgeUntil,
  restoreCanary,
} from '../../monitor/canary/canary.ts';
import type { CanaryState, CanaryVerdict } from '../../monitor/canary/verdict.ts';
import { dayMs, withoutDelay, world } from './canary-world.ts';

const tolerance = { toleranceMs: 5_000 };
const hour = 3_600_000;
const near = 30_000;

/** A canary, and its simulated world. */
function stage(dated = true) {
  const here = world({ rate: 1, dated, counts: 'milliseconds', offset: 0 });
  const { grain, ...exchange } = here.make({ ...withoutDelay, out: 50, back: 70 });
  const canary = createCanary(exchange, 204);
  /** Advances time until the token has this age, and checks the canary. */
  const see = (
    known: Canary,
    age: number,
    answer: Pick<CheckAnswer, 'admitted' | 'isDoubtful'>,
  ) => {
    here.pass(grain.madeAt + age - here.now());
    const { s, r } = here.show(grain, withoutDelay);
    return applyCheck(known, { s, r, ...answer }, tolerance);
  };
  const dueIn = (known: Canary) => nextCheckIn(known, here.reading(), tolerance);
  return { here, grain, exchange, canary, see, dueIn };
}

const admitted = { admitted: true } as const;
const refused = { admitted: false } as const;
const wrong = { admitted: 'wrong_answer' } as const;
/** Maintenance may have discarded the token. */
const doubtful = { admitted: false, isDoubtful: true } as const;

/** What happens at which age, and what is known then. */
type Step = readonly [
  number,
  Pick<CheckAnswer, 'admitted' | 'isDoubtful'>,
  CanaryVerdict,
  CanaryState,
];

const stories: Readonly<Record<string, readonly Step[]>> = {
  'expires in time is alive, then expired': [
    [dayMs - near, admitted, 'ok', 'alive'],
    [dayMs + near, refused, 'ok', 'expired'],
  ],
  'is refused too early fails once': [
    [dayMs - near, refused, 'early_reject', 'failed'],
    [dayMs + near, admitted, 'undecided', 'failed'],
    [2 * dayMs, wrong, 'undecided', 'failed'],
  ],
  'is refused without a Date may be older, since the machine may have been stopped': [
    [hour, refused, 'undecided', 'alive'],
    [2 * hour, admitted, 'ok', 'alive'],
  ],
  'is admitted too late fails once, also without a Date': [
    [dayMs + near, admitted, 'late_accept', 'failed'],
    [3 * dayMs, refused, 'undecided', 'failed'],
  ],
  'has expired stays so until it is admitted days later': [
    [dayMs + near, refused, 'ok', 'expired'],
    [3 * dayMs, refused, 'ok', 'expired'],
    [4 * dayMs, admitted, 'late_accept', 'failed'],
  ],
  'is refused within the tolerance is decided by its next check': [
    [dayMs - 3_000, refused, 'undecided', 'alive'],
    [dayMs + near, admitted, 'late_accept', 'failed'],
  ],
  'gets a wrong answer is as it was': [
    [hour, wrong, 'wrong_answer', 'alive'],
    [12 * hour, refused, 'early_reject', 'failed'],
  ],
  'is refused after maintenance is lost': [
    [hour, admitted, 'ok', 'alive'],
    [5 * hour, doubtful, 'undecided', 'lost'],
    [6 * hour, admitted, 'undecided', 'lost'],
  ],
  'is refused after maintenance and after its end is expired': [
    [dayMs + near, doubtful, 'ok', 'expired'],
  ],
  'is admitted too late after maintenance has failed': [
    [dayMs + near, { admitted: true, isDoubtful: true }, 'late_accept', 'failed'],
  ],
};

for (const [what, steps] of Object.entries(stories))
  test(`a canary that ${what}`, () => {
    const { canary, see } = stage(!what.includes('without a Date'));
    let known = canary;
    for (const [age, answer, verdict, state] of steps) {
      const next = see(known, age, answer);
      const shown = { age, verdict: next.check.verdict, state: next.canary.state };
      expect(shown).toEqual({ age, verdict, state });
      known = next.canary;
    }
  });

test('a canary leaves bounds of the lifetime, but not by a refusal that shows nothing', () => {
  const { canary, see } = stage();
  const alive = see(canary, dayMs - near, admitted).canary;
  const { atLeast, atMost = 0 } = see(alive, dayMs + near, refused).canary.bounds;
  expect(atLeast).toBe(alive.bounds.atLeast);
  expect(atLeast).toBeCloseTo(86_370_000, -3);
  expect(atMost).toBeCloseTo(86_431_000, -4);
  expect(see(alive, dayMs + near, doubtful).canary.bounds).toEqual({ atLeast });
  expect(see(alive, dayMs + near, wrong).canary.bounds).toEqual({ atLeast });
  expect(markLost(see(alive, dayMs + near, refused).canary).bounds).toEqual({ atLeast });
});

test('a canary that has failed or is lost is not checked again, and a failed one is not lost', () => {
  const { canary, dueIn } = stage();
  const failed = { ...canary, state: 'failed' } as const;
  expect(dueIn(failed)).toBeUndefined();
  expect(dueIn(markLost(canary))).toBeUndefined();
  expect(markLost(failed).state).toBe('failed');
});

test('a wrong answer uses its check time, and the check stays due without an answer', () => {
  const { here, canary, see, dueIn } = stage();
  expect(dueIn(see(canary, hour, wrong).canary)).toBeCloseTo(11 * hour, -4);
  here.pass(hour);
  expect(dueIn(canary)).toBe(0);
  expect(dueIn(proveAgeUntil(canary, here.reading()))).toBe(0);
});

/** Saves a canary as JSON and restores it. */
const through = (canary: unknown, now: Reading): Canary | undefined =>
  restoreCanary(JSON.parse(JSON.stringify(canary)), now);

test('a canary is restored as it was saved, and its age continues in another process of the same boot', () => {
  const { here, canary } = stage();
  expect(through(canary, here.reading())).toEqual(proveAgeUntil(canary, here.reading()));
  here.pass(2 * hour);
  const back = through(canary, here.reading()) ?? canary;
  here.pass(hour);
  const seen = { s: here.reading(), r: here.reading() };
  expect(ageAt(back.anchor, seen)).toEqual(ageAt(canary.anchor, seen));
});

test("a canary's age after a reboot has the stored minimum and an unknown maximum, also when stored again", () => {
  const { here, canary, see } = stage();
  const stored = see(canary, hour, admitted).canary;
  here.reboot(5 * hour);
  const back = through(stored, here.reading());
  here.pass(hour);
  const again = through(back, here.reading()) ?? canary;
  const age = ageAt(again.anchor, { s: here.reading(), r: here.reading() });
  expect(age).toEqual({ least: stored.anchor.least + hour, most: Infinity });
});

test('a clock that goes back was ahead at the latest admission', () => {
  const { here, canary, see } = stage();
  const known = see(canary, hour, admitted).canary;
  for (const answer of [refused, wrong])
    expect(see(known, 2 * hour, answer).canary.admittedAt).toBe(known.admittedAt);
  here.befall({ is: 'step', ms: -3 * hour });
  expect(proveAgeUntil(known, here.reading()).admittedAt).toBe(here.reading().wall);
});

test('a row of another form is not a canary', () => {
  const { here } = stage();
  for (const nothing of [null, 1, 'text', [], {}, [[]]])
    expect(through(nothing, here.reading())).toBeUndefined();
});
