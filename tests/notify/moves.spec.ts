import { expect, test } from '@playwright/test';
import { notifyingFleet } from './notifying-fleet.ts';
import { alertmanager, receivers } from './receivers.ts';
import { minute } from './stage.ts';

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
