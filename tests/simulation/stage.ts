import { rmSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { Secret } from '../../contract/secrets/secret.ts';
import type { WatchedTarget, Window } from '../../monitor/round/watched-target.ts';
import { sandboxEndpoints } from '../../sandbox/provider.ts';
import { type SimulatedTime, simulatedTime } from '../monitor/simulated-time.ts';
import { checkBounds } from './invariants.ts';
import { type Journal, journal } from './journal.ts';
import { type SimulatedMonitor, simulatedMonitor } from './monitor.ts';
import { network, type Weather } from './network.ts';
import { type SimulatedProvider, simulatedProvider } from './provider.ts';
import { type Random, random } from './random.ts';
import { type Sight, toleranceMs, witness } from './witness.ts';

/** What happens to a provider for a month. */
export interface World {
  /** How far the clock of every other of its servers is ahead (milliseconds). */
  readonly skewMs: number;
  /** The share of requests that a proxy answers in its place. */
  readonly odd: number;
}

/** Nothing happens. */
export const calm: World = { skewMs: 0, odd: 0 };

/** How often the quick probes run. */
const periodSeconds = 3600;

/** What happens for some hours or days. */
export type Chapter = (stage: Stage) => Promise<void>;

/** All participants, and what a chapter can do with them. */
export interface Stage {
  readonly random: Random;
  readonly time: SimulatedTime;
  readonly journal: Journal;
  readonly monitor: SimulatedMonitor;
  readonly weather: Weather;
  /** The target that chapters act on. */
  readonly provider: SimulatedProvider;
  readonly sights: readonly Sight[];
  readonly dated: boolean;
  /** What happens to the provider throughout the month, and is not a violation. */
  readonly world: World;
  /** Tokens that were lost during maintenance. */
  readonly excused: Set<string>;
  /** Clauses that the provider violates because of a fault that is switched on. */
  readonly broken: Set<string>;
  /** Advances true time, and checks all invariants. */
  pass(ms: number): Promise<void>;
  /** Advances time until the condition holds. @returns whether it held in time */
  until(mostMs: number, is: () => boolean): Promise<boolean>;
  /** Does something during a later request; 1 is the next one. */
  atRequest(count: number, act: () => void): void;
  start(): void;
  /** From now on these targets are watched. */
  watchOnly(names: readonly string[], label?: string): void;
  /** Corrects the wall clock. */
  setRight(): void;
  /** Sets maintenance for all targets that are started from now on. @param window in true time since the beginning */
  maintain(window: Window): void;
  end(): void;
}

const startAt = Date.UTC(2027, 2, 1);
const hosts = ['alpha', 'beta'] as const;
const order: readonly string[] = hosts;

/** @param replay how to repeat this simulation */
export async function stage(seed: string, replay: string, world = calm): Promise<Stage> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'simulation-'));
  const draws = random(seed);
  const time = simulatedTime(startAt);
  const notes = journal(time.truth, replay);
  const truth = (): number => startAt + time.truth();
  // If two servers' clocks differ, only a `Date` shows it.
  const dated = draws.chance(0.5) || world.skewMs > 0;
  const windows: Window[] = [];
  const providers = new Map(
    hosts.map((name) => {
      const provider = simulatedProvider(name, truth, draws.between(-90_000, 90_000));
      return [name as string, provider];
    }),
  );
  const weather: Weather = { lost: 0, slow: 0, odd: world.odd };
  let awaited: { left: number; act: () => void } | undefined;
  let due: (() => void) | undefined;
  const excused = new Set<string>();
  const broken = new Set<string>();

  const net = network({
    time,
    providers,
    weather,
    dated,
    random: draws.fork('network'),
    skewMs: world.skewMs,
    onRequest() {
      if (awaited === undefined) return;
      awaited.left -= 1;
      if (awaited.left > 0) return;
      due = awaited.act;
      awaited = undefined;
      time.interrupt();
    },
  });
  const seer = witness({
    journal: notes,
    truth: time.truth,
    providers,
    excused,
    broken,
    inMaintenance: () =>
      windows.some(({ from, until }) => from <= time.wall() && time.wall() < until),
  });

  let names: readonly string[] = ['alpha', 'beta'];
  let label = '';

  function createTarget(name: string, index: number): WatchedTarget {
    const { apiKey, secretKey } = providers.get(name)?.account ?? { apiKey: '', secretKey: '' };
    const [first, ...others] = sandboxEndpoints;
    if (first === undefined) throw new Error('the sandbox serves no endpoint');
    return {
      name,
      connection: { origin: new URL(`http://${name}`), timeoutMs: 10_000, maxBodyBytes: 1_000_000 },
      account: { apiKey: new Secret(apiKey), secretKey: new Secret(secretKey) },
      endpoints: [first, ...others],
      periodSeconds: index === 0 ? periodSeconds : 4 * periodSeconds,
      toleranceMs,
      maintenance: [...windows],
      labels: { label },
    };
  }

  const targets = (): WatchedTarget[] =>
    names.map((name) => createTarget(name, order.indexOf(name)));

  function check(): void {
    const view = monitor.view();
    if (view !== undefined) {
      const maintained = windows.length > 0;
      checkBounds(view, providers, { sleepers: time.sleepers(), maintained }, notes);
    }
    notes.settle();
  }

  const monitor = simulatedMonitor({
    file: path.join(folder, 'state.sqlite'),
    periodSeconds,
    time,
    journal: notes,
    exchange: net.exchange,
    witness: seer,
  });

  async function pass(ms: number): Promise<void> {
    const end = time.truth() + ms;
    while (time.truth() < end) {
      await time.pass(Math.min(end - time.truth(), 3_600_000));
      const act = due;
      due = undefined;
      act?.();
      check();
    }
  }

  return {
    random: draws,
    time,
    journal: notes,
    monitor,
    weather,
    dated,
    excused,
    broken,
    pass,
    world,
    provider: providers.get(hosts[0]) ?? simulatedProvider('', truth, 0),
    sights: seer.sights,
    async until(mostMs, is) {
      const end = time.truth() + mostMs;
      while (!is() && time.truth() < end) await pass(Math.min(900_000, end - time.truth()));
      return is();
    },
    atRequest(count, act) {
      awaited = { left: count, act };
    },
    start: () => monitor.start(targets()),
    watchOnly(wanted, other = label) {
      names = wanted;
      label = other;
      monitor.retarget(targets());
    },
    setRight: () => time.step(truth() - time.wall()),
    maintain({ from, until }) {
      windows.push({ from: startAt + from, until: startAt + until });
      monitor.retarget(targets());
    },
    end() {
      monitor.kill();
      rmSync(folder, { recursive: true });
    },
  };
}
