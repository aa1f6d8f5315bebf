import { type Clock, ClockMoved, nextWholeSecond, type SettableClock, seconds } from './clock.ts';

/**
 * Simulated time shared by many probes: each waits for its own instants, and whenever all are waiting the provider's
 * clock jumps to the nearest instant that any of them waits for. So a hundred probes walk through ten years once,
 * forward only, and each of them reads as if it had the clock to itself.
 */
export interface Timeline {
  readonly now: () => number;
  /** The instant at which the provider's clock stands; undefined while real time passes there. */
  readonly standing: () => number | undefined;
  /**
   * Runs all of them from one instant, which is a whole second, and waits for the end of all.
   * @throws ClockMoved when time did not stand where it was set, so that nothing that they found counts
   * @throws ClockError, and the signal's reason
   */
  run<Result>(probes: readonly ((clock: Clock) => Promise<Result>)[]): Promise<Result[]>;
  /** Lets the provider's real time go on. */
  release(): Promise<void>;
}

/** One sequence of instants: a probe, or one of several lives that it lives at once. */
interface Life {
  /** It has something to do at this instant, so time stands still. */
  active: boolean;
  ended: boolean;
  /** What it waits for: an instant, or the end of its own lives. */
  waits?: 'instant' | 'lives';
}

interface Waiter {
  readonly life: Life;
  readonly instant: number;
  readonly wake: () => void;
  readonly fail: (error: unknown) => void;
}

/** @param signal stops time where it stands: probes that wait for a later instant stop waiting */
export function timeline(provider: SettableClock, signal?: AbortSignal): Timeline {
  let now: number | undefined;
  let touched = false;
  let active = 0;
  let jumping = false;
  const waiting = new Set<Waiter>();

  const present = (): number => now ?? Date.now();

  function set(life: Life, to: boolean): void {
    if (life.active === to) return;
    life.active = to;
    active += to ? 1 : -1;
  }

  function rouse(waiters: Iterable<Waiter>): Waiter[] {
    const roused = [...waiters];
    for (const waiter of roused) {
      waiting.delete(waiter);
      set(waiter.life, true);
    }
    return roused;
  }

  /** Jumps when no probe has anything left to do at this instant. */
  async function settle(): Promise<void> {
    if (signal?.aborted === true) for (const { fail } of rouse(waiting)) fail(signal.reason);
    if (active > 0 || jumping || waiting.size === 0) return;
    const nearest = Math.min(...[...waiting].map(({ instant }) => instant));
    const due = rouse([...waiting].filter(({ instant }) => instant === nearest));
    jumping = true;
    try {
      await jump(nearest);
      now = nearest;
      for (const { wake } of due) wake();
    } catch (error) {
      for (const { fail } of [...due, ...rouse(waiting)]) fail(error);
    }
    jumping = false;
    void settle();
  }

  /** Counts it in before any of them runs, so that the first to wait does not move time for the rest. */
  function enter<Result>(probe: (clock: Clock) => Promise<Result>, onEnd = () => {}) {
    const life: Life = { active: false, ended: false };
    set(life, true);
    const run = async (): Promise<Result> => {
      try {
        return await probe(clockOf(life));
      } finally {
        life.ended = true;
        for (const waiter of waiting) if (waiter.life === life) waiting.delete(waiter);
        set(life, false);
        onEnd();
        void settle();
      }
    };
    return run;
  }

  function clockOf(life: Life): Clock {
    const refuseSecond = (): void => {
      if (life.ended) throw new Error('this probe has ended, and its clock with it');
      if (life.waits === undefined) return;
      throw new Error('a probe waits for one thing at a time: several lives are lived together()');
    };
    const clock: Clock = {
      now: present,
      pass: (ms) => clock.until(present() + ms),
      async until(instant) {
        refuseSecond();
        if (!Number.isFinite(instant)) throw new Error(`${instant} is no instant`);
        if (instant === present()) return;
        if (instant < present()) throw new Error(`${iso(instant)} has gone by`);
        life.waits = 'instant';
        const woken = new Promise<void>((wake, fail) => {
          waiting.add({ life, instant, wake, fail });
        });
        set(life, false);
        void settle();
        await woken.finally(() => delete life.waits);
      },
      async together(lives) {
        refuseSecond();
        if (lives.length === 0) return;
        life.waits = 'lives';
        let left = lives.length;
        // The last of them hands its place back to this one, so that time does not pass in between.
        const handBack = (): void => {
          left -= 1;
          if (left > 0) return;
          delete life.waits;
          if (!life.ended) set(life, true);
        };
        const begun = lives.map((one) => enter(one, handBack));
        set(life, false);
        await settled(begun.map((run) => run()));
      },
    };
    return clock;
  }

  /**
   * Stops the provider's clock a little ahead, so that a slow answer is no step back, and sees that it stands there.
   */
  async function begin(): Promise<number> {
    if (now !== undefined) return nextWholeSecond(now);
    const start = nextWholeSecond((await provider.read()) + seconds(10));
    touched = true;
    await provider.set(start - 1);
    await seeStanding(start - 1);
    return start;
  }

  /** A clock that is far away is asked where it stood while it is told to go on, so that this takes no time. */
  async function jump(to: number): Promise<void> {
    const standing = seeStanding(now, to);
    if (provider.movesProcess === true) await standing;
    await settled([standing, provider.set(to)]);
  }

  /**
   * Some clocks pass over dates they do not know, and another process that moves this one moves it under the probes.
   * @param next it may be on its way there
   */
  async function seeStanding(at = now, next = at): Promise<void> {
    if (at === undefined) return;
    const shown = await provider.read();
    if (shown !== at && shown !== next)
      throw new ClockMoved(
        `${provider.name}: set to ${iso(at)} it shows ${iso(shown)}, but it must stay where it is set`,
      );
  }

  signal?.addEventListener('abort', () => void settle());

  return {
    now: present,
    standing: () => now,
    async run(probes) {
      signal?.throwIfAborted();
      const start = await begin();
      await provider.set(start);
      now = start;
      const results = await settled(probes.map((probe) => enter(probe)).map((run) => run()));
      await seeStanding();
      return results;
    },
    async release() {
      if (touched) await provider.release();
      touched = false;
      now = undefined;
    },
  };
}

const iso = (instant: number): string => new Date(instant).toISOString();

/** Waits for the end of all of them, whatever comes of each; then the first failure counts. */
async function settled<Result>(all: readonly Promise<Result>[]): Promise<Result[]> {
  await Promise.allSettled(all);
  return Promise.all(all);
}
