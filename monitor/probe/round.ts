import { mustHold } from '../../contract/clauses.ts';
import type { ExitCode } from '../../contract/command.ts';
import type { Observation } from '../../contract/finding.ts';
import type { exchange } from '../../contract/http/exchange.ts';
import type { Probe } from '../../contract/probe.ts';
import { disturbance } from '../../contract/round/disturbance.ts';
import { type ClauseVerdict, exitOf, ledger, unreachableIn } from '../../contract/round/verdict.ts';
import type { Secret } from '../../contract/secrets/secret.ts';
import { type Place, placesOf } from '../round/plan.ts';
import { runRound } from '../round/round.ts';
import type { Run } from '../round/run.ts';
import { openTracedClient } from '../round/traced-client.ts';
import type { WatchedTarget } from '../round/watched-target.ts';
import { reduce } from '../status/reduce.ts';
import { newStatus, type Status } from '../status/status.ts';

/** The result of one round of probes on one target. */
export interface TargetRound {
  readonly target: WatchedTarget;
  readonly startedAt: Date;
  readonly finishedAt: Date;
  readonly runs: readonly Run[];
  readonly status: Status;
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

/** The places of a round, in order. */
export const placesOfRound = (
  target: WatchedTarget,
  { probes, selected }: Pick<RoundOptions, 'probes' | 'selected'>,
): Place[] => placesOf(target, probes, 60).filter(({ probe }) => selected?.has(probe.name) ?? true);

/** Runs every probe once on each endpoint, as the monitor does. It never throws, whatever a provider does. */
export async function roundOn(target: WatchedTarget, options: RoundOptions): Promise<TargetRound> {
  const { onRun, exchange: send, concurrency } = options;
  const startedAt = new Date();
  const places = placesOfRound(target, options);
  const runs: Run[] = [];
  // A round is so short that it keeps all its tokens.
  const issued: Secret[] = [];
  const remembered = { note: (token: Secret) => void issued.push(token), all: () => issued };
  const due = places.map((place) => ({ place }));
  const { requests } = await runRound(target, due, {
    open: openTracedClient(target, { remembered, exchange: send, concurrency }),
    disturbed: ({ probe, endpoint }) =>
      probe.stage === 'first'
        ? undefined
        : disturbance(
            runs.map(({ result }) => result),
            endpoint,
          ),
    onRun(run) {
      runs.push(run);
      onRun?.(run);
    },
  });
  const ended = { target, startedAt, finishedAt: new Date(), runs, requests };
  return judged(ended, places, options);
}

function judged(
  round: Pick<TargetRound, 'target' | 'startedAt' | 'finishedAt' | 'runs' | 'requests'>,
  places: readonly Place[],
  { probes, selected, strict = false }: RoundOptions,
): TargetRound {
  const { target, runs } = round;
  const at = round.startedAt.getTime();
  const fresh = newStatus(target.name, target.connection.origin.href, at);
  const status = reduce(fresh, { at, runs }, { places, probes, hasCanaries: false });
  const about = new Set(places.flatMap(({ probe }) => probe.clauses));
  const isCounted = ({ clause, verdict }: ClauseVerdict): boolean =>
    verdict === 'violated' || about.has(clause.id);
  const clauses = mustHold
    .map((clause) => ({ clause, ...status.clauses[clause.id] }))
    .filter((verdict) => selected === undefined || isCounted(verdict));
  const results = runs.map(({ result }) => result);
  const unjudged = unreachableIn(results);
  const exit = exitOf(results, clauses.filter(isCounted), unjudged, strict);
  return { ...round, status, clauses, observations: ledger(results), exit, unjudged };
}
