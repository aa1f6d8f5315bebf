import type { ExitCode } from '../../contract/command.ts';
import type { Observation } from '../../contract/finding.ts';
import type { exchange } from '../../contract/http/transport.ts';
import type { Probe } from '../../contract/probe.ts';
import { type ProbeResult, reportedEndpoint } from '../../contract/round/attempt.ts';
import { disturbance } from '../../contract/round/stages.ts';
import { type ClauseVerdict, exitOf, ledger, unreachableIn } from '../../contract/round/verdict.ts';
import type { Secret } from '../../contract/secrets/secret.ts';
import { ContractStatus } from '../target/contract-status.ts';
import { type ProbeSlot, slotsOf } from '../target/plan.ts';
import { type Run, runnerFor } from '../target/run.ts';
import { TokenClient } from '../target/token-client.ts';
import { openTracedClient } from '../target/traced-client.ts';
import type { WatchedTarget } from '../target/watched-target.ts';

/** The result of one round of probes on one target. All texts are free of secrets. */
export interface TargetRound {
  readonly target: WatchedTarget;
  readonly startedAt: Date;
  readonly finishedAt: Date;
  /** In the order in which they were run. */
  readonly runs: readonly Run[];
  /** Every selected clause. */
  readonly clauses: readonly ClauseVerdict[];
  readonly observations: readonly Observation[];
  readonly requests: number;
  readonly exit: ExitCode;
  /** Why the target, or a part of it, could not be judged: one line. */
  readonly unjudged?: string;
}

export interface RoundOptions {
  /** All of them: the monitor picks those that it can run. */
  readonly probes: readonly Probe[];
  /** Names of probes; by default all that the monitor would run. */
  readonly selected?: ReadonlySet<string>;
  /** Whether a clause that a probe of this round could not verify makes it fail. */
  readonly strict?: boolean;
  readonly onRun?: (run: Run) => void;
  /** A network instead of the real one. */
  readonly exchange?: typeof exchange;
}

/** The runs on a target, in order: first those that others depend on, and last those that may lock an account. */
export function runsOf(
  target: WatchedTarget,
  { probes, selected }: Pick<RoundOptions, 'probes' | 'selected'>,
): ProbeSlot[] {
  const pace = { periodSeconds: 60, seed: '', openingMs: 0, now: 0 };
  return slotsOf(target, probes, pace)
    .filter(({ probe }) => selected?.has(probe.name) ?? true)
    .sort((one, other) => turnOf(one.probe) - turnOf(other.probe));
}

function turnOf({ order, intrusive }: Probe): number {
  if (intrusive === true) return 3;
  return { first: 0, unsaid: 1, last: 2 }[order ?? 'unsaid'];
}

/** Runs every probe once on each endpoint, one after the other. It never throws, whatever a provider does. */
export async function roundOn(target: WatchedTarget, options: RoundOptions): Promise<TargetRound> {
  const { probes, selected, strict = false, onRun } = options;
  const startedAt = new Date();
  const slots = runsOf(target, options);
  const { run, kept } = runnerOn(target, options);
  const runs: Run[] = [];
  const results: ProbeResult[] = [];
  for (const { probe, endpoint } of slots) {
    const disturbed = probe.order === 'first' ? undefined : disturbance(results, endpoint);
    const silent = silence(runs);
    const one =
      silent === undefined
        ? await run(probe, endpoint, disturbed === undefined ? {} : { disturbed })
        : likewise(silent, { probe, endpoint });
    runs.push(one);
    results.push(one.result);
    onRun?.(one);
  }
  const about = new Set(slots.flatMap(({ probe }) => probe.clauses));
  const known = { runs, since: new Map(), facts: [] };
  const clauses = new ContractStatus(slots, probes, startedAt.getTime(), known)
    .verdicts()
    .filter(
      ({ clause, verdict }) =>
        selected === undefined || verdict === 'violated' || about.has(clause.id),
    );
  const unjudged = unreachableIn(results);
  const counting = clauses.filter(
    ({ clause, verdict }) => verdict === 'violated' || about.has(clause.id),
  );
  return {
    target,
    startedAt,
    finishedAt: new Date(),
    runs,
    clauses,
    observations: ledger(results),
    requests: runs.reduce((sum, { requests }) => sum + requests, kept.requests()),
    exit: exitOf(results, counting, unjudged, strict),
    unjudged,
  };
}

/** The monitor's own runner, with a kept token for probes that need no new one. */
function runnerOn(target: WatchedTarget, { exchange: send }: RoundOptions) {
  // A round is so short that it keeps all its tokens.
  const issued: Secret[] = [];
  const earlier = {
    note: (token: Secret) => void issued.push(token),
    kept: () => issued,
    pieces: () => undefined,
    clear: () => {},
  };
  const openClient = openTracedClient(target, {
    earlier,
    exchange: send,
  });
  const kept = openClient().client;
  const now = (): number => performance.now();
  const tokenClient = new TokenClient({ service: kept, account: target.account, now });
  return {
    run: runnerFor(target, { recheckMs: Number.POSITIVE_INFINITY, tokenClient, openClient }),
    kept,
  };
}

/** The run that shows that the provider does not answer: none of its requests got an answer. */
function silence(runs: readonly Run[]): Run | undefined {
  return runs.every(({ http }) => http === undefined)
    ? runs.findLast(({ result }) => result.outcome === 'unreachable')
    : undefined;
}

/** If the provider does not answer, each further request would only be another timeout. */
function likewise(silent: Run, { probe, endpoint }: Pick<ProbeSlot, 'probe' | 'endpoint'>): Run {
  const { result } = silent;
  return {
    ...silent,
    requests: 0,
    result: {
      ...result,
      probe,
      endpoint: reportedEndpoint(probe, endpoint),
      durationSeconds: 0,
    },
  };
}
