import { Places } from './places.ts';
import { PriorityQueue } from './priority-queue.ts';
import type { Cause, Tally } from './tally.ts';
import { instantsUntil, type Timing } from './timing.ts';

/** The unit of scheduling: for example a probe on an endpoint of a target. */
export interface Slot {
  /** Unique among all slots. */
  readonly key: string;
  readonly target: string;
  readonly timing: Timing;
  /** It runs before the others of its target that wait. */
  readonly leads?: true;
}

/** A run that starts now. */
export interface Start<S extends Slot> {
  readonly slot: S;
  readonly dueAt: number;
  /** The instant when it was due and the previous run on its target had ended. */
  readonly readyAt: number;
}

export interface ScheduleLimits {
  /** The most runs that start at once: a longer run loses its place. */
  readonly concurrency: number;
  /** Runs at once against one target. */
  readonly atOncePerTarget: number;
  /** Called for instants that pass without a run. */
  readonly onMissed?: (cause: Cause, count: number) => void;
}

/** A slot and its current state. */
interface Seat<S> {
  readonly slot: S;
  readonly lane: Lane<S>;
  running: boolean;
  /** The instant that waits for a free place. */
  waitingSince: number | undefined;
  /** It has no further instants. */
  over: boolean;
}

/** The waiting slots of one target, in order. */
interface Lane<S> {
  slots: number;
  running: number;
  /** When its last run ended. */
  freeAt: number;
  /** Whether its last run took long. */
  slow: boolean;
  readonly queue: Seat<S>[];
}

const idle = { slots: 0, running: 0, freeAt: Number.NEGATIVE_INFINITY, slow: false };

/** Decides what runs when. A clock steps it; it has no timers. */
export class Schedule<S extends Slot> {
  readonly #limits: ScheduleLimits;
  readonly #places: Places<Seat<S>>;
  readonly #coming = new PriorityQueue<Seat<S>>();
  readonly #seats = new Map<S, Seat<S>>();
  readonly #lanes = new Map<string, Lane<S>>();
  /** Lanes with waiting runs, in the order of their turns. */
  readonly #turns = new Set<Lane<S>>();
  readonly #causes: Record<Cause, number> = { overlap: 0, suspended: 0, draining: 0 };
  #came = 0;
  #run = 0;
  #waiting = 0;
  #isDraining = false;

  constructor(slots: readonly S[], limits: ScheduleLimits) {
    this.#limits = limits;
    this.#places = new Places(limits.concurrency);
    for (const slot of slots) this.add(slot);
  }

  /** Accounts for every instant up to now. @returns the runs that start now */
  step(now: number): Start<S>[] {
    for (let due = this.#coming.take(now); due !== undefined; due = this.#coming.take(now))
      this.#decide(due.item, due.at, now);
    this.#places.free(now);
    return this.#begin(now);
  }

  /** A run has ended; its place is free at the next step. */
  finished(slot: S, now: number): void {
    const seat = this.#running(slot);
    seat.running = false;
    seat.lane.running -= 1;
    seat.lane.freeAt = now;
    this.#tidy(seat);
  }

  /** The current run does not count, because the process was suspended during it. */
  discard(slot: S): void {
    this.#running(slot);
    this.#run -= 1;
    this.#miss('suspended');
  }

  /** Adds a slot: from now on its instants are due. */
  add(slot: S): void {
    const { key, target, timing } = slot;
    if (this.#seats.has(slot)) throw new Error(`${key} is in the schedule already`);
    const lane = this.#lanes.get(target) ?? { ...idle, queue: [] };
    this.#lanes.set(target, lane);
    lane.slots += 1;
    const seat: Seat<S> = { slot, lane, running: false, waitingSince: undefined, over: false };
    this.#seats.set(slot, seat);
    this.#coming.add(timing.firstAt, seat);
  }

  /** Removes a slot. A current run continues, a waiting run is dropped, and there are no further instants. */
  remove(slot: S): void {
    const seat = this.#seats.get(slot);
    if (seat === undefined) return;
    seat.over = true;
    if (seat.waitingSince !== undefined) {
      const { queue } = seat.lane;
      queue.splice(queue.indexOf(seat), 1);
      if (queue.length === 0) this.#turns.delete(seat.lane);
      seat.waitingSince = undefined;
      this.#waiting -= 1;
      this.#came -= 1;
    }
    this.#tidy(seat);
  }

  /** When the next instant is due, or a place is free for a waiting one. */
  nextAt(): number | undefined {
    const next = this.#coming.next();
    const free = this.#waiting === 0 ? undefined : this.#places.nextAt();
    return free === undefined ? next : Math.min(next ?? free, free);
  }

  /** From now on no run starts. */
  drain(): void {
    this.#isDraining = true;
    this.#miss('draining', this.#waiting);
    this.#waiting = 0;
    for (const { queue } of this.#turns)
      for (const seat of queue.splice(0)) {
        seat.waitingSince = undefined;
        this.#tidy(seat);
      }
    this.#turns.clear();
  }

  tally(): Tally {
    const causes = { ...this.#causes };
    return {
      expected: this.#came - this.#waiting,
      run: this.#run,
      missed: causes.overlap + causes.suspended,
      skipped: causes.draining,
      waiting: this.#waiting,
      because: causes,
    };
  }

  /** Decides about the instants of a slot from `at` until now. Only the last of them can still be run. */
  #decide(seat: Seat<S>, at: number, now: number): void {
    if (seat.over) return;
    const { count, last, next } = instantsUntil(now, seat.slot.timing, at);
    if (next === undefined) seat.over = true;
    else this.#coming.add(next, seat);
    this.#came += count;
    if (this.#isDraining) {
      this.#miss('draining', count);
      this.#tidy(seat);
      return;
    }
    this.#miss('suspended', count - 1);
    if (seat.running || seat.waitingSince !== undefined) this.#miss('overlap');
    if (!seat.running) this.#queue(seat, last);
  }

  /** An instant of the slot waits for a free place, and replaces an earlier waiting one. */
  #queue(seat: Seat<S>, at: number): void {
    if (seat.waitingSince === undefined) {
      seat.lane.queue[seat.slot.leads === true ? 'unshift' : 'push'](seat);
      this.#turns.add(seat.lane);
      this.#waiting += 1;
    }
    seat.waitingSince = at;
  }

  /**
   * Starts waiting runs, as far as there are places. A lane that had a turn moves to the end, so that no target
   * blocks another.
   */
  #begin(now: number): Start<S>[] {
    const starts: Start<S>[] = [];
    for (const lane of this.#turns) {
      if (this.#places.isFull()) break;
      if (lane.running >= this.#limits.atOncePerTarget || !this.#places.isFor(lane)) continue;
      this.#turns.delete(lane);
      const seat = lane.queue.shift();
      if (lane.queue.length > 0) this.#turns.add(lane);
      if (seat?.waitingSince === undefined) continue;
      const { slot, waitingSince: dueAt } = seat;
      starts.push({ slot, dueAt, readyAt: Math.max(dueAt, lane.freeAt) });
      seat.waitingSince = undefined;
      seat.running = true;
      lane.running += 1;
      this.#places.take(seat, now);
      this.#run += 1;
      this.#waiting -= 1;
    }
    return starts;
  }

  #miss(cause: Cause, count = 1): void {
    if (count === 0) return;
    this.#causes[cause] += count;
    this.#limits.onMissed?.(cause, count);
  }

  /** The seat of a slot whose run is in progress. */
  #running(slot: S): Seat<S> {
    const seat = this.#seats.get(slot);
    if (seat?.running !== true) throw new Error(`${slot.key} is not running`);
    return seat;
  }

  /** Drops a slot that has no further instants. */
  #tidy({ slot, lane, over, running, waitingSince }: Seat<S>): void {
    if (!over || running || waitingSince !== undefined) return;
    this.#seats.delete(slot);
    lane.slots -= 1;
    if (lane.slots === 0) this.#lanes.delete(slot.target);
  }
}
