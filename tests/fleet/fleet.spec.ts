import { expect, test } from '@playwright/test';
import { simulatedFleet } from './simulated-fleet.ts';

const usual = { seed: 'fleet', members: 3, targets: 12, periodSeconds: 60 };

/** A fleet whose members have shared out the targets. */
async function settled(options: Partial<Parameters<typeof simulatedFleet>[0]> = {}) {
  const fleet = simulatedFleet({ ...usual, ...options });
  for (const member of fleet.members) member.start();
  await fleet.pass(120_000);
  return fleet;
}

test('targets are spread evenly, and each is watched by one member', async () => {
  const fleet = await settled();
  expect(fleet.spread()).toEqual([4, 4, 4]);
  for (const target of fleet.providers.keys()) expect(fleet.watchersOf(target).length).toBe(1);
});

test('a new member has its share within two minutes', async () => {
  const fleet = simulatedFleet({ ...usual, targets: 15 });
  const [first, second, third] = fleet.members;
  first.start();
  second?.start();
  await fleet.pass(120_000);
  expect(fleet.spread()).toEqual([8, 7, 0]);
  third?.start();
  await fleet.pass(120_000);
  expect(fleet.spread()).toEqual([5, 5, 5]);
});

test('the targets of a member that is killed are watched again within 30 seconds', async () => {
  const fleet = await settled();
  fleet.members[0].kill();
  await fleet.pass(30_000);
  expect(fleet.spread()).toEqual([0, 6, 6]);
});

for (const seed of ['one', 'two', 'three'])
  test(`a member that is stopped hands its targets over at once, with seed ${seed}`, async () => {
    const fleet = await settled({ seed });
    fleet.members[0].drain();
    // The member first ends its last runs, and then notifies the others long before their next heartbeat.
    const { members } = fleet.server;
    for (let look = 0; look < 40 && members.size === 3; look += 1) await fleet.pass(250);
    await fleet.pass(500);
    expect(fleet.spread()).toEqual([0, 6, 6]);
  });

test('a member that is cut off from the database stops before others begin, and comes back', async () => {
  const fleet = await settled();
  const [first] = fleet.members;
  if (first.database !== undefined) first.database.cut = 'requests';
  await fleet.pass(6_000);
  expect(fleet.spread()).toEqual([4, 4, 4]);
  await fleet.pass(5_000);
  expect(fleet.spread()).toEqual([0, 4, 4]);
  await fleet.pass(19_000);
  expect(fleet.spread()).toEqual([0, 6, 6]);
  if (first.database !== undefined) first.database.cut = undefined;
  await fleet.pass(60_000);
  expect(fleet.spread()).toEqual([4, 4, 4]);
});

for (const how of ['stop', 'suspend'] as const)
  test(`a member under ${how} sends no request of a target that another one has taken meanwhile`, async () => {
    // With a short period a request is due at any moment.
    const fleet = await settled({ periodSeconds: 10 });
    const [first] = fleet.members;
    first.machine[how]();
    await fleet.pass(60_000);
    expect(fleet.spread().slice(1)).toEqual([6, 6]);
    first.machine.continue();
    await fleet.pass(90_000);
    expect(fleet.spread()).toEqual([4, 4, 4]);
  });

test('all members stop when the database is gone for longer than the lease, and each goes on with its own targets', async () => {
  const fleet = await settled();
  const before = [...fleet.providers.keys()].map((target) => fleet.watchersOf(target));
  fleet.server.isGone = true;
  await fleet.pass(6_000);
  expect(fleet.spread()).toEqual([4, 4, 4]);
  await fleet.pass(54_000);
  expect(fleet.spread()).toEqual([0, 0, 0]);
  const status = fleet.members[0].running?.status();
  await fleet.pass(1_000);
  expect((await status)?.problem).toBe('the database cannot be used: ECONNREFUSED');
  fleet.server.isGone = false;
  await fleet.pass(5_000);
  expect([...fleet.providers.keys()].map((target) => fleet.watchersOf(target))).toEqual(before);
});

test('a step of the clock of the database takes no target from a member that is alive', async () => {
  const fleet = await settled();
  const fences = () => [...fleet.server.leases.values()].map(({ fence }) => fence);
  const before = fences();
  for (const member of fleet.server.members.values()) member.expires -= 3_600_000;
  await fleet.pass(30_000);
  expect(fences()).toEqual(before);
});

test('a member that cannot write gives nothing back', async () => {
  const fleet = simulatedFleet({ ...usual, targets: 4 });
  const [first, second] = fleet.members;
  first.start();
  await fleet.pass(60_000);
  if (first.database !== undefined) first.database.cut = 'writes';
  await fleet.pass(5_000);
  second?.start();
  await fleet.pass(60_000);
  expect(fleet.spread()).toEqual([4, 0, 0]);
  if (first.database !== undefined) first.database.cut = undefined;
  await fleet.pass(10_000);
  expect(fleet.spread()).toEqual([2, 2, 0]);
});
