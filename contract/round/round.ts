import type { ExitCode } from '../command.ts';
import type { Observation } from '../finding.ts';
import { type Probe, stages } from '../probe.ts';
import type { ProbeResult } from './attempt.ts';
import type { Noise, RoundFacts } from './facts.ts';
import { ProviderRound } from './provider-round.ts';
import { endpointsFor } from './scope.ts';
import type { RoundOptions, Target } from './target.ts';
import {
  byRun,
  type ClauseVerdict,
  exitOf,
  inOrder,
  ledger,
  unreachableIn,
  verdicts,
} from './verdict.ts';

export interface Round {
  readonly startedAt: Date;
  readonly finishedAt: Date;
  readonly clauses: readonly ClauseVerdict[];
  readonly results: readonly ProbeResult[];
  readonly observations: readonly Observation[];
  readonly requests: number;
  /** The repeated requests; absent where nothing is ever repeated. */
  readonly noise?: Noise;
  readonly exit: ExitCode;
  /** Why the provider, or a part of it, could not be judged: one line. */
  readonly unjudged?: string;
  /** Removes the secrets of this round from a text. */
  readonly scrub: (text: string) => string;
}

/**
 * Runs probes against a provider, stage by stage. Never throws for what a provider does.
 * @throws the reason of the signal
 */
export async function judgeProvider(
  target: Target,
  probes: readonly Probe[],
  { signal, strict }: RoundOptions = {},
): Promise<Round> {
  const round = new ProviderRound(target, { signal });
  for (const stage of stages) round.start(stage, probes);
  await round.close();
  signal?.throwIfAborted();
  return roundOf(round.facts(), probes, target, { strict, scrub: round.scrub });
}

/** The verdicts on these probes, of which some may not have run. */
export function roundOf(
  facts: RoundFacts,
  probes: readonly Probe[],
  target: Pick<Target, 'endpoints' | 'level'>,
  { strict = false, scrub = (text: string) => text } = {},
): Round {
  const { startedAt, finishedAt, requests, noise, notRun } = facts;
  const results = inOrder([...byRun(facts.results).values()], probes, target.endpoints);
  const clauses = verdicts(probes, results, notRun, (probe) => endpointsFor(probe, target).length);
  const unjudged = facts.unjudged ?? unreachableIn(results) ?? withoutDifference(results);
  const exit = exitOf(results, clauses, unjudged, strict);
  const observations = ledger(results);
  const judged = { clauses, results, observations, exit, unjudged };
  return { startedAt, finishedAt, requests, noise, ...judged, scrub };
}

/** Why a round without findings shows nothing: every endpoint may be misspelt, or open to everybody. */
function withoutDifference(results: readonly ProbeResult[]): string | undefined {
  const isAbout = ({ probe, unproven = '' }: ProbeResult): boolean =>
    probe.scope === 'core' && /without a (valid )?token/.test(unproven);
  const decides = ({ findings, sawRefusal }: ProbeResult): boolean =>
    findings.length > 0 || sawRefusal === true;
  return results.some(isAbout) && !results.some(decides)
    ? 'no endpoint showed a difference with and without a token: name one that needs a token (PUBLIC_API_ENDPOINTS)'
    : undefined;
}
