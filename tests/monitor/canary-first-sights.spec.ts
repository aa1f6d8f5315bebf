import { expect, test } from '@playwright/test';
import { Secret } from '../../contract/secrets/secret.ts';
import { hours } from '../../contract/time/clock.ts';
import { FirstSights } from '../../monitor/canary/first-sights.ts';
import { targetAt } from './provider.ts';
import { simulatedTime } from './simulated-time.ts';

const target = targetAt(new URL('http://provider'));
const token = (text: string) => new Secret(`${text}-of-a-provider`);

function stage(time = simulatedTime(), saved: unknown = undefined) {
  const sights = new FirstSights(target, time, saved);
  const note = (text: string) => sights.note(token(text), time.wall());
  return { time, sights, note };
}

test('the age of a reissued token counts from its first sight, without an upper bound', async () => {
  const { time, sights, note } = stage();
  const firstAt = time.monotonic();
  note('one');
  expect(sights.anchorOf(token('one'))).toBeUndefined();
  await time.pass(hours(3));
  note('one');
  expect(sights.anchorOf(token('one'))).toMatchObject({
    least: 0,
    most: Infinity,
    s: { monotonic: firstAt },
    r: { monotonic: firstAt },
  });
  expect(sights.areReissued()).toBe(true);
});

test('two identical tokens of one second prove nothing', async () => {
  const { time, sights, note } = stage();
  note('one');
  await time.pass(999);
  note('one');
  expect([sights.areReissued(), sights.anchorOf(token('one'))]).toEqual([false, undefined]);
});

test('a provider that has reissued no token for more than a day counts as giving new ones', async () => {
  const { time, sights, note } = stage();
  note('one');
  await time.pass(2_000);
  note('one');
  await time.pass(hours(25));
  note('two');
  expect(sights.anchorOf(token('two'))).toMatchObject({ most: Infinity });
  await time.pass(hours(2));
  note('three');
  expect(sights.anchorOf(token('three'))).toBeUndefined();
  expect(sights.areReissued()).toBe(false);
});

test('first sights outlive a restart, are few, and show no token', async () => {
  const { time, sights, note } = stage();
  const firstAt = time.monotonic();
  for (let count = 0; count < 40; count++) {
    note(`token ${count}`);
    await time.pass(2_000);
  }
  const saved = JSON.stringify(sights.saved());
  expect(sights.saved()).toHaveLength(32);
  expect(saved).not.toContain('of-a-provider');
  const again = stage(time, JSON.parse(saved));
  again.note('token 39');
  const seenAt = again.sights.anchorOf(token('token 39'))?.r.monotonic;
  expect(seenAt).toBe(firstAt + 39 * 2_000);
  again.note('token 0');
  expect(again.sights.anchorOf(token('token 0'))?.r.monotonic).toBe(time.monotonic());
});
