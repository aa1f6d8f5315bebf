import { expect, test } from '@playwright/test';
import { ageAt, type Reading } from '../../monitor/canary/age.ts';
import { type Canary, checked, issued, restored } from '../../monitor/canary/canary.ts';
import { dayMs, withoutDelay, world } from './canary-world.ts';

const hour = 3_600_000;

/** A canary with one check, and its simulated world. */
function stage(): { here: ReturnType<typeof world>; canary: Canary; at: Reading } {
  const here = world({ rate: 1, dated: true, counts: 'milliseconds', offset: 0 });
  const { grain, ...exchange } = here.make({ ...withoutDelay, out: 50, back: 70 });
  const young = issued(exchange, 200);
  here.pass(hour);
  const seen = checked(young, here.show(grain, withoutDelay), { toleranceMs: 5_000 });
  return { here, canary: seen.canary, at: here.reading() };
}

/** Saves a canary as JSON and restores it. */
const through = (canary: Canary, now: Reading): Canary | undefined =>
  restored(JSON.parse(JSON.stringify(canary)), now);

/** The JSON of a canary with one damaged member; the path may lead into other members, like `anchor.s.boot`. */
function damaged(canary: Canary, path: string, value: unknown): unknown {
  const row = JSON.parse(JSON.stringify(canary));
  const names = path.split('.');
  const last = names.pop() ?? '';
  const inside = names.reduce((place, name) => place[name], row);
  if (value === undefined) delete inside[last];
  else inside[last] = value;
  return row;
}

test('a canary is restored as it was saved', () => {
  const { canary, at } = stage();
  expect(through(canary, at)).toEqual(canary);
  const skewed = { ...canary, clocksDiffer: { ms: 600_000, at: at.uptime } };
  expect(through(skewed, at)).toEqual(skewed);
});

test("a canary's age continues in another process of the same boot", () => {
  const { here, canary } = stage();
  here.pass(2 * hour);
  const back = through(canary, here.reading());
  here.pass(hour);
  const seen = { s: here.reading(), r: here.reading() };
  expect(back && ageAt(back.anchor, seen)).toEqual(ageAt(canary.anchor, seen));
});

test("a canary's age after a reboot has the stored minimum and an unknown maximum, also when stored again", () => {
  const { here, canary } = stage();
  const { least } = canary.anchor;
  expect(least).toBe(hour);
  here.reboot(5 * hour);
  const back = through(canary, here.reading());
  here.pass(hour);
  const again = back && through(back, here.reading());
  const now = { s: here.reading(), r: here.reading() };
  expect(again && ageAt(again.anchor, now)).toEqual({ least: least + hour, most: Infinity });
});

for (const path of [
  'id',
  'controlStatus',
  'madeAt',
  'state',
  'climbed',
  'admittedAt',
  'bounds',
  'anchor',
  'anchor.s',
  'anchor.r',
  'anchor.s.boot',
  'anchor.s.monotonic',
  'anchor.r.uptime',
  'anchor.r.wall',
])
  test(`a row without its ${path}, or with another type there, is not a canary`, () => {
    const { canary, at } = stage();
    for (const value of [undefined, null, true, [], {}, path === 'bounds' ? 1 : 'odd', Number.NaN])
      if (!(typeof value === 'string' && ['id', 'anchor.s.boot'].includes(path)))
        if (!(path === 'bounds' && value?.constructor === Object))
          expect(restored(damaged(canary, path, value), at)).toBeUndefined();
  });

for (const [path, value] of [
  ['climbed', -1],
  ['bounds.atLeast', 'long'],
  ['bounds.atLeast', 1e15],
  ['bounds.atMost', -1],
  ['anchor.s.provider', 'noon'],
  ['state', 'asleep'],
] as const)
  test(`a row whose ${path} is ${value} is not a canary`, () => {
    const { canary, at } = stage();
    expect(restored(damaged(canary, path, value), at)).toBeUndefined();
  });

for (const nothing of [undefined, null, 1, 'text', [], {}, [[]]])
  test(`${JSON.stringify(nothing)} is not a canary`, () => {
    expect(restored(nothing, stage().at)).toBeUndefined();
  });

for (const [path, value] of [
  ['anchor.least', null],
  ['anchor.least', 'old'],
  ['anchor.least', -1],
  ['anchor.least', 1e15],
  ['anchor.least', 2 * dayMs],
  ['anchor.most', 'old'],
  ['anchor.most', -dayMs],
  ['anchor.most', undefined],
] as const)
  test(`an age whose ${path} is ${value} is treated as unknown`, () => {
    const { canary, at } = stage();
    const back = restored(damaged(canary, path, value), at);
    expect(back?.anchor).toEqual({ least: 0, most: Infinity, s: at, r: at });
  });
