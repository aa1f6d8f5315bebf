import { places } from './places.ts';
import { priorityQueue } from './priority-queue.ts';

/**
 * When something runs: at `firstAt`, then at `offset + k · period`, from half a period later on. The grid is fixed:
 * a late run moves nothing. Milliseconds on a monotonic clock; an infinite period is that of what runs once.
 */
export interface Timing {
  readonly firstAt: number;
  readonly offset: number;
  readonly period: number;
}

/** Runs at that instant, and never again. */
export const onceAt = (firstAt: number): Timing => ({
  firstAt,
  offset: 0,
  period: Number.POSITIVE_INFINITY,
});

/** What is run: a probe on an endpoint of a target, say. */
export interface Slot {
  /** Unlike that of any other slot. */
  readonly key: string;
  readonly target: string;
  readonly timing: Timing;
}

/**
 * Why an instant passed without a run. `overlap`: the run before was still under way or waiting for its turn.
 * `suspended`: the process stood still until a later instant came, or during the run, which was discarded. `draining`:
 * the monitor was being stopped.
 */
export const causes = ['overlap', 'suspended', 'draining'] as const;
export type Cause = (typeof causes)[number];

/** The schedule's account of itself: `expected = run + missed + skipped`, at every moment. */
export interface Tally {
  /** Instants that have come and are decided. */
  readonly expected: number;
  readonly run: number;
  /** By overlap or suspension. */
  readonly missed: number;
  /** By draining. */
  readonly skipped: number;
  /** Instants that have come and wait for a free place: at most one a slot. */
  readonly waiting: number;
  readonly because: Readonly<Record<Cause, number>>;
}

/** A run that is to begin now, and when it was due. */
export type Start<S extends Slot> = { readonly slot: S; readonly dueAt: number };

/** Who runs when. It is stepped by a clock, and knows no timers. */
export interface Schedule<S extends Slot> {
  /** Accounts for every instant up to now. @returns the runs that begin now */
  step(now: number): Start<S>[];
  /** A run that was begun has ended; its place is free at the next step. */
  finished(slot: S): void;
  /** The run that is under way counts as none, by suspension. */
  discard(slot: S): void;
  /** From now on the slot has its instants. */
  add(slot: S): void;
  /** What is under way goes on; the slot has no further instants, and is not owed one that waits for its turn. */
  remove(slot: S): void;
  /** When the next instant comes, or a place is free for what waits. */
  nextAt(): number | undefined;
  /** From now on nothing begins. */
  drain(): void;
  tally(): Tally;
}

export interface ScheduleLimits {
  /** Runs at once that have just begun: a run that takes long gives its place back. */
  readonly concurrency: number;
  /** Runs at once against one target. */
  readonly atOncePerTarget: number;
  /** Called for each instant that passes without a run. */
  readonly onMissed?: (cause: Cause, count: number) => void;
}

/** A slot and what it is doing. */
interface Seat<S> {
  readonly slot: S;
  readonly lane: Lane<S>;
  running: boolean;
  /** The instant that waits for a free place. */
  waitingSince?: number;
  /** It has no further instants. */
  over: boolean;
}

/** The slots of one target that wait, in order. */
interface Lane<S> {
  slots: number;
  running: number;
  /** Its last run took long. */
  slow: boolean;
  readonly queue: Seat<S>[];
}

/** The first instant of the grid that is half a period or more after the first run, so that the two never crowd. */
export function gridStart({ firstAt, offset, period }: Timing): number {
  if (period === Number.POSITIVE_INFINITY) return period;
  return offset + period * Math.ceil((firstAt + period / 2 - offset) / period);
}

export function schedule<S extends Slot>(slots: readonly S[], bounds: ScheduleLimits): Schedule<S> {
  const because: Record<Cause, number> = { overlap: 0, suspended: 0, draining: 0 };
  const coming = priorityQueue<Seat<S>>();
  const lanes = new Map<string, Lane<S>>();
  const seats = new Map<S, Seat<S>>();
  /** Lanes with waiting runs, in the order of their turns. */
  const turns = new Set<Lane<S>>();
  const room = places<Seat<S>>(bounds.concurrency);
  let [came, run, waiting, draining] = [0, 0, 0, false];

  function add(slot: S): void {
    if (seats.has(slot)) throw new Error(`${slot.key} is in the schedule already`);
    const lane = lanes.get(slot.target) ?? { slots: 0, running: 0, slow: false, queue: [] };
    lanes.set(slot.target, lane);
    lane.slots += 1;
    const seat: Seat<S> = { slot, lane, running: false, over: false };
    seats.set(slot, seat);
    coming.add(slot.timing.firstAt, seat);
  }

  /** Nothing is kept of a slot that has no further instants. */
  function tidy({ slot, lane, over, running: busy, waitingSince }: Seat<S>): void {
    if (!over || busy || waitingSince !== undefined) return;
    seats.delete(slot);
    lane.slots -= 1;
    if (lane.slots === 0) lanes.delete(slot.target);
  }

  for (const slot of slots) add(slot);

  /** Of a run that is under way. */
  function seatOf(slot: S): Seat<S> {
    const seat = seats.get(slot);
    if (seat?.running !== true) throw new Error(`${slot.key} is not running`);
    return seat;
  }

  function pass(cause: Cause, count = 1): void {
    if (count === 0) return;
    because[cause] += count;
    bounds.onMissed?.(cause, count);
  }

  /** Decides about the instants of a slot from `at` until now, of which only the last can still be run. */
  function come(seat: Seat<S>, at: number, now: number): void {
    if (seat.over) return;
    const { timing } = seat.slot;
    const second = at === timing.firstAt ? gridStart(timing) : at + timing.period;
    const later = now < second ? 0 : 1 + Math.floor((now - second) / timing.period);
    if (timing.period === Number.POSITIVE_INFINITY) seat.over = true;
    else coming.add(second + later * timing.period, seat);
    came += 1 + later;
    if (draining) {
      pass('draining', 1 + later);
      tidy(seat);
      return;
    }
    pass('suspended', later);
    const last = later === 0 ? at : second + (later - 1) * timing.period;
    if (seat.running || seat.waitingSince !== undefined) pass('overlap');
    if (seat.running) return;
    if (seat.waitingSince === undefined) {
      seat.lane.queue.push(seat);
      turns.add(seat.lane);
      waiting += 1;
    }
    seat.waitingSince = last;
  }

  /**
   * Begins waiting runs, as far as there are places. A lane that had a turn goes to the end: no target starves
   * another.
   */
  function begin(now: number): Start<S>[] {
    const starts: Start<S>[] = [];
    for (const lane of turns) {
      if (room.isFull()) break;
      if (lane.running >= bounds.atOncePerTarget || !room.isFor(lane)) continue;
      turns.delete(lane);
      const seat = lane.queue.shift();
      if (lane.queue.length > 0) turns.add(lane);
      if (seat?.waitingSince === undefined) continue;
      starts.push({ slot: seat.slot, dueAt: seat.waitingSince });
      delete seat.waitingSince;
      seat.running = true;
      lane.running += 1;
      room.take(seat, now);
      run += 1;
      waiting -= 1;
    }
    return starts;
  }

  return {
    step(now) {
      for (let due = coming.take(now); due !== undefined; due = coming.take(now))
        come(due.item, due.at, now);
      room.free(now);
      return begin(now);
    },
    discard(slot) {
      seatOf(slot);
      run -= 1;
      pass('suspended');
    },
    finished(slot) {
      const seat = seatOf(slot);
      seat.running = false;
      seat.lane.running -= 1;
      tidy(seat);
    },
    add,
    remove(slot) {
      const seat = seats.get(slot);
      if (seat === undefined) return;
      seat.over = true;
      if (seat.waitingSince !== undefined) {
        seat.lane.queue.splice(seat.lane.queue.indexOf(seat), 1);
        if (seat.lane.queue.length === 0) turns.delete(seat.lane);
        delete seat.waitingSince;
        waiting -= 1;
        came -= 1;
      }
      tidy(seat);
    },
    nextAt() {
      const [next, free] = [coming.next(), waiting === 0 ? undefined : room.nextAt()];
      return free === undefined ? next : Math.min(next ?? free, free);
    },
    drain() {
      draining = true;
      pass('draining', waiting);
      waiting = 0;
      for (const { queue } of turns)
        for (const seat of queue.splice(0)) {
          delete seat.waitingSince;
          tidy(seat);
        }
      turns.clear();
    },
    tally() {
      const [missed, skipped] = [because.overlap + because.suspended, because.draining];
      return { expected: came - waiting, run, missed, skipped, waiting, because: { ...because } };
    },
  };
}
