import assert from 'node:assert/strict';
import { test } from '@playwright/test';
import fc from 'fast-check';
import { applyCheck, type Check, createCanary, nextCheckIn } from '../../monitor/canary/canary.ts';
import { type Conditions, dayMs, type Journey, journeys, world } from './canary-world.ts';

/** Exchanges during which nothing disturbs the machine. */
const calm = journeys(fc.constant({ is: 'sleep', ms: 0 }));

const weather = fc.record({
  rate: fc.constant(1),
  dated: fc.boolean(),
  counts: fc.constant('milliseconds' as const),
  offset: fc.integer({ min: -dayMs, max: dayMs }),
});

const lasts = ({ out, work, back }: Journey): number => out + work[0] + work[1] + back;

/** The largest error of an age: twice the time of the exchanges, plus the precision, allowance and lag of `Date`. */
const blurMs = (issue: Journey, check: Journey): number =>
  2 * (lasts(issue) + lasts(check)) + 3_600;

/** Makes the checks of a canary until the first violation or the last check. */
function climb(
  conditions: Conditions,
  issue: Journey,
  way: Journey,
  toleranceMs: number,
): { readonly checks: Check[]; readonly trueAge: number } {
  const here = world(conditions);
  const { grain, ...exchange } = here.make(issue);
  let canary = createCanary(exchange, 200);
  const checks: Check[] = [];
  let trueAge = 0;
  for (
    let wait = nextCheckIn(canary, here.reading(), { toleranceMs });
    wait !== undefined;
    wait = nextCheckIn(canary, here.reading(), { toleranceMs })
  ) {
    here.pass(wait);
    const { age, ...seen } = here.show(grain, way);
    const done = applyCheck(canary, seen, { toleranceMs });
    canary = done.canary;
    checks.push(done.check);
    trueAge = age;
    assert.ok(checks.length < 40);
  }
  return { checks, trueAge };
}

/** The distance from the tolerance to the check times next to the end. */
const clearanceMs = 25_000;
/** The system reports uptime in hundredths of a second, which counts at both ends of an age. */
const uptimeMs = 20;

const stories = fc.record({
  drawn: weather,
  issue: calm,
  way: calm,
  toleranceMs: fc.constantFrom(1_000, 5_000, 60_000),
  // The square makes short deviations more frequent than long ones.
  off: fc.nat(1_000).map((root) => root * root * 80),
});

test('the check times find each token that expires too late, at the first check after the end', () => {
  fc.assert(
    fc.property(stories, ({ drawn, issue, way, toleranceMs, off }) => {
      const rung = dayMs + toleranceMs + clearanceMs;
      const room = lasts(issue) + lasts(way);
      const { checks, trueAge } = climb(
        { ...drawn, lifetime: rung + room + 1 + off },
        issue,
        way,
        toleranceMs,
      );
      const verdicts = checks.map(({ verdict }) => verdict);
      assert.equal(verdicts.indexOf('late_accept'), verdicts.length - 1);
      assert.ok(trueAge <= rung + room);
    }),
    { numRuns: 300 },
  );
});

test('the check times find each token that expires too early, before its 24 hours are over', () => {
  fc.assert(
    fc.property(stories, ({ drawn, issue: slow, way: slower, toleranceMs, off }) => {
      // The last check before the end is conclusive only if the error of the age is less than the clearance.
      const issue = { ...slow, out: slow.out % 2_000, back: slow.back % 2_000 };
      const way = { ...slower, out: slower.out % 3_000, back: slower.back % 3_000 };
      fc.pre(blurMs(issue, way) < clearanceMs);
      const rung = dayMs - toleranceMs - clearanceMs;
      const lifetime = rung - lasts(issue) - uptimeMs - 1 - off;
      const dated = { ...drawn, dated: true, lifetime };
      const { checks, trueAge } = climb(dated, issue, way, toleranceMs);
      assert.equal(checks.at(-1)?.verdict, 'early_reject');
      assert.ok(trueAge < dayMs - toleranceMs);
    }),
    { numRuns: 300 },
  );
});
