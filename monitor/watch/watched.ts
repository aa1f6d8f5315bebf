import { usualObjectiveRatio, usualSlowSeconds } from '../../config/defaults.ts';
import { isIntrusive } from '../../contract/probe.ts';
import type { DueCanary } from '../canary/canary.ts';
import { type CanaryContext, CanaryMonitor } from '../canary/canary-monitor.ts';
import { canaryPlaces } from '../canary/probes.ts';
import { Loop } from '../loop/loop.ts';
import { runRound } from '../round/round.ts';
import { ContractStatus } from '../target/contract-status.ts';
import type { KnownTarget } from '../target/known-target.ts';
import { type Place, partOf, placesOf } from '../target/plan.ts';
import type { Run } from '../target/run.ts';
import { maintenanceAt, type WatchedTarget } from '../target/watched-target.ts';
import { Agenda } from './agenda.ts';
import type { MonitorContext } from './monitor-context.ts';
import { begun, forgetOtherRuns, type PersistedTarget, recall } from './persisted-target.ts';
import { RunRecorder } from './run-recorder.ts';
import { type Brief, statusOf, type TargetStatus } from './status.ts';
import { clientsOf, type TargetClients } from './target-clients.ts';

/** How often a target has a tick: as often as its most frequent probe, and at least every minute. */
const tickSecondsOf = (places: readonly Place[]): number =>
  Math.min(60, ...places.map(({ everySeconds }) => everySeconds));

export interface Pace {
  /** How often the quick probes run. */
  readonly periodSeconds: number;
  /** A different seed gives different offsets, so that several monitors do not send requests at the same instants. */
  readonly seed: string;
  /** The time by which the first rounds of all targets are spread, as far as that is no longer than a tick. */
  readonly openingMs: number;
}

/**
 * One watched target, and its loop. The results of a run go only in one direction: to the contract's status, history,
 * metrics, state and log.
 */
export class Watched {
  readonly target: WatchedTarget;
  readonly #context: MonitorContext;
  readonly #places: readonly Place[];
  readonly #memory: PersistedTarget;
  readonly #standing: ContractStatus;
  readonly #clients: TargetClients;
  readonly #canaries: CanaryMonitor;
  readonly #recorder: RunRecorder;
  readonly #loop: Loop;
  readonly #agenda: Agenda;
  #haveWorked = false;
  /** Set when another watcher replaces this one: that one has its own plans and canaries. */
  #isRetired = false;

  constructor(target: WatchedTarget, pace: Pace, context: MonitorContext) {
    const { probes, state, time, metrics } = context;
    this.#context = context;
    this.target = target;
    this.#places = placesOf(target, probes, pace.periodSeconds);
    const tickSeconds = tickSecondsOf(this.#places);
    const places = [...this.#places, ...canaryPlaces(target)];
    const startedAt = time.wall();
    this.#memory = recall(target, places, state);
    forgetOtherRuns(target, places, state);
    this.#standing = new ContractStatus(places, probes, startedAt, this.#memory);
    this.#loop = new Loop({
      periodMs: tickSeconds * 1000,
      offsetMs:
        partOf(`${pace.seed} ${target.name}`) * Math.min(pace.openingMs, tickSeconds * 1000),
      time,
      run: (tick) => this.#round(tick),
      onMissed: (ticks) => metrics.missed(ticks),
    });
    const guarded = this.#unlessRetired(context);
    this.#clients = clientsOf(target, guarded, () => this.#canaries.held());
    this.#canaries = new CanaryMonitor(target, {
      ...guarded,
      ...this.#clients,
      plan: (due) => this.#loop.at(due.at, () => this.#runCanary(due)),
      standing: this.#standing,
      metrics: this.#canaryMetrics(),
    });
    const names = [...new Set(places.map(({ probe }) => probe.name))];
    this.#announce(names);
    this.#recorder = new RunRecorder(target, names, {
      ...context,
      standing: this.#standing,
      memory: this.#memory,
    });
    this.#agenda = new Agenda({
      name: target.name,
      places: this.#places,
      tickSeconds,
      runs: this.#memory.runs,
      sinceLast: (key) => this.#sinceLast(key),
    });
  }

  start(): void {
    this.#canaries.begin();
    this.#loop.start();
  }

  /** Starts nothing any more. @returns when what runs has ended */
  stop(): Promise<void> {
    return this.#loop.stop();
  }

  status(): TargetStatus {
    const { state, time } = this.#context;
    const data = {
      target: this.target,
      places: this.#places,
      standing: this.#standing,
      state,
      histories: this.#recorder.histories,
      token: this.#canaries.status(),
    };
    return statusOf(data, time.wall());
  }

  brief(): Brief['targets'][number] {
    const { name, labels } = this.target;
    return { name, labels, state: this.#standing.state().is, maintenance: this.#maintenance() };
  }

  known(): KnownTarget {
    const { name, labels } = this.target;
    return {
      name,
      labels,
      verdicts: this.#standing.verdicts(),
      outage: this.#standing.outage(),
      inMaintenance: this.#maintenance() !== undefined,
    };
  }

  /** Stores the age of its canaries, and discards the result of a run in progress. */
  retire(): void {
    this.#canaries.touch();
    this.#isRetired = true;
  }

  #unlessRetired({ state, ...rest }: MonitorContext): MonitorContext {
    return {
      ...rest,
      state: { ...state, put: this.#guard(state.put), remove: this.#guard(state.remove) },
    };
  }

  #canaryMetrics(): CanaryContext['metrics'] {
    const { metrics } = this.#context;
    return {
      canaryChecked: this.#guard(metrics.canaryChecked.bind(metrics)),
      canaries: this.#guard(metrics.canaries.bind(metrics)),
      lifetime: this.#guard(metrics.lifetime.bind(metrics)),
    };
  }

  /** The same function until this watcher is retired; from then on it does nothing. */
  #guard<Values extends unknown[]>(report: (...values: Values) => void) {
    return (...values: Values): void => {
      if (!this.#isRetired) report(...values);
    };
  }

  /** Exports the metrics and the state of the target before its first run. */
  #announce(names: readonly string[]): void {
    const { metrics, state } = this.#context;
    const { name, connection, objectiveRatio, slowSeconds } = this.target;
    metrics.expect(name, names, {
      timeoutSeconds: connection.timeoutMs / 1000,
      objectiveRatio: objectiveRatio ?? usualObjectiveRatio,
      slowSeconds: slowSeconds ?? usualSlowSeconds,
    });
    metrics.verdicts(name, this.#standing.verdicts());
    begun(state, name, this.#standing);
  }

  /** Runs what is due at a tick, or what runs again. @returns when to run again before the next tick */
  async #round(tick?: number): Promise<number | undefined> {
    const due = this.#agenda.due(tick);
    // Wrong credentials may lock the account, so a process that is killed again and again sends them once a period.
    for (const place of due) if (isIntrusive(place.probe)) this.#note(place.key);
    const { vigil } = this.#context;
    let stoodStill = vigil.begin();
    const { haveWorked } = await runRound(this.target, due, {
      open: this.#clients.openClient,
      time: this.#context.time,
      haveWorked: this.#haveWorked,
      isStopped: () => this.#loop.isStopped,
      disturbed: ({ probe, endpoint }) => this.#standing.disturbed(probe, endpoint),
      onRun: (run, place) => {
        const isDoubtful = stoodStill() && run.result.outcome === 'unreachable';
        stoodStill = vigil.begin();
        if (isDoubtful) this.#agenda.discard(place);
        else this.#runEnded(run, place);
      },
    });
    stoodStill();
    this.#haveWorked = haveWorked;
    return this.#agenda.againMs();
  }

  #runEnded(run: Run, place: Place): void {
    if (!isIntrusive(place.probe)) this.#note(place.key);
    this.#take(run);
    this.#agenda.take(place, run);
  }

  async #runCanary(due: DueCanary): Promise<void> {
    for (const run of await this.#canaries.run(due)) this.#take(run);
  }

  /** Stores when something ran. What did not end is due again at once: the next time may be hours away. */
  #note(key: string): void {
    const { state, time } = this.#context;
    if (!this.#isRetired) state.put(this.target.name, 'slot', key, time.wall());
  }

  /** How long ago something ran before this start, if that is known (milliseconds). */
  #sinceLast(key: string): number | undefined {
    const last = this.#memory.lastRun(key);
    return last === undefined ? undefined : this.#context.time.wall() - last;
  }

  #take(run: Run): void {
    if (!this.#isRetired) this.#recorder.take(run);
  }

  #maintenance(): ReturnType<typeof maintenanceAt> {
    return maintenanceAt(this.target, this.#context.time.wall());
  }
}
