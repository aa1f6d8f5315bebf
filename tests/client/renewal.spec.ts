import { type Behaviour, type Call, right } from '../../sandbox/behaviour.ts';
import { expect, first, test } from './keeping.ts';

test('a token serves for a day, is renewed, and never causes a 401', async ({ start }) => {
  let refusals = 0;
  const { sandbox, exchanges, tokenClient } = await start({
    ...right,
    unauthorised(...of) {
      refusals += 1;
      return right.unauthorised(...of);
    },
  });
  const began = Math.ceil(sandbox.clock.now() / 1000) * 1000;
  const statuses: number[] = [];
  for (const hour of [0, 1, 23, 24, 25, 48, 72, 1000]) {
    sandbox.clock.stopAt(began + hour * 3_600_000);
    statuses.push((await tokenClient.call(first)).status);
  }
  expect(statuses).toEqual(Array(8).fill(200));
  expect([exchanges.length, refusals]).toEqual([5, 0]);
});

test("the keys go to the client's token endpoint only (CALLER-1)", async ({ start }) => {
  const calls: Call[] = [];
  const watching: Behaviour = { ...right, arrived: (call) => calls.push(call) * 0 };
  const { tokenClient } = await start(watching);
  await tokenClient.call(first);
  const shown = calls.map((call) => JSON.stringify([call.url, call.headers, call.body]));
  expect(shown.map((text) => text.includes('Zebra-Key-41'))).toEqual([true, false]);
});
