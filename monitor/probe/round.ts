import type { ExitCode } from '../../contract/command.ts';
import type { Observation } from '../../contract/finding.ts';
import type { exchange } from '../../contract/http/exchange.ts';
import { requestSlots } from '../../contract/http/pace.ts';
import { type Probe, stages } from '../../contract/probe.ts';
import { type ProbeResult, reportedEndpoint } from '../../contract/round/attempt.ts';
import { disturbance, disturbEachOther } from '../../contract/round/disturbance.ts';
import { type ClauseVerdict, exitOf, ledger, unreachableIn } from '../../contract/round/verdict.ts';
import type { Secret } from '../../contract/secrets/secret.ts';
import { ContractStatus } from '../target/contract-status.ts';
import { type ProbeSlot, slotsOf } from '../target/plan.ts';
import { type Run, runnerFor } from '../target/run.ts';
import { TokenClient } from '../target/token-client.ts';
import { openTracedClient } from '../target/traced-client.ts';
import type { WatchedTarget } from '../target/watched-target.ts';

/** The result of one round of probes on one target. */
export interface TargetRound {
  readonly target: WatchedTarget;
  readonly startedAt: Date;
  readonly finishedAt: Date;
  /** In the order of `runsOf`, not in the order in which they ended. */
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
  /** All probes: the monitor picks those that it can run. */
  readonly probes: readonly Probe[];
  /** Names of probes; by default all that the monitor would run. */
  readonly selected?: ReadonlySet<string>;
  /** Whether a clause that a probe of this round could not verify makes it fail. */
  readonly strict?: boolean;
  readonly onRun?: (run: Run) => void;
  /** How many independent requests of a run are in flight at once; by default one. */
  readonly concurrency?: number;
  /** A network instead of the real one. */
  readonly exchange?: typeof exchange;
}

/** The runs on a target, in order. Runs that others depend on come first; runs that may lock an account come last. */
export function runsOf(
  target: WatchedTarget,
  { probes, selected }: Pick<RoundOptions, 'probes' | 'selected'>,
): ProbeSlot[] {
  const pace = { periodSeconds: 60, seed: '', openingMs: 0, now: 0 };
  return slotsOf(target, probes, pace)
    .filter(({ probe }) => selected?.has(probe.name) ?? true)
    .sort((one, other) => turnOf(one.probe) - turnOf(other.probe));
}

const turnOf = ({ stage }: Probe): number => stages.indexOf(stage);

/**
 * Runs every probe once on each endpoint. Probes that others depend on, or that disturb others, run one at a time.
 * It never throws, whatever a provider does.
 */
export async function roundOn(target: WatchedTarget, options: RoundOptions): Promise<TargetRound> {
  const { probes, selected, strict = false } = options;
  const startedAt = new Date();
  const slots = runsOf(target, options);
  const { runs, kept } = await runAll(target, slots, options);
  const results = runs.map(({ result }) => result);
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

/** @returns the runs in the order of the slots, and the client of the kept token */
async function runAll(target: WatchedTarget, due: readonly ProbeSlot[], options: RoundOptions) {
  const { run, kept } = runnerOn(target, options);
  const done = new Map<ProbeSlot, Run>();
  const results = (): ProbeResult[] => [...done.values()].map(({ result }) => result);
  const runOne = async (slot: ProbeSlot): Promise<void> => {
    const { probe, endpoint } = slot;
    const disturbed = probe.stage === 'first' ? undefined : disturbance(results(), endpoint);
    const silent = silence([...done.values()]);
    const one =
      silent === undefined
        ? await run(probe, endpoint, { disturbed })
        : likewise(silent, { probe, endpoint });
    done.set(slot, one);
    options.onRun?.(one);
  };
  for (const [turn, together] of Map.groupBy(due, ({ probe }) => turnOf(probe))) {
    const alone = turn === stages.indexOf('first') || disturbEachOther(results());
    const inSlot = requestSlots(alone ? 1 : (options.concurrency ?? 1));
    const begin = (slot: ProbeSlot) => inSlot(() => runOne(slot));
    if (turn === stages.indexOf('present')) await Promise.all(together.map(begin));
    else for (const slot of together) await begin(slot);
  }
  return { kept, runs: due.flatMap((slot) => done.get(slot) ?? []) };
}

/** The monitor's own runner, with a kept token for probes that need no new one. */
function runnerOn(target: WatchedTarget, { exchange: send, concurrency = 1 }: RoundOptions) {
  // A round is so short that it keeps all its tokens.
  const issued: Secret[] = [];
  const remembered = { note: (token: Secret) => void issued.push(token), all: () => issued };
  const openClient = openTracedClient(target, { remembered, exchange: send, concurrency });
  const kept = openClient().client;
  const now = (): number => performance.now();
  const tokenClient = new TokenClient({ service: kept, account: target.account, now });
  return {
    run: runnerFor(target, { recheckMs: Number.POSITIVE_INFINITY, tokenClient, openClient }),
    kept,
  };
}

/** The run that shows that the provider does not answer: no request got further than a handshake. */
function silence(runs: readonly Run[]): Run | undefined {
  return runs.every(({ http }) => (http?.status ?? 0) === 0)
    ? runs.findLast(({ result }) => result.outcome === 'unreachable')
    : undefined;
}

/** If the provider does not answer, each further request would only time out too. */
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
