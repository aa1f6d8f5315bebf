import assert from 'node:assert/strict';
import { test } from '@playwright/test';
import fc from 'fast-check';
import {
  applyCheck,
  createCanary,
  proveAgeUntil,
  restoreCanary,
} from '../../monitor/canary/canary.ts';
import { dayMs, type Journey, journeys, type Mishap, mishaps, world } from './canary-world.ts';

type Happening =
  | { readonly is: 'passes'; readonly ms: number }
  /** Time passes to `byMs` after the token's end, while the machine is awake, asleep or stopped. */
  | { readonly is: 'ends'; readonly byMs: number; readonly how: 'awake' | 'asleep' | 'stopped' }
  | { readonly is: 'befalls'; readonly mishap: Mishap }
  | { readonly is: 'stores' | 'restarts' }
  | { readonly is: 'reboots'; readonly ms: number }
  | { readonly is: 'checks'; readonly way: Journey };

const hour = 3_600_000;

const anyStory = (stops: boolean): fc.Arbitrary<Happening[]> => {
  const ways = ['awake', 'asleep', ...(stops ? ['stopped' as const] : [])] as const;
  const happening: fc.Arbitrary<Happening> = fc.oneof(
    { weight: 3, arbitrary: fc.record({ is: fc.constant('passes'), ms: fc.nat(12 * hour) }) },
    {
      weight: 4,
      arbitrary: fc.record({
        is: fc.constant('ends'),
        byMs: fc.oneof(
          fc.integer({ min: -3_000, max: 3_000 }),
          fc.integer({ min: -60_000, max: 60_000 }),
        ),
        how: fc.constantFrom(...ways),
      }),
    },
    {
      weight: 2,
      arbitrary: fc.record({ is: fc.constant('befalls'), mishap: mishaps(stops) }),
    },
    {
      weight: 1,
      arbitrary: fc.record({ is: fc.constantFrom('stores', 'restarts') }),
    },
    { weight: 1, arbitrary: fc.record({ is: fc.constant('reboots'), ms: fc.nat(10 * hour) }) },
    {
      weight: 6,
      arbitrary: fc.record({ is: fc.constant('checks'), way: journeys(mishaps(stops)) }),
    },
  );
  return fc.array(happening, { minLength: 2, maxLength: 16 });
};

/** If the machine may be stopped from outside, answers have a `Date`, since only that shows the stop. */
const anyLife = (rate: fc.Arbitrary<number>) =>
  fc.boolean().chain((stops) =>
    fc.record({
      conditions: fc.record({
        rate,
        dated: stops ? fc.constant(true) : fc.boolean(),
        counts: fc.constantFrom('milliseconds' as const, 'whole seconds' as const),
        offset: fc.integer({ min: -dayMs, max: dayMs }),
      }),
      issue: journeys(mishaps(stops)),
      story: anyStory(stops),
    }),
  );

type Life = typeof anyLife extends (rate: never) => fc.Arbitrary<infer Drawn> ? Drawn : never;

/** Simulates the events of a canary, and passes every check with the token's true age to a judge. */
function live(
  { conditions, issue, story }: Life,
  toleranceMs: number,
  judge: (check: ReturnType<typeof applyCheck>['check'], trueAge: number) => void,
): void {
  const here = world(conditions);
  const { grain, ...exchange } = here.make(issue);
  let canary = createCanary(exchange, 200);
  let stored = '';
  const store = (): void => {
    stored = JSON.stringify(canary);
  };
  const restart = (): void => {
    const back = restoreCanary(JSON.parse(stored), here.reading());
    assert.ok(back !== undefined);
    canary = back;
  };
  store();
  for (const happening of story) {
    switch (happening.is) {
      case 'passes':
        here.pass(happening.ms);
        break;
      case 'ends': {
        const ms = Math.max(0, grain.endsAt + happening.byMs - here.now());
        if (happening.how === 'awake') here.pass(ms);
        else if (happening.how === 'asleep') here.befall({ is: 'sleep', ms });
        else here.befall({ is: 'stop', ms, wallGoesOn: false });
        break;
      }
      case 'befalls':
        here.befall(happening.mishap);
        break;
      case 'stores':
        canary = proveAgeUntil(canary, here.reading());
        store();
        break;
      case 'restarts':
        restart();
        break;
      case 'reboots':
        here.reboot(happening.ms);
        restart();
        break;
      case 'checks': {
        const { age, ...seen } = here.show(grain, happening.way);
        const done = applyCheck(canary, seen, { toleranceMs });
        canary = done.canary;
        store();
        judge(done.check, age);
      }
    }
  }
}

test('a provider that keeps 24 hours never causes an alarm, whatever happens to the machine', () => {
  fc.assert(
    fc.property(anyLife(fc.constant(1)), fc.constantFrom(0, 1_000, 5_000), (life, tolerance) => {
      live(life, tolerance, ({ verdict }) => {
        assert.ok(verdict === 'ok' || verdict === 'undecided', verdict);
      });
    }),
    { numRuns: 3_000 },
  );
});

test('a tolerance of five seconds is enough for clocks that are 40 ppm too fast or too slow', () => {
  const rate = fc.constantFrom(1 - 40e-6, 1 + 40e-6);
  fc.assert(
    fc.property(anyLife(rate), (life) => {
      live(life, 5_000, ({ verdict }) => {
        assert.ok(verdict === 'ok' || verdict === 'undecided', verdict);
      });
    }),
    { numRuns: 1_500 },
  );
});

test('the true age lies between the minimum and the maximum, whatever happens to the machine', () => {
  fc.assert(
    fc.property(anyLife(fc.constant(1)), (life) => {
      live(life, 5_000, ({ age }, trueAge) => {
        assert.ok(age.least <= trueAge, `at least ${age.least}, truly ${trueAge}`);
        assert.ok(age.most >= trueAge, `at most ${age.most}, truly ${trueAge}`);
      });
    }),
    { numRuns: 3_000 },
  );
});
