import { isIntrusive } from '../../contract/probe.ts';
import { type CanaryContext, CanaryMonitor } from '../canary/canary-monitor.ts';
import { canaryPlaces } from '../canary/probes.ts';
import { ContractStatus } from '../target/contract-status.ts';
import type { KnownTarget } from '../target/known-target.ts';
import { keyOf, type Pace, type ProbeSlot, placeOf, resumed, slotsOf } from '../target/plan.ts';
import type { Run } from '../target/run.ts';
import {
  maintenanceAt,
  usualObjectiveRatio,
  usualSlowSeconds,
  type WatchedTarget,
} from '../target/watched-target.ts';
import type { MonitorContext, MonitorSlot } from './monitor-context.ts';
import { begun, forgetOtherRuns, type PersistedTarget, recall } from './persisted-target.ts';
import { type Failing, failingBy, Repetitions } from './repetitions.ts';
import { RunRecorder } from './run-recorder.ts';
import { type Brief, statusOf, type TargetStatus } from './status.ts';
import { TargetClients } from './target-clients.ts';

/**
 * One watched target. The results of a run go only in one direction: to the contract's status, history, metrics,
 * state and log.
 */
export class Watched {
  readonly target: WatchedTarget;
  /** Includes repeated slots and due canaries. */
  readonly slots: readonly MonitorSlot[];
  readonly #context: MonitorContext;
  readonly #probeSlots: readonly ProbeSlot[];
  readonly #memory: PersistedTarget;
  readonly #standing: ContractStatus;
  readonly #clients: TargetClients;
  readonly #canaries: CanaryMonitor;
  readonly #repetitions: Repetitions;
  readonly #recorder: RunRecorder;
  /** Set when another watcher replaces this one: that one has its own plans and canaries. */
  #isRetired = false;

  constructor(target: WatchedTarget, pace: Pace, context: MonitorContext) {
    const { probes, state, time } = context;
    this.#context = context;
    this.target = target;
    this.#probeSlots = slotsOf(target, probes, pace);
    const places = [...this.#probeSlots, ...canaryPlaces(target)];
    const startedAt = time.wall();
    this.#memory = recall(target, places, state);
    forgetOtherRuns(target, places, state);
    this.#standing = new ContractStatus(places, probes, startedAt, this.#memory);
    const guarded = this.#unlessRetired(context);
    this.#clients = new TargetClients(target, {
      ...guarded,
      heldByCanaries: () => this.#canaries.held(),
      recheckMs: pace.periodSeconds * 1000,
    });
    this.#canaries = new CanaryMonitor(target, {
      ...guarded,
      ...this.#clients,
      standing: this.#standing,
      metrics: this.#canaryMetrics(),
    });
    this.#repetitions = new Repetitions(this.#failingSlots(), guarded);
    const names = [...new Set(places.map(({ probe }) => probe.name))];
    this.#announce(names);
    this.#recorder = new RunRecorder(target, names, {
      ...context,
      standing: this.#standing,
      memory: this.#memory,
    });
    this.slots = this.#allSlots(pace, startedAt);
  }

  /** Runs a slot. It never throws. */
  async run(slot: MonitorSlot): Promise<void> {
    const { state, time } = this.#context;
    const startedAt = time.wall();
    const note = (): void => {
      if (isRecurrent(slot) && !this.#isRetired)
        state.put(slot.target, 'slot', slot.key, startedAt);
    };
    // Wrong credentials may lock the account, so a process that is killed again and again sends them once a period.
    if ('probe' in slot && isIntrusive(slot.probe)) note();
    if ('probe' in slot) await this.#probeOnce(slot);
    else for (const one of await this.#canaries.run(slot)) this.#take(one);
    // Any other run that did not end is due again at once: the next regular one may be hours away.
    note();
  }

  status(): TargetStatus {
    const { state, time } = this.#context;
    const data = {
      target: this.target,
      slots: this.#probeSlots,
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

  #allSlots(pace: Pace, startedAt: number): MonitorSlot[] {
    const late = <Slot extends MonitorSlot>(slot: Slot): Slot => this.#late(slot, pace, startedAt);
    const known = new Set(this.#memory.runs.map(placeOf));
    // If the result of the last run is not known, the slot is due soon, unless it may lock the account.
    const isSoon = (slot: ProbeSlot): boolean =>
      !isIntrusive(slot.probe) && !known.has(keyOf(slot));
    return [
      ...this.#probeSlots.map((slot) => (isSoon(slot) ? slot : late(slot))),
      ...this.#repetitions.slots(),
      ...this.#canaries.slots(pace).map((slot) => late(slot)),
    ];
  }

  #unlessRetired({ state, plan, ...rest }: MonitorContext): MonitorContext {
    return {
      ...rest,
      plan: this.#guard(plan),
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

  /** The slots whose last run before the restart must be repeated. Wrong credentials are not sent again early. */
  #failingSlots(): Failing[] {
    const runs = new Map(this.#memory.runs.map((run) => [placeOf(run), run]));
    return this.#probeSlots.flatMap((slot): Failing[] => {
      const run = runs.get(keyOf(slot));
      const failing = run && failingBy(slot, run);
      return failing && (failing.isUnjudged || !isIntrusive(slot.probe)) ? [failing] : [];
    });
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

  async #probeOnce(slot: ProbeSlot): Promise<void> {
    const { probe, endpoint } = slot;
    this.#repetitions.begin(slot);
    const disturbed = this.#standing.disturbed(probe, endpoint);
    const stoodStill = this.#context.vigil.begin();
    const one = await this.#clients.run(probe, endpoint, { disturbed });
    const { outcome } = one.result;
    if (stoodStill() && outcome === 'unreachable') {
      if (!this.#isRetired) this.#context.discard(slot);
      return this.#repetitions.discard(slot);
    }
    this.#take(one);
    this.#repetitions.take(slot, one);
  }

  #take(run: Run): void {
    if (!this.#isRetired) this.#recorder.take(run);
  }

  #maintenance(): ReturnType<typeof maintenanceAt> {
    return maintenanceAt(this.target, this.#context.time.wall());
  }

  /** After a restart of the monitor, a slot that ran before is due a period after its last run. */
  #late<Slot extends MonitorSlot>(slot: Slot, pace: Pace, startedAt: number): Slot {
    const last = this.#memory.lastRun(slot.key);
    if (last === undefined) return slot;
    return { ...slot, timing: resumed(slot.timing, pace.now, startedAt - last) };
  }
}

const isRecurrent = ({ timing }: MonitorSlot): boolean => timing.period !== Infinity;
