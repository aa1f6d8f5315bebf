import { Secret } from '../../contract/secrets/secret.ts';
import { FleetMember } from '../../monitor/start/fleet-member.ts';
import type { WatchedTarget } from '../../monitor/target/watched-target.ts';
import { probes } from '../../probes/index.ts';
import { sandboxEndpoints } from '../../sandbox/provider.ts';
import { type SimulatedTime, simulatedTime } from '../monitor/simulated-time.ts';
import { type Journal, journal } from '../simulation/journal.ts';
import { network, type Weather } from '../simulation/network.ts';
import { type SimulatedProvider, simulatedProvider } from '../simulation/provider.ts';
import { type Random, random } from '../simulation/random.ts';
import { type Sight, toleranceMs, witness } from '../simulation/witness.ts';
import { type Machine, machine } from './machine.ts';
import { MemoryDatabase, MemoryServer } from './memory-database.ts';

/** A machine with a monitor, which can start and end. */
export interface SimulatedMember {
  readonly machine: Machine;
  /** Its connection to the database, while the monitor runs. */
  readonly database: MemoryDatabase | undefined;
  readonly running: FleetMember | undefined;
  start(): void;
  kill(): void;
  /** Ends the monitor as SIGTERM does. */
  drain(): void;
}

/** Some machines, one database and some providers, in simulated time. */
export interface SimulatedFleet {
  readonly time: SimulatedTime;
  readonly random: Random;
  readonly journal: Journal;
  readonly server: MemoryServer;
  readonly weather: Weather;
  readonly members: readonly [SimulatedMember, ...SimulatedMember[]];
  readonly providers: ReadonlyMap<string, SimulatedProvider>;
  /** What the monitors reported about canaries. */
  readonly sights: readonly Sight[];
  /** Clauses that the first provider violates because of a fault that is switched on. */
  readonly broken: Set<string>;
  /** When a request was last sent to each target, in true time. */
  readonly requestedAt: Map<string, number>;
  /** Advances true time, and checks all invariants. */
  pass(ms: number): Promise<void>;
  /** How many targets each member watches. */
  spread(): number[];
  /** The members that watch a target. */
  watchersOf(target: string): string[];
}

export interface FleetOptions {
  readonly seed: string;
  readonly members: number;
  readonly targets: number;
  /** The period of the quick probes. */
  readonly periodSeconds: number;
  /** How often the state is written, instead of every second: a simulation of days has many seconds. */
  readonly flushMs?: number;
  readonly replay?: string;
  /** Called when a monitor has started. @returns ends what was started for it, before it is drained */
  readonly beside?: (running: FleetMember, on: Machine, time: SimulatedTime) => () => Promise<void>;
}

const startAt = Date.UTC(2027, 2, 1);
const hour = 3_600_000;

export function simulatedFleet(options: FleetOptions): SimulatedFleet {
  const { seed, targets: count, periodSeconds, flushMs, replay = '' } = options;
  const { beside = () => async () => {} } = options;
  const draws = random(seed);
  const time = simulatedTime(startAt);
  const notes = journal(time.truth, replay);
  const truth = (): number => startAt + time.truth();
  const names = Array.from({ length: count }, (_, index) => `target-${index}`);
  const providers = new Map(
    names.map((name) => [name, simulatedProvider(name, truth, draws.between(-90_000, 90_000))]),
  );
  const server = new MemoryServer(truth);
  const weather: Weather = { lost: 0, slow: 0, odd: 0 };
  const requestedAt = new Map<string, number>();
  const broken = new Set<string>();
  const sights: Sight[] = [];

  /** Checks that a request comes from the holder in the database. */
  function checkHolder(target: string, who: string): void {
    requestedAt.set(target, time.truth());
    const holder = server.leases.get(target)?.holder;
    if (holder !== undefined && !holder.startsWith(`${who} `))
      notes.complain(`${target}: a request of ${who}, and ${holder} holds it`);
  }

  function memberOn(index: number): SimulatedMember {
    const name = `machine-${index}`;
    // Uptimes differ by days, so comparing readings of two machines would give obviously wrong results.
    const offsets = { monotonic: index * 50 * hour, wall: draws.between(-60_000, 60_000) };
    const own = machine(name, time, offsets);
    let lives = 0;
    let endBeside = async (): Promise<void> => {};
    const member: { -readonly [Key in keyof SimulatedMember]: SimulatedMember[Key] } = {
      machine: own,
      database: undefined,
      running: undefined,
      start() {
        lives += 1;
        const net = network({
          time: machineTime(time, own),
          providers,
          weather,
          dated: true,
          skewMs: 0,
          random: draws.fork(`${name} ${lives}`),
          onRequest: (target) => checkHolder(target, name),
        });
        const seer = witness({
          journal: notes,
          truth: time.truth,
          providers,
          dated: true,
          broken,
          world: { skewMs: 0, odd: 0 },
          excused: new Set(),
          underWay: net.underWay,
          inMaintenance: () => false,
        });
        const database = new MemoryDatabase(
          server,
          () => new Promise<void>((resolve) => void own.after(2, resolve)),
        );
        member.database = database;
        const metrics = seer.metrics();
        const { canaryChecked } = metrics;
        metrics.canaryChecked = (target, phase, verdict) => {
          canaryChecked(target, phase, verdict);
          sights.push(...seer.sights.slice(-1).filter(({ at }) => at === time.truth()));
        };
        member.running = new FleetMember({
          database,
          metrics,
          time: own,
          flushMs,
          exchange: net.exchange,
          log: seer.log,
          id: `${name} ${lives}`,
          targets: names.map((target) => targetOf(target, providers)),
          probes: seer.watched(probes),
          pace: { periodSeconds, seed: '' },
          concurrency: 64,
          version: 'simulated',
          onRefused: (error) => notes.complain(error.message),
        });
        void member.running.start(`${name}:9797`);
        endBeside = beside(member.running, own, time);
      },
      kill() {
        own.kill();
        void member.database?.close();
        [member.running, member.database] = [undefined, undefined];
      },
      drain() {
        const { running } = member;
        [member.running, member.database] = [undefined, undefined];
        void endBeside()
          .then(() => running?.drain(10_000))
          .then(() => own.kill());
      },
    };
    return member;
  }

  const [first, ...others] = Array.from({ length: options.members }, (_, index) => memberOn(index));
  if (first === undefined) throw new Error('a fleet has a member');
  const members = [first, ...others] as const;

  return {
    time,
    random: draws,
    journal: notes,
    server,
    weather,
    members,
    providers,
    sights,
    broken,
    requestedAt,
    async pass(ms) {
      const end = time.truth() + ms;
      while (time.truth() < end) {
        await time.pass(Math.min(end - time.truth(), 60_000));
        notes.settle();
      }
    },
    spread: () => members.map(({ running }) => running?.watch.brief().targets.length ?? 0),
    watchersOf: (target) =>
      members
        .filter(({ running }) => running?.watch.brief().targets.some(({ name }) => name === target))
        .map(({ machine: { name } }) => name),
  };
}

function targetOf(name: string, providers: SimulatedFleet['providers']): WatchedTarget {
  const { apiKey = '', secretKey = '' } = providers.get(name)?.account ?? {};
  const [endpoint] = sandboxEndpoints;
  if (endpoint === undefined) throw new Error('the sandbox serves no endpoint');
  return {
    name,
    connection: { origin: new URL(`http://${name}`), timeoutMs: 10_000, maxBodyBytes: 1_000_000 },
    account: { apiKey: new Secret(apiKey), secretKey: new Secret(secretKey) },
    endpoints: [endpoint],
    toleranceMs,
  };
}

/** Lets this machine's time decide about events on its network. */
const machineTime = (time: SimulatedTime, own: Machine): SimulatedTime => ({
  ...time,
  after: own.after,
  monotonic: own.monotonic,
});
