import { mustHold } from '../../contract/clauses.ts';
import { UserError } from '../../contract/command.ts';
import { ledger } from '../../contract/finding.ts';
import { withKnown } from '../../contract/known.ts';
import type { Probe } from '../../contract/probe.ts';
import type { ProbeResult } from '../../contract/round/attempt.ts';
import { disturbance } from '../../contract/round/disturbance.ts';
import { select } from '../../contract/round/selection.ts';
import { chooseExit, type Round, withDiagnoses } from '../../contract/round/verdict.ts';
import type { Secret } from '../../contract/secrets/secret.ts';
import { probes } from '../../probes/index.ts';
import { type Place, planPlaces } from '../round/plan.ts';
import { runRound } from '../round/round.ts';
import type { Run } from '../round/run.ts';
import { openTracedClient, type TracedClientOptions } from '../round/traced-client.ts';
import type { WatchedTarget } from '../round/watched-target.ts';
import { reduce } from '../status/reduce.ts';
import { newStatus, type Status } from '../status/status.ts';

/** What a round runs on a target, in its order. */
export interface RoundPlan {
  readonly target: WatchedTarget;
  readonly places: readonly Place[];
  /** Their clauses are reported, and all that are found violated. */
  readonly selected: ReadonlySet<Probe>;
}

export interface TargetRound extends Round, Pick<RoundPlan, 'target'> {
  readonly status: Status;
}

export interface RoundOptions
  extends Pick<TracedClientOptions, 'concurrency' | 'exchange' | 'maxRetryAfterMs'> {
  /** Whether a clause that a probe of this round could not verify makes it fail. */
  readonly strict?: boolean;
  readonly onRun?: (run: Run) => void;
}

/** What the monitor would run on each target, as far as words select it. @throws UserError if that is nothing */
export function planRounds(targets: readonly WatchedTarget[], words: readonly string[] = []) {
  const all = targets.map((target) => ({ target, places: planPlaces(target, probes, 60) }));
  const due = all.flatMap(({ places }) => places.map(({ probe }) => probe));
  const selected = new Set(select([...probes, ...due], words));
  const named = words.join(' ');
  const why = 'takes simulated time or wrong credentials, or is switched off here';
  if (!due.some((probe) => selected.has(probe)))
    throw new UserError(`${named} ${why}: npm run gate -- ${named}`);
  return all.map(({ target, places }): RoundPlan => {
    const selectedPlaces = places.filter(({ probe }) => selected.has(probe));
    return { target, places: selectedPlaces, selected };
  });
}

/** Runs each place once, as the monitor does. It never throws, whatever a provider does. */
export async function runProbeRound(
  { target, places, selected }: RoundPlan,
  { strict = false, onRun, ...options }: RoundOptions = {},
): Promise<TargetRound> {
  const startedAt = new Date();
  const runs: Run[] = [];
  const results: ProbeResult[] = [];
  // A round is so short that it keeps all its tokens.
  const issued: Secret[] = [];
  const remembered = { note: (token: Secret) => void issued.push(token), all: () => issued };
  const due = places.map((place) => ({ place }));
  let requests = 0;
  const onRequest = () => void requests++;
  await runRound(target, due, {
    openClient: openTracedClient(target, { ...options, remembered, onRequest }),
    findDisturbance: (place) => disturbance(results, place),
    onRun(run) {
      runs.push(run);
      results.push(run.result);
      onRun?.(run);
    },
  });
  const initial = newStatus(target.name, target.connection.origin.href, startedAt.getTime());
  const plan = { places, probes, hasCanaries: false, known: target.known };
  const status = runs.reduce((before, run) => reduce(before, run, plan), initial);
  const about = new Set<string>([...selected].flatMap((probe) => probe.clauses));
  const judged = mustHold
    .map((clause) => ({ clause, ...status.clauses[clause.id] }))
    .filter(({ clause, findings }) => findings.length > 0 || about.has(clause.id));
  const clauses = withDiagnoses(judged, results);
  // What no probe of a round is about is always unverified.
  const counted = clauses.filter(({ cause }) => cause !== 'unconfigured');
  const unjudged = results.find(({ outcome }) => outcome === 'unreachable')?.detail;
  const counting = results.map((result) => ({
    ...result,
    findings: withKnown(result.findings, target.known),
  }));
  const exit = chooseExit(counting, counted, unjudged, strict);
  const verdicts = { clauses, observations: ledger(results), unjudged, exit };
  return { target, status, startedAt, finishedAt: new Date(), requests, results, ...verdicts };
}
