import type { Finding } from '../../contract/finding.ts';
import type { TokenStatus } from '../canary/canary-status.ts';
import {
  type ContractStatus,
  type KnownVerdict,
  later,
  type TargetState,
} from '../target/contract-status.ts';
import type { KnownFact } from '../target/known-facts.ts';
import type { Place } from '../round/plan.ts';
import { type FailureReason, type Run, type RunStatus, runStatus } from '../round/run.ts';
import { type Maintenance, maintenanceAt, type WatchedTarget } from '../round/watched-target.ts';
import type { Cell, History } from './history.ts';
import { type PastState, type PastStatus, pastOf } from './past.ts';

/** The data of the page and of `/status.json`. Free of secrets; dates are serialised as ISO 8601. */
export interface Status {
  readonly version: string;
  readonly startedAt: Date;
  readonly now: Date;
  /** Whether the monitor is stopping. */
  readonly draining: boolean;
  /** Ticks of targets that came while a round was running, or while the machine slept: since the start. */
  readonly missedTicks: number;
  readonly targets: readonly TargetStatus[];
}

/** The short form, for frequent requests. */
export interface Brief extends Pick<Status, 'draining'> {
  readonly targets: readonly Pick<TargetStatus, 'name' | 'state' | 'maintenance' | 'labels'>[];
}

export interface TargetStatus extends Partial<PastStatus> {
  readonly name: string;
  readonly address: string;
  readonly state: TargetState;
  readonly since: Date;
  /** Why some or all probes get no answer that can be judged, from the latest of their runs: one line. */
  readonly unreachable?: { readonly reason: FailureReason; readonly detail: string };
  /** An endpoint whose answers prove nothing, and why: one line. */
  readonly unproven?: string;
  readonly clauses: readonly ClauseStatus[];
  readonly probes: readonly ProbeStatus[];
  readonly observations: readonly FactStatus[];
  /** The latest first. */
  readonly failures: readonly RunStatus[];
  /** Why findings do not count now, and until when. */
  readonly maintenance?: Maintenance;
  readonly labels?: Readonly<Record<string, string>>;
  readonly token?: TokenStatus;
}

interface ClauseStatus {
  readonly id: string;
  readonly text: string;
  readonly verdict: KnownVerdict['verdict'];
  readonly since: Date;
  readonly reason?: string;
  readonly findings: readonly Finding[];
}

export interface ProbeStatus {
  readonly name: string;
  readonly clauses: readonly string[];
  readonly everySeconds: number;
  readonly last?: RunStatus;
  /** Oldest first. */
  readonly runs: readonly Cell[];
}

interface FactStatus extends Omit<KnownFact, 'since'> {
  readonly since: Date;
}

export interface TargetData {
  readonly target: WatchedTarget;
  readonly places: readonly Place[];
  readonly standing: ContractStatus;
  /** By the probe's name. */
  readonly histories: ReadonlyMap<string, History>;
  readonly token?: TokenStatus;
  readonly state?: PastState;
}

const mostListed = 10;

/** Describes a target. @param now milliseconds since 1970 */
export function statusOf(
  { target, places, standing, histories, token, state }: TargetData,
  now: number,
): TargetStatus {
  const { is, since } = standing.state();
  const unanswered = standing.unanswered();
  const failures = [...histories.values()].flatMap((one) => [...one.failures()]);
  const maintenance = maintenanceAt(target, now);
  return {
    name: target.name,
    address: target.connection.origin.href,
    state: is,
    since: new Date(since),
    unreachable: unanswered && unreachableBy(unanswered),
    unproven: standing.unproven(),
    clauses: standing.verdicts().map(({ clause, verdict, reason, findings, since: from }) => ({
      id: clause.id,
      text: clause.text,
      verdict,
      since: new Date(from),
      reason,
      findings,
    })),
    probes: probesOf(places, standing, histories),
    observations: standing.facts().map((fact) => ({ ...fact, since: new Date(fact.since) })),
    failures: failures
      .sort((one, other) => other.startedAt - one.startedAt)
      .slice(0, mostListed)
      .map(shownRun),
    maintenance,
    labels: target.labels,
    token,
    ...(state === undefined ? {} : pastOf(target.name, state, now)),
  };
}

const unreachableBy = ({ reason, result }: Run): TargetStatus['unreachable'] =>
  reason && { reason, detail: result.detail ?? reason };

function probesOf(
  places: readonly Place[],
  standing: ContractStatus,
  histories: TargetData['histories'],
): ProbeStatus[] {
  const latest = standing.latest();
  // By name: each endpoint with a schema has its own object of the payload's probe.
  const one = new Map(places.map((place) => [place.probe.name, place]));
  return [...one.values()].map(({ probe, everySeconds }) => {
    const runs = latest.filter(({ result }) => result.probe.name === probe.name);
    const last = runs.reduce<Run | undefined>(later, undefined);
    return {
      name: probe.name,
      clauses: probe.clauses,
      everySeconds,
      last: last && shownRun(last),
      runs: histories.get(probe.name)?.cells() ?? [],
    };
  });
}

/** Only the first line of its detail: in a defect our own stack follows, which is in the log. */
function shownRun(run: Run): RunStatus {
  const status = runStatus(run);
  return { ...status, detail: status.detail?.split('\n')[0] };
}
