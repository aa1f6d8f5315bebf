import fc from 'fast-check';
import { type Exchange, type Reading, readClocks } from '../../monitor/canary/age.ts';

/** Written as a literal, because judge and sandbox share no code. */
export const dayMs = 86_400_000;

/** What can happen to the monitor's machine. The provider's time continues during all of it. */
export type Mishap =
  /** The machine sleeps: its monotonic clock stands still. */
  | { readonly is: 'sleep'; readonly ms: number }
  /** The machine is stopped from outside. Afterwards at most the wall clock is corrected. */
  | { readonly is: 'stop'; readonly ms: number; readonly wallGoesOn: boolean }
  /** A user sets the wall clock. */
  | { readonly is: 'step'; readonly ms: number };

/** The durations of a request, of the provider's work on it, and of the answer (milliseconds). */
export interface Journey {
  readonly out: number;
  readonly outMishap: Mishap | undefined;
  /** The work before and after the token is issued or judged. The machine is never stopped in between. */
  readonly work: readonly [number, number];
  readonly back: number;
  readonly backMishap: Mishap | undefined;
  /** When its `Date` is taken, since servers differ in that, and how old it is then. */
  readonly stamped: 'first' | 'last';
  readonly lag: number;
  /** Whether the latest `Date` is known before the request is sent. */
  readonly knows: boolean;
}

export interface Conditions {
  /** How fast the machine's clocks run. */
  readonly rate: number;
  /** Whether answers have a `Date`. */
  readonly dated: boolean;
  readonly counts: 'milliseconds' | 'whole seconds';
  /** How far the provider's clock is ahead of true time. */
  readonly offset: number;
  readonly lifetime?: number;
}

/** A token at its provider. */
interface Grain {
  readonly madeAt: number;
  readonly endsAt: number;
}

export interface World {
  /** True time. */
  now(): number;
  pass(ms: number): void;
  befall(mishap: Mishap | undefined): void;
  reboot(ms: number): void;
  reading(): Reading;
  make(journey: Journey): Exchange & { readonly grain: Grain };
  /** @returns also the token's age when it was judged */
  show(grain: Grain, way: Journey): Exchange & { readonly admitted: boolean; readonly age: number };
}

const epoch = Date.UTC(2027, 2, 1, 12, 0, 0, 250);

export function world({ rate, dated, counts, offset, lifetime = dayMs }: Conditions): World {
  let now = epoch;
  let monotonic = 5_000_000;
  let uptime = 5_000_000;
  let wall = epoch;
  let boots = 1;

  const time = {
    monotonic: () => monotonic,
    uptime: () => Math.floor(uptime / 10) * 10,
    wall: () => Math.floor(wall),
    get boot() {
      return `boot ${boots}`;
    },
    after: () => () => {},
  };

  function pass(ms: number): void {
    now += ms;
    monotonic += ms * rate;
    uptime += ms * rate;
    wall += ms * rate;
  }

  function befall(mishap: Mishap | undefined): void {
    if (mishap === undefined) return;
    if (mishap.is === 'step') {
      wall += mishap.ms;
      return;
    }
    now += mishap.ms;
    if (mishap.is === 'sleep') uptime += mishap.ms * rate;
    if (mishap.is === 'sleep' || mishap.wallGoesOn) wall += mishap.ms * rate;
  }

  function travel(ms: number, mishap: Mishap | undefined): void {
    pass(ms / 2);
    befall(mishap);
    pass(ms / 2);
  }

  const stamp = (lag: number): number => Math.floor((now + offset - lag) / 1000) * 1000;
  let date = stamp(0);

  function exchange<Result>(way: Journey, judge: () => Result): Exchange & { result: Result } {
    const s = readClocks(time, way.knows && dated ? date : undefined);
    travel(way.out, way.outMishap);
    const first = stamp(way.lag);
    pass(way.work[0]);
    const result = judge();
    pass(way.work[1]);
    date = way.stamped === 'first' ? first : stamp(way.lag);
    travel(way.back, way.backMishap);
    return { s, r: readClocks(time, dated ? date : undefined), result };
  }

  function grain(): Grain {
    if (counts === 'milliseconds') return { madeAt: now, endsAt: now + lifetime };
    return { madeAt: now, endsAt: Math.floor((now + offset) / 1000) * 1000 + lifetime - offset };
  }

  return {
    now: () => now,
    pass,
    befall,
    reboot(ms) {
      now += ms;
      wall += ms;
      boots += 1;
      [monotonic, uptime] = [20, 20];
    },
    reading: () => readClocks(time),
    make(way) {
      const { s, r, result } = exchange(way, grain);
      return { s, r, grain: result };
    },
    show({ madeAt, endsAt }, way) {
      const judge = () => ({ admitted: now < endsAt, age: now - madeAt });
      const { s, r, result } = exchange(way, judge);
      return { s, r, ...result };
    },
  };
}

const hour = 3_600_000;

/** A duration: short, long, or about a day. */
const stretch = fc.oneof(
  fc.nat(60_000),
  fc.nat(12 * hour),
  fc.integer({ min: dayMs - 20_000, max: dayMs + 20_000 }),
);

const step = fc.record({
  is: fc.constant('step' as const),
  ms: fc.oneof(
    fc.integer({ min: -20_000, max: 20_000 }),
    fc.integer({ min: -30 * dayMs, max: 30 * dayMs }),
  ),
});

/** @param stops whether the machine may be stopped from outside */
export const mishaps = (stops: boolean): fc.Arbitrary<Mishap> =>
  fc.oneof(
    fc.record({ is: fc.constant('sleep' as const), ms: stretch }),
    step,
    ...(stops
      ? [fc.record({ is: fc.constant('stop' as const), ms: stretch, wallGoesOn: fc.boolean() })]
      : []),
  );

const way = fc.oneof({ weight: 3, arbitrary: fc.nat(200) }, fc.nat(30_000));

/** @param mishap what may happen on the way */
export const journeys = (mishap: fc.Arbitrary<Mishap>): fc.Arbitrary<Journey> => {
  const rarely = fc.oneof(
    { weight: 4, arbitrary: fc.constant(undefined) },
    { weight: 1, arbitrary: mishap },
  );
  return fc.record({
    out: way,
    outMishap: rarely,
    work: fc.tuple(fc.nat(200), fc.nat(200)),
    back: way,
    backMishap: rarely,
    stamped: fc.constantFrom('first' as const, 'last' as const),
    lag: fc.nat(500),
    knows: fc.boolean(),
  });
};

/** An exchange without delays. */
export const withoutDelay: Journey = {
  out: 0,
  outMishap: undefined,
  work: [0, 0],
  back: 0,
  backMishap: undefined,
  stamped: 'last',
  lag: 0,
  knows: false,
};
