import { expect, test } from '@playwright/test';
import { notifyingFleet } from './notifying-fleet.ts';
import { alertmanager, receivers, webhook } from './receivers.ts';
import { minute, second } from './stage.ts';

test('a monitor that was stopped, and gets its target back at once, sends no alert that another has resolved', async () => {
  const sent: string[] = [];
  const options = { seed: 'notify', members: 2, targets: 3, periodSeconds: 30 };
  const fleet = notifyingFleet(options, alertmanager, (wall) => {
    const inbox = receivers();
    inbox.answer = (_, body) => {
      for (const { endsAt } of JSON.parse(body) as { endsAt: string }[])
        sent.push(Date.parse(endsAt) > wall() ? 'firing' : 'resolved');
      return 200;
    };
    return inbox.exchange;
  });
  const { holder, become } = fleet;
  for (const member of fleet.members) member.start();
  await fleet.pass(2 * minute);
  become('other-message');
  await fleet.pass(2 * minute);
  const stopped = holder();
  stopped.machine.stop();
  await fleet.pass(3 * minute);
  const other = holder();
  expect(other.machine.name).not.toBe(stopped.machine.name);
  expect(sent).not.toContain('resolved');
  become();
  await fleet.pass(12 * minute);
  expect(sent.at(-1)).toBe('resolved');
  const before = sent.length;
  other.drain();
  stopped.machine.continue();
  await fleet.pass(10 * minute);
  expect(holder().machine.name).toBe(stopped.machine.name);
  expect(sent.slice(before)).toEqual([]);
});

test('an alert that ends just after its target has moved is resolved a minute after it was sent', async () => {
  const sent: { readonly at: number; readonly isFiring: boolean }[] = [];
  const options = { seed: 'notify', members: 2, targets: 1, periodSeconds: 30 };
  const fleet = notifyingFleet(options, alertmanager, (wall) => {
    const inbox = receivers();
    inbox.answer = (_, body) => {
      const [{ endsAt }] = JSON.parse(body) as [{ endsAt: string }];
      // The clocks of the machines differ by up to two minutes.
      sent.push({ at: wall(), isFiring: Date.parse(endsAt) > wall() + 2 * minute });
      return 200;
    };
    return inbox.exchange;
  });
  for (const member of fleet.members) member.start();
  await fleet.pass(5 * minute);
  fleet.weather.lost = 1;
  for (let seconds = 0; seconds < 600 && sent.length === 0; seconds += 1) await fleet.pass(second);
  expect(sent).toMatchObject([{ isFiring: true }]);
  fleet.weather.lost = 0;
  fleet.holder().drain();
  await fleet.pass(5 * minute);
  const lastFiring = sent.findLast(({ isFiring }) => isFiring)?.at ?? 0;
  const resolved = sent.find(({ isFiring }) => !isFiring)?.at ?? 0;
  expect(resolved - lastFiring).toBeGreaterThanOrEqual(minute);
});

/** A fleet of two members, and the connection to the database of the one that watches the target. */
async function watchedByOneOfTwo() {
  const inbox = receivers();
  const options = { seed: 'notify', members: 2, targets: 1, periodSeconds: 5 };
  const fleet = notifyingFleet(options, webhook, () => inbox.exchange);
  for (const member of fleet.members) member.start();
  await fleet.pass(3 * minute);
  const { database } = fleet.holder();
  if (database === undefined) throw new Error('the holder runs');
  return { inbox, fleet, database };
}

for (const how of ['requests', 'writes'] as const)
  test(`an alert that begins while a member cannot send ${how} to the database is reported once`, async () => {
    const { inbox, fleet, database } = await watchedByOneOfTwo();
    database.cut = how;
    fleet.become('other-message');
    await fleet.pass(minute);
    const begun = 'firing ContractMonitorContractBroken ERROR-3';
    expect(inbox.accepted()).toEqual([begun]);
    database.cut = undefined;
    await fleet.pass(2 * minute);
    fleet.become();
    await fleet.pass(20 * minute);
    expect(inbox.accepted()).toEqual([begun, begun.replace('firing', 'resolved')]);
  });

test('a violation that only a member without the database has seen is not reported', async () => {
  const { inbox, fleet, database } = await watchedByOneOfTwo();
  database.cut = 'requests';
  fleet.become('other-message');
  await fleet.pass(9 * second);
  fleet.become();
  await fleet.pass(2 * minute);
  expect(inbox.accepted()).toEqual([]);
});
