import type { ExitCode } from '../command.ts';
import type { Observation } from '../finding.ts';
import { type Probe, stages } from '../probe.ts';
import type { ProbeResult } from './attempt.ts';
import { ProviderRound } from './provider-round.ts';
import { dueRuns, endpointsFor, type Target } from './target.ts';
import {
  type ClauseVerdict,
  exitOf,
  ledger,
  type RoundFacts,
  resultOf,
  unreachableIn,
  verdicts,
} from './verdict.ts';

/** A round and its verdicts. */
export interface Round
  extends Pick<RoundFacts, 'startedAt' | 'finishedAt' | 'requests' | 'unjudged'> {
  readonly results: readonly ProbeResult[];
  /** Absent where nothing is ever repeated. */
  readonly noise?: Partial<RoundFacts['noise']>;
  readonly clauses: readonly ClauseVerdict[];
  readonly observations: readonly Observation[];
  readonly exit: ExitCode;
}

/**
 * Runs probes against a provider, stage by stage. Never throws for what a provider does.
 * @param signal ends the round at once; the provider's clock is still released
 * @throws the reason of the signal
 */
export async function judgeProvider(
  target: Target,
  probes: readonly Probe[],
  { signal, strict }: { readonly signal?: AbortSignal; readonly strict?: boolean } = {},
): Promise<Round & Pick<ProviderRound, 'scrub'>> {
  const round = new ProviderRound(target, signal);
  for (const stage of stages) round.start(stage, probes);
  await round.close();
  signal?.throwIfAborted();
  return { ...roundOf(round.facts, probes, target, strict), scrub: round.scrub };
}

/** The verdicts on these probes, of which some may not have run. */
export function roundOf(
  facts: RoundFacts,
  probes: readonly Probe[],
  target: Pick<Target, 'endpoints' | 'level' | 'excluded'>,
  strict = false,
): Round {
  // Which run ends first is random.
  const results = dueRuns(probes, target).flatMap((run) => resultOf(run, facts, target) ?? []);
  const runsOf = (probe: Probe): number => endpointsFor(probe, target).length;
  const clauses = verdicts(probes, results, facts.notRun, runsOf);
  const unjudged = facts.unjudged ?? unreachableIn(results) ?? withoutDifference(results);
  const exit = exitOf(results, clauses, unjudged, strict);
  return { ...facts, results, clauses, unjudged, exit, observations: ledger(results) };
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
