import { expect, test } from '@playwright/test';
import { days, type SettableClock } from '../../contract/time/clock.ts';
import { setUpStates } from '../../pacts/verify/state-setup.ts';
import { aged, callWithToken, ownPact, pactOf, verifying } from './verifying.ts';

const call = callWithToken();
const aging = callWithToken('a call with an old token', [aged(23)]);

for (const [what, pact, message] of [
  ['while real time passes', pactOf(call), 'and not by this run'],
  ['while its time stands', pactOf(aging), 'but it must stay where it is set'],
] as const)
  test(`a clock that another run moves ${what} is unjudged, and no failure`, async () => {
    let clock: SettableClock | undefined;
    const run = await verifying(pact, {
      aim: (target) => {
        clock = target.clock;
        return target;
      },
      async setUp(asked, provider) {
        const values = await setUpStates(asked, provider);
        await clock?.set((await clock.read()) + days(2));
        return values;
      },
    });
    expect(run.exit).toBe(2);
    expect(run.unjudged).toContain(message);
    const [{ interactions } = { interactions: [] }] = run.pacts;
    expect(interactions.map(({ ending }) => ending)).toEqual(['unverified']);
  });

test('a clock that stays where it is set costs no interaction', async () => {
  expect((await verifying([ownPact, pactOf(call, aging)])).exit).toBe(0);
});

test('the age of a token may be any part of an hour', async () => {
  const calls = [
    callWithToken('just before the end', [aged(23.9999999)]),
    callWithToken('a second before the end', [aged(23.99972)]),
    callWithToken('just after the end', [aged(24.0000001)], { status: 401 }),
  ];
  const run = await verifying(pactOf(...calls));
  expect([run.exit, run.unjudged]).toEqual([0, undefined]);
});
