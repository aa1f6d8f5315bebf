import type { Service } from '../../contract/http/client.ts';
import type { exchange } from '../../contract/http/transport.ts';
import type { Probe } from '../../contract/probe.ts';
import { CanaryMonitor } from '../canary/canary-monitor.ts';
import { FirstSights } from '../canary/first-sights.ts';
import { canaryPlaces } from '../canary/probes.ts';
import type { Metrics } from '../metrics/metrics.ts';
import { elapsedBy } from '../schedule/elapsed.ts';
import type { Vigil } from '../schedule/suspend-detector.ts';
import type { Time } from '../schedule/time.ts';
import type { StateStore } from '../state/state.ts';
import { ContractStatus } from '../target/contract-status.ts';
import { usualObjectiveRatio, usualSlowSeconds } from '../target/detail.ts';
import {
  type CanarySlot,
  keyOf,
  type Pace,
  type ProbeSlot,
  placeOf,
  type RunPlace,
  resumed,
  slotsOf,
} from '../target/plan.ts';
import { type Run, runnerFor } from '../target/run.ts';
import { TokenClient } from '../target/token-client.ts';
import { openTracedClient, type TracedClient } from '../target/traced-client.ts';
import type { WatchedTarget } from '../target/watched-target.ts';
import { EarlierTokens } from './earlier-tokens.ts';
import type { Log } from './log.ts';
import { begun, ranAt, recall } from './persisted-target.ts';
import { Repetitions } from './repetitions.ts';
import { RunRecorder } from './run-recorder.ts';
import {
  type Brief,
  type KnownTarget,
  maintenanceAt,
  statusOf,
  type TargetStatus,
} from './status.ts';

export type MonitorSlot = ProbeSlot | CanarySlot;

/** Shared by all targets. */
export interface MonitorContext {
  /** All probes: the monitor picks those that it can run. */
  readonly probes: readonly Probe[];
  readonly metrics: Metrics;
  readonly log: Log;
  readonly state: StateStore;
  readonly time: Time;
  /** A network instead of the real one. */
  readonly exchange?: typeof exchange;
  /** Called when there is more to run. */
  readonly plan: (slot: MonitorSlot) => void;
  /** The current run proves nothing, because this process was suspended during it. */
  readonly discard: (slot: MonitorSlot) => void;
  readonly vigil: Vigil;
  /** Called before each request; if it throws, the request is not sent. */
  readonly beforeRequest?: (target: string) => void;
}

/** One watched target. */
export interface Watched {
  readonly target: WatchedTarget;
  /** The repeated slots, and the due canaries. */
  readonly slots: readonly MonitorSlot[];
  /** Runs a slot. It never throws. */
  run(slot: MonitorSlot): Promise<void>;
  status(): TargetStatus;
  /** The short form. */
  brief(): Brief['targets'][number];
  known(): KnownTarget;
  /** Stores the current age of its young canaries. */
  touch(): void;
  /** The result of a run in progress is discarded. */
  retire(): void;
}

/**
 * Watches a target. The results of a run go to the contract's status, history, metrics, state and log, in this
 * direction only.
 */
export function watched(target: WatchedTarget, pace: Pace, context: MonitorContext): Watched {
  const { probes, metrics, log, state, time, exchange, vigil, beforeRequest } = context;
  const { name } = target;
  const startedAt = time.wall();
  const own = slotsOf(target, probes, pace);
  const places: RunPlace[] = [...own, ...canaryPlaces(target)];
  const memory = recall(name, places, state);
  const standing = new ContractStatus(places, probes, startedAt, memory);
  const names = [...new Set(places.map(({ probe }) => probe.name))];
  const elapsed = elapsedBy(time);
  let retired = false;
  /** The watcher that replaces this one has its own plans and canaries. */
  const unlessRetired =
    <Message extends unknown[]>(report: (...message: Message) => void) =>
    (...message: Message): void => {
      if (!retired) report(...message);
    };
  const ownState = {
    ...state,
    put: unlessRetired(state.put),
    remove: unlessRetired(state.remove),
  };
  const { secretKey } = target.account;
  const sights = new FirstSights(name, { secretKey, state: ownState, time });
  const earlier = new EarlierTokens(name, {
    ...{ secretKey, state: ownState, time },
    kept: () => [...tokenClient.held(), ...canaryMonitor.held()],
  });
  const way = openTracedClient(target, {
    time,
    elapsed,
    onToken: (token, sentAt) => sights.note(token, sentAt),
    earlier,
    onPhases: ({ processing }) => metrics.processed(name, processing),
    beforeRequest: () => beforeRequest?.(name),
    exchange,
  });
  const tokenClient = new TokenClient({
    service: oneClientEach(way),
    account: target.account,
    now: elapsed.now,
    ahead: elapsed.ahead,
    onUnexpected: rejectionsOf(name, context, () => sights.areGivenAgain()),
  });
  const run = runnerFor(target, {
    recheckMs: pace.periodSeconds * 1000,
    tokenClient,
    time,
    elapsed,
    way,
    tokensMayEnd: () => sights.mayBeOlder(),
  });
  const plan = unlessRetired(context.plan);
  const discard = unlessRetired(context.discard);
  const canaryMonitor = new CanaryMonitor(target, {
    ...{ ...context, plan, way, tokenClient, standing, sights },
    state: ownState,
  });

  const unjudged = new Set(
    memory.runs.filter(({ result }) => result.outcome === 'unreachable').map(placeOf),
  );
  const repetitions = new Repetitions(
    own.filter((slot) => unjudged.has(keyOf(slot))),
    { time, plan },
  );

  metrics.expect(name, names, {
    timeoutSeconds: target.connection.timeoutMs / 1000,
    detail: target.metrics,
    objectiveRatio: target.objectiveRatio ?? usualObjectiveRatio,
    slowSeconds: target.slowSeconds ?? usualSlowSeconds,
  });
  metrics.restore(name, state.entries(name, 'figures').get('all'));
  metrics.verdicts(name, standing.verdicts());
  begun(state, name, standing);
  const recorder = new RunRecorder(target, names, {
    ...{ metrics, log, state, time, standing, memory },
  });
  const take = unlessRetired((one: Run) => recorder.take(one));

  async function probeOnce(slot: ProbeSlot): Promise<void> {
    const { probe, endpoint } = slot;
    repetitions.begin(slot);
    const disturbed = standing.disturbed(probe, endpoint);
    const stoodStill = vigil.begin();
    const one = await run(probe, endpoint, disturbed === undefined ? {} : { disturbed });
    if (stoodStill() && one.result.outcome === 'unreachable') {
      discard(slot);
      repetitions.discard(slot);
      return;
    }
    take(one);
    repetitions.take(slot, one.result.outcome);
  }

  return {
    target,
    slots: [...own.map(late), ...repetitions.slots(), ...canaryMonitor.slots(pace).map(late)],
    async run(slot) {
      if (isRecurrent(slot)) ranAt(state, slot, time.wall());
      if ('probe' in slot) return probeOnce(slot);
      for (const one of await canaryMonitor.run(slot)) take(one);
    },
    status: () =>
      statusOf(
        {
          ...{ target, slots: own, standing, histories: recorder.histories },
          ...{ token: canaryMonitor.status(), state },
        },
        time.wall(),
      ),
    brief: () => ({
      ...{ name, labels: target.labels, state: standing.state().is },
      maintenance: maintenanceAt(target, time.wall()),
    }),
    known: () => ({
      ...{ name, labels: target.labels, verdicts: standing.verdicts(), outage: standing.outage() },
      inMaintenance: maintenanceAt(target, time.wall()) !== undefined,
    }),
    touch: () => canaryMonitor.touch(),
    retire() {
      canaryMonitor.touch();
      retired = true;
    },
  };

  /** A slot that ran before a restart of the monitor has its next turn at the planned time. */
  function late<S extends MonitorSlot>(slot: S): S {
    const last = memory.lastRun(slot.key);
    if (last === undefined) return slot;
    return { ...slot, timing: resumed(slot.timing, pace.now, startedAt - last) };
  }
}

/** A client per request: a client remembers each token that it sees, and the monitor runs for months. */
const oneClientEach = (open: () => TracedClient): Pick<Service, 'issue' | 'call'> => ({
  issue: (account) => open().client.issue(account),
  call: (endpoint, options) => open().client.call(endpoint, options),
});

/**
 * Counts early refusals of the kept token; the log gets one line an hour.
 * @param areGivenAgain whether the provider repeats tokens: such a token may have expired, so its refusal is not
 * unexpected
 */
function rejectionsOf(
  name: string,
  { metrics, log, time }: MonitorContext,
  areGivenAgain: () => boolean,
): () => void {
  let silentUntil = Number.NEGATIVE_INFINITY;
  return () => {
    if (areGivenAgain()) return;
    metrics.unexpectedRejection(name);
    if (time.monotonic() < silentUntil) return;
    silentUntil = time.monotonic() + 3_600_000;
    log.unexpected(name);
  };
}

const isRecurrent = ({ timing }: MonitorSlot): boolean => timing.period !== Infinity;
