import assert from 'node:assert/strict';
import { expect, test } from '@playwright/test';
import fc from 'fast-check';
import { placeMs } from '../../monitor/schedule/places.ts';
import { Schedule, type Slot } from '../../monitor/schedule/schedule.ts';
import type { Cause } from '../../monitor/schedule/tally.ts';
import { gridStart, onceAt, type Timing } from '../../monitor/schedule/timing.ts';

const minute = 60_000;

const slot = (key: string, timing: Partial<Timing> = {}, target = 'one'): Slot => ({
  key,
  target,
  timing: { firstAt: 0, offset: 0, period: minute, ...timing },
});

const unbounded = { concurrency: Infinity, atOncePerTarget: Infinity };

/** How many instants of a slot have passed at `now`, computed from the grid alone. */
function came({ timing }: Slot, now: number): number {
  if (now < timing.firstAt) return 0;
  const start = gridStart(timing);
  return now < start ? 1 : 2 + Math.floor((now - start) / timing.period);
}

test('a slot runs at its first instant and then on its grid, regardless of late runs', () => {
  const plan = new Schedule([slot('a', { firstAt: 2_000, offset: 30_000 })], unbounded);
  const starts: number[] = [];
  for (let now = 0; now < 5 * minute; now += 1_000)
    for (const start of plan.step(now)) {
      starts.push(now);
      plan.finished(start.slot, now);
    }
  expect(starts).toEqual([2_000, 90_000, 150_000, 210_000, 270_000]);
});

test('the second run comes half a period after the first or later', () => {
  fc.assert(
    fc.property(
      fc.record({ firstAt: fc.nat(minute), offset: fc.nat(minute - 1) }),
      ({ firstAt, offset }) => {
        const gap = gridStart({ firstAt, offset, period: minute }) - firstAt;
        assert.ok(gap >= minute / 2 && gap < 1.5 * minute);
      },
    ),
  );
});

test('the slot that leads runs before the others of its target that fall due with it', () => {
  const slots = [slot('a'), slot('b'), { ...slot('c'), leads: true as const }, slot('d')];
  const plan = new Schedule(slots, { ...unbounded, atOncePerTarget: 1 });
  const order: string[] = [];
  for (let now = 0; now < 4; now++)
    for (const start of plan.step(now)) {
      order.push(start.slot.key);
      plan.finished(start.slot, now);
    }
  expect(order[0]).toBe('c');
});

test('an instant that comes while its slot still runs is missed because of overlap', () => {
  const plan = new Schedule([slot('a')], unbounded);
  const [first] = plan.step(0);
  expect(plan.step(minute)).toEqual([]);
  expect(plan.tally().because).toEqual({ overlap: 1, suspended: 0, draining: 0 });
  if (first !== undefined) plan.finished(first.slot, minute);
  expect(plan.step(minute + 1)).toEqual([]);
  const again = { slot: first?.slot, dueAt: 2 * minute, readyAt: 2 * minute };
  expect(plan.step(2 * minute)).toEqual([again]);
});

test('a run that waits for another of its target is ready when that one has ended', () => {
  const slots = ['a', 'b'].map((key) => slot(key));
  const plan = new Schedule(slots, { concurrency: 2, atOncePerTarget: 1 });
  const [first] = plan.step(0);
  assert.ok(first);
  expect(first).toMatchObject({ dueAt: 0, readyAt: 0 });
  plan.finished(first.slot, 300);
  expect(plan.step(310)).toMatchObject([{ dueAt: 0, readyAt: 300 }]);
});

test('the last instant runs after a pause of the process, and the earlier ones count as suspended', () => {
  const plan = new Schedule([slot('a')], unbounded);
  for (const { slot: begun } of plan.step(0)) plan.finished(begun, 0);
  const [late] = plan.step(10 * minute + 5_000);
  expect(late?.dueAt).toBe(10 * minute);
  expect(plan.tally()).toEqual({
    expected: 11,
    run: 2,
    missed: 9,
    skipped: 0,
    waiting: 0,
    because: { overlap: 0, suspended: 9, draining: 0 },
  });
});

test('runs beyond the limit wait, and begin in the order in which they were due', () => {
  const slots = ['a', 'b', 'c'].map((key, index) => slot(key, { firstAt: index }));
  const plan = new Schedule(slots, { concurrency: 1, atOncePerTarget: 1 });
  const order: string[] = [];
  for (let now = 2; now < 5; now++)
    for (const start of plan.step(now)) {
      order.push(start.slot.key);
      expect(plan.step(now)).toEqual([]);
      plan.finished(start.slot, now);
    }
  expect(order).toEqual(['a', 'b', 'c']);
});

test('a target that never answers delays no other target', () => {
  const dead = ['a', 'b', 'c'].map((key) => slot(key, {}, 'dead'));
  const plan = new Schedule([...dead, slot('d', {}, 'alive')], {
    concurrency: 2,
    atOncePerTarget: 1,
  });
  expect(plan.step(0).map((start) => start.slot.key)).toEqual(['a', 'd']);
});

test('targets that hang keep no place from others for longer than a second', () => {
  const hanging = ['a', 'b', 'c'].map((key) => slot(key, {}, key));
  const well = slot('well', { firstAt: 10 }, 'well');
  const plan = new Schedule([...hanging, well], { concurrency: 2, atOncePerTarget: 1 });
  expect(plan.step(0).map((start) => start.slot.key)).toEqual(['a', 'b']);
  expect(plan.step(10)).toEqual([]);
  expect(plan.nextAt()).toBe(placeMs);
  expect(plan.step(placeMs).map((start) => start.slot.key)).toEqual(['c', 'well']);
  expect(plan.tally()).toMatchObject({ run: 4, waiting: 0 });
});

test('targets whose last run took long get half of the places at most', () => {
  const slow = ['a', 'b', 'c'].map((key) => slot(key, {}, key));
  const plan = new Schedule(slow, { concurrency: 4, atOncePerTarget: 1 });
  const first = plan.step(0).map((start) => start.slot);
  plan.step(placeMs);
  for (const each of first) plan.finished(each, placeMs);
  for (const key of ['d', 'e', 'f']) plan.add(slot(key, { firstAt: minute }, key));
  const second = plan.step(minute).map((start) => start.slot.key);
  expect(second.filter((key) => 'abc'.includes(key))).toHaveLength(2);
  expect(second.filter((key) => 'def'.includes(key))).toHaveLength(2);
  expect(plan.tally()).toMatchObject({ run: 7, waiting: 2 });
});

test('targets take turns when places are few', () => {
  const slots = ['one', 'two'].flatMap((target) =>
    ['a', 'b'].map((key, index) => slot(`${target} ${key}`, { firstAt: index }, target)),
  );
  const plan = new Schedule(slots, { concurrency: 1, atOncePerTarget: 1 });
  const order: string[] = [];
  for (let turn = 0; turn < 4; turn++)
    for (const start of plan.step(10 + turn)) {
      order.push(start.slot.key);
      plan.finished(start.slot, 10 + turn);
    }
  expect(order).toEqual(['one a', 'two a', 'one b', 'two b']);
});

test('no run begins while draining, and waiting runs count as skipped', () => {
  const plan = new Schedule([slot('a'), slot('b')], { concurrency: 1, atOncePerTarget: 1 });
  const [begun] = plan.step(0);
  plan.drain();
  if (begun !== undefined) plan.finished(begun.slot, 0);
  expect(plan.step(minute)).toEqual([]);
  expect(plan.tally()).toMatchObject({ expected: 4, run: 1, missed: 0, skipped: 3, waiting: 0 });
});

test('a one-time run runs once, late rather than never, and is removed', () => {
  const plan = new Schedule<Slot>([], unbounded);
  const only = slot('a', onceAt(minute));
  plan.add(only);
  expect(() => plan.add(only)).toThrow('a is in the schedule already');
  expect(plan.step(minute - 1)).toEqual([]);
  expect(plan.step(100 * minute)).toEqual([{ slot: only, dueAt: minute, readyAt: minute }]);
  plan.finished(only, 100 * minute);
  expect(plan.nextAt()).toBeUndefined();
  plan.add(only);
  expect(plan.tally()).toMatchObject({ expected: 1, run: 1, missed: 0 });
});

test('a removed slot has no further instant, and its waiting instants are dropped', () => {
  const plan = new Schedule([slot('a'), slot('b')], { concurrency: 1, atOncePerTarget: 1 });
  const begun = plan.step(0)[0]?.slot;
  const waits = slot('c');
  plan.add(waits);
  plan.step(1);
  expect(plan.tally()).toMatchObject({ expected: 1, run: 1, waiting: 2 });
  plan.remove(waits);
  expect(plan.tally()).toMatchObject({ expected: 1, run: 1, waiting: 1 });
  assert.ok(begun);
  plan.remove(begun);
  plan.finished(begun, 1);
  const after = plan.step(10 * minute).map((start) => start.slot.key);
  expect(after).toEqual(['b']);
  expect(plan.tally().run).toBe(2);
});

test('a run that never began cannot end', () => {
  const only = slot('a');
  expect(() => new Schedule([only], unbounded).finished(only, 0)).toThrow('a is not running');
});

test('a discarded run counts as missed because of suspension, and the totals stay correct', () => {
  const only = slot('a');
  const missed: Cause[] = [];
  const plan = new Schedule([only], { ...unbounded, onMissed: (cause) => void missed.push(cause) });
  expect(() => plan.discard(only)).toThrow('a is not running');
  plan.step(0);
  plan.discard(only);
  plan.finished(only, 0);
  expect(plan.tally()).toMatchObject({ expected: 1, run: 0, missed: 1, skipped: 0, waiting: 0 });
  expect(missed).toEqual(['suspended']);
});

const timing = fc
  .record({ period: fc.integer({ min: 1, max: 100 }), at: fc.nat(99), first: fc.nat(99) })
  .map(({ period, at, first }) => ({ period, offset: at % period, firstAt: first % period }));

const world = fc.record({
  slots: fc.array(fc.record({ timing, target: fc.constantFrom('x', 'y', 'z') }), { maxLength: 8 }),
  concurrency: fc.integer({ min: 1, max: 4 }),
  atOncePerTarget: fc.integer({ min: 1, max: 3 }),
  /** In each step some runs end, and then time passes. */
  steps: fc.array(
    fc.record({
      passes: fc.oneof(fc.nat(20), fc.nat(2_000)),
      ends: fc.array(fc.nat(7), { maxLength: 4 }),
    }),
    { maxLength: 60 },
  ),
  drainsAt: fc.nat(80),
});

test('every instant is accounted for, runs never overlap and no limit is exceeded', () => {
  fc.assert(
    fc.property(world, ({ slots: drawn, concurrency, atOncePerTarget, steps, drainsAt }) => {
      const slots = drawn.map((draw, index): Slot => ({ key: String(index), ...draw }));
      const message: Record<Cause, number> = { overlap: 0, suspended: 0, draining: 0 };
      const plan = new Schedule(slots, {
        concurrency,
        atOncePerTarget,
        onMissed(cause, count) {
          message[cause] += count;
        },
      });
      const running = new Map<Slot, number>();
      let now = 0;
      let begun = 0;
      for (const [index, { passes, ends }] of steps.entries()) {
        if (index === drainsAt) plan.drain();
        for (const end of ends) {
          const ended = [...running.keys()][end];
          if (ended === undefined) continue;
          running.delete(ended);
          plan.finished(ended, now);
        }
        now += passes;
        for (const start of plan.step(now)) {
          assert.ok(index < drainsAt);
          assert.ok(!running.has(start.slot));
          assert.ok(start.dueAt <= now);
          assert.equal(came(start.slot, start.dueAt), came(start.slot, start.dueAt - 1) + 1);
          running.set(start.slot, now);
          begun += 1;
        }
        const tally = plan.tally();
        const instants = slots.reduce((sum, each) => sum + came(each, now), 0);
        assert.equal(tally.expected, tally.run + tally.missed + tally.skipped);
        assert.equal(tally.expected + tally.waiting, instants);
        assert.equal(tally.run, begun);
        assert.deepEqual(tally.because, message);
        const placed = [...running.values()].filter((at) => now - at < placeMs);
        assert.ok(placed.length <= concurrency);
        for (const target of ['x', 'y', 'z'])
          assert.ok(
            [...running.keys()].filter((one) => one.target === target).length <= atOncePerTarget,
          );
        for (const each of slots)
          assert.ok((plan.nextAt() ?? now) <= each.timing.period * 1.5 + now);
      }
    }),
    { numRuns: 300 },
  );
});

test('no run is missed while the process is awake and places are free', () => {
  fc.assert(
    fc.property(fc.array(timing, { minLength: 1, maxLength: 6 }), (timings) => {
      const slots = timings.map((each, index) => slot(String(index), each));
      const plan = new Schedule(slots, unbounded);
      for (let at = plan.nextAt(); at !== undefined && at < 1_000; at = plan.nextAt())
        for (const start of plan.step(at)) {
          assert.equal(start.dueAt, at);
          plan.finished(start.slot, at);
        }
      const { missed, skipped, waiting } = plan.tally();
      assert.deepEqual({ missed, skipped, waiting }, { missed: 0, skipped: 0, waiting: 0 });
    }),
  );
});
