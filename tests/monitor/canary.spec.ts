import { expect, test } from '@playwright/test';
import {
  type Canary,
  type CheckAnswer,
  checked,
  issued,
  lost,
  nextCheckIn,
  touched,
} from '../../monitor/canary/canary.ts';
import { lifetimeOf } from '../../monitor/canary/keeper.ts';
import { dayMs, withoutDelay, world } from './canary-world.ts';

const tolerance = { toleranceMs: 5_000 };
const hour = 3_600_000;
const near = 30_000;

/** A canary, and its simulated world. */
function stage(dated = false) {
  const here = world({ rate: 1, dated, counts: 'milliseconds', offset: 0 });
  const { grain, ...exchange } = here.make(withoutDelay);
  const canary = issued(exchange, 204);
  /** Advances time until the token has this age, and checks the canary. */
  const see = (
    canary: Canary,
    age: number,
    admitted: CheckAnswer['admitted'],
    isDoubtful = false,
  ) => {
    here.pass(grain.madeAt + age - here.now());
    const { s, r } = here.show(grain, withoutDelay);
    return checked(canary, { s, r, admitted, isDoubtful }, tolerance);
  };
  return { here, canary, see, madeAt: grain.madeAt };
}

test('a new canary is alive, remembers its control, and has a unique name', () => {
  const { canary, madeAt } = stage();
  expect(canary).toMatchObject({
    state: 'alive',
    controlStatus: 204,
    madeAt,
  });
  expect(canary.id).not.toBe(stage().canary.id);
});

test('a canary that expires in time is alive, then expired, and leaves bounds', () => {
  const { canary, see, madeAt } = stage();
  const alive = see(canary, dayMs - near, true);
  expect(alive.canary.state).toBe('alive');
  expect(alive.check).toMatchObject({
    at: madeAt + dayMs - near,
    phase: 'before',
    admitted: true,
    verdict: 'ok',
    age: { least: dayMs - near },
  });
  const dead = see(alive.canary, dayMs + near, false);
  expect(dead.canary.state).toBe('expired');
  expect(dead.check).toMatchObject({ phase: 'after', admitted: false, verdict: 'ok' });
  const { atLeastSeconds, atMostSeconds } = lifetimeOf([dead.canary]);
  expect(atLeastSeconds).toBe(86_370);
  expect(atMostSeconds).toBeCloseTo(86_430, 1);
});

for (const [what, age, admitted, verdict] of [
  ['refused too early', dayMs - near, false, 'early_reject'],
  ['admitted too late', dayMs + near, true, 'late_accept'],
] as const)
  test(`a canary that is ${what} fails, is reported once, and is not checked again`, () => {
    const { here, canary, see } = stage(true);
    const first = see(canary, age, admitted);
    expect([first.check.verdict, first.canary.state]).toEqual([verdict, 'failed']);
    expect(nextCheckIn(first.canary, here.reading(), tolerance)).toBeUndefined();
    for (const again of [true, false, 'wrong_answer'] as const) {
      const next = see(first.canary, 3 * dayMs, again);
      expect([next.check.verdict, next.canary.state]).toEqual(['undecided', 'failed']);
      expect(next.canary.bounds).toEqual(first.canary.bounds);
    }
  });

test('a stop of the machine explains an early refusal without a Date, and no late admission', () => {
  const { canary, see } = stage(false);
  const refused = see(canary, hour, false);
  expect([refused.check.verdict, refused.canary.state]).toEqual(['undecided', 'alive']);
  expect(refused.canary.bounds).toEqual({});
  expect(see(canary, hour, true).check.verdict).toBe('ok');
  expect(see(canary, dayMs + near, true).check.verdict).toBe('late_accept');
});

test('the state expired is final: a canary that is admitted days later has failed', () => {
  const { canary, see } = stage();
  const dead = see(canary, dayMs + near, false).canary;
  const still = see(dead, 3 * dayMs, false);
  expect([still.check.verdict, still.canary.state]).toEqual(['ok', 'expired']);
  const risen = see(still.canary, 4 * dayMs, true);
  expect([risen.check.verdict, risen.canary.state]).toEqual(['late_accept', 'failed']);
});

test('a refusal within the tolerance proves nothing, and the next check decides', () => {
  const { canary, see } = stage();
  const unsure = see(canary, dayMs - 3_000, false);
  expect([unsure.check.verdict, unsure.canary.state]).toEqual(['undecided', 'alive']);
  expect(see(unsure.canary, dayMs + near, false).canary.state).toBe('expired');
  expect(see(unsure.canary, dayMs + near, true).canary.state).toBe('failed');
});

test('a wrong answer uses its check time, and leaves state and bounds unchanged', () => {
  const { here, canary, see } = stage();
  const wrong = see(canary, hour, 'wrong_answer');
  expect(wrong.check).toMatchObject({ verdict: 'wrong_answer', admitted: false });
  expect(wrong.canary).toMatchObject({ state: 'alive', bounds: {}, admittedAt: canary.admittedAt });
  expect(nextCheckIn(wrong.canary, here.reading(), tolerance)).toBeCloseTo(11 * hour, -2);
});

test('the check stays due without an answer', () => {
  const { here, canary } = stage();
  here.pass(2 * hour);
  expect(nextCheckIn(canary, here.reading(), tolerance)).toBe(0);
  expect(nextCheckIn(touched(canary, here.reading()), here.reading(), tolerance)).toBe(0);
});

test('a Date hours ahead of the clocks of the machine makes no check due twice', () => {
  const here = world({ rate: 1, dated: true, counts: 'milliseconds', offset: 0 });
  const { grain, ...exchange } = here.make({ ...withoutDelay, back: 2_000 });
  let canary = issued(exchange, 200);
  here.pass(13 * hour);
  here.befall({ is: 'stop', ms: 10 * hour, wallGoesOn: false });
  for (let count = 0; count < 3; count++) {
    here.pass(nextCheckIn(canary, here.reading(), tolerance) ?? 0);
    canary = checked(canary, here.show(grain, withoutDelay), tolerance).canary;
    expect(nextCheckIn(canary, here.reading(), tolerance)).toBeGreaterThan(60_000);
  }
});

test('a Date that is known before a check makes it due no sooner', () => {
  const here = world({ rate: 1, dated: true, counts: 'milliseconds', offset: 0 });
  const { grain: _, ...exchange } = here.make(withoutDelay);
  const canary = issued(exchange, 200);
  const now = here.reading();
  const ahead = { ...now, provider: now.wall + 5 * hour };
  expect(nextCheckIn(canary, ahead, tolerance)).toBe(nextCheckIn(canary, now, tolerance));
});

test('a canary never repeats a check time, even if a sleep makes its maximum unknown', () => {
  const { here, canary, see, madeAt } = stage();
  here.befall({ is: 'sleep', ms: 10 * hour });
  const high = see(canary, 23.5 * hour, true).canary;
  here.befall({ is: 'sleep', ms: 2 * hour });
  const { climbed } = see(high, here.now() - madeAt, true).canary;
  expect(climbed).toBe(high.climbed);
});

test('a check is reported with the instant at which it began', () => {
  const { here, canary } = stage();
  const began = here.now();
  const slow = here.show({ madeAt: began, endsAt: began + dayMs }, { ...withoutDelay, out: 4_000 });
  const { check, canary: next } = checked(canary, slow, tolerance);
  expect([check.at, next.admittedAt]).toEqual([began, began]);
});

test('a canary that is refused after maintenance is lost, and violates no clause', () => {
  const { canary, see } = stage(true);
  const seen = see(canary, hour, true).canary;
  const refused = see(seen, 5 * hour, false, true);
  expect([refused.check.verdict, refused.canary.state]).toEqual(['undecided', 'lost']);
  expect(lifetimeOf([refused.canary])).toEqual({ atLeastSeconds: 3_600 });
  expect(see(seen, 5 * hour, false).check.verdict).toBe('early_reject');
});

test('an admission by a wall clock that was ahead is no later than now', () => {
  const { here, canary, see } = stage();
  here.befall({ is: 'step', ms: 10 * hour });
  const ahead = see(canary, hour, true).canary;
  here.befall({ is: 'step', ms: -10 * hour });
  expect(touched(ahead, here.reading()).admittedAt).toBe(here.reading().wall);
});

test('a doubtful canary that is refused after its end is expired, and proves no lifetime', () => {
  const { canary, see } = stage();
  const dead = see(canary, dayMs + near, false, true);
  expect([dead.check.verdict, dead.canary.state]).toEqual(['ok', 'expired']);
  expect(lifetimeOf([dead.canary])).toEqual({});
});

test('a doubtful canary that is admitted too late has still failed', () => {
  const { canary, see } = stage();
  const risen = see(canary, dayMs + near, true, true);
  expect([risen.check.verdict, risen.canary.state]).toEqual(['late_accept', 'failed']);
  expect(lifetimeOf([risen.canary])).toEqual({ atLeastSeconds: 86_430 });
});

test('a lost canary is not checked again, reports no upper bound, and a failed one stays failed', () => {
  const { here, canary, see } = stage();
  const gone = lost(see(canary, dayMs + near, false).canary);
  expect(gone.state).toBe('lost');
  expect(nextCheckIn(gone, here.reading(), tolerance)).toBeUndefined();
  expect(lifetimeOf([gone])).toEqual({});
  expect(see(gone, 2 * dayMs, true).check.verdict).toBe('undecided');
  expect(lost({ ...canary, state: 'failed' }).state).toBe('failed');
});

test('the lifetime is bounded by all canaries together', () => {
  const { canary } = stage();
  const one: Canary = { ...canary, bounds: { atLeast: 3_600_500 } };
  const two: Canary = {
    ...canary,
    state: 'expired',
    bounds: { atLeast: 2_000, atMost: 90_000_000 },
  };
  const three = lost({ ...canary, bounds: { atLeast: 4_000_000, atMost: 5_000 } });
  expect(lifetimeOf([one, two, three])).toEqual({ atLeastSeconds: 4_000, atMostSeconds: 90_000 });
  expect(lifetimeOf([])).toEqual({});
});
