import { expect, test } from '@playwright/test';
import { Liveness } from '../../monitor/fleet/liveness.ts';
import { gentle, shareOf } from '../../monitor/fleet/share.ts';

/** An observer of other members, with clocks that the test sets. */
function watching() {
  const clocks = { monotonic: 0, elapsed: 0 };
  const liveness = new Liveness(
    () => clocks.monotonic,
    () => clocks.elapsed,
  );
  const see = (beats: Readonly<Record<string, number>>): void =>
    liveness.observe(
      Object.entries(beats).map(([id, beat]) => ({
        id,
        beat,
        authority: id,
        version: '1.2.3',
        startedAt: 0,
      })),
    );
  const pass = (ms: number): void => {
    clocks.monotonic += ms;
    clocks.elapsed += ms;
  };
  return { clocks, liveness, see, pass };
}

test('a member without a sign of life for ten seconds is dead', () => {
  const { liveness, see, pass } = watching();
  see({ one: 1, two: 1 });
  for (let beat = 2; beat < 6; beat++) {
    pass(2_999);
    see({ one: 1, two: beat });
    expect(liveness.dead()).toEqual(beat < 5 ? [] : ['one']);
  }
});

test('an observer that did not see the database for longer begins anew', () => {
  const { liveness, see, pass } = watching();
  see({ one: 1 });
  pass(20_000);
  expect(liveness.dead()).toEqual([]);
  see({ one: 1 });
  expect(liveness.dead()).toEqual([]);
});

test('a jump of one clock of the observer makes no member dead', () => {
  const { clocks, liveness, see, pass } = watching();
  see({ one: 1 });
  clocks.elapsed += 3_600_000;
  see({ one: 1 });
  pass(3_000);
  see({ one: 1 });
  expect(liveness.dead()).toEqual([]);
});

test('shares are even, and together they are all targets', () => {
  const members = ['c', 'a', 'b'];
  expect(members.map((id) => shareOf(id, members, 301))).toEqual([100, 101, 100]);
  expect(members.map((id) => shareOf(id, members, 2))).toEqual([0, 1, 1]);
  expect(shareOf('d', members, 10)).toBe(0);
});

test('a tenth of a share is given back at a time, and never more than is too much', () => {
  expect([gentle(-5, 100), gentle(0, 100), gentle(1, 100), gentle(50, 100)]).toEqual([0, 0, 1, 10]);
  expect(gentle(5, 3)).toBe(2);
});
