import { canaryPhases, canaryStates, canaryVerdicts } from '../canary/verdict.ts';
import { type Family, families } from './family.ts';
import { mustIds, openIds, processingBounds, type TargetRecord } from './record.ts';

const { gauge, counter, histogram } = families<TargetRecord>();

/** The contract, and the tokens of a target. */
export const targetFamilies: readonly Family<TargetRecord>[] = [
  gauge(
    'contract_clause_verdict',
    'Verdict of a clause by the latest runs: 1 for the current verdict, and both 0 where it is unverified',
    ({ verdicts }, { clause, verdict }) => (verdicts[clause] === verdict ? 1 : 0),
    { clause: mustIds, verdict: ['holds', 'violated'] },
  ),
  counter(
    'contract_violations_total',
    'Runs that found a clause violated',
    ({ violations }, { clause }) => violations[clause],
    { clause: mustIds },
  ),
  counter(
    'contract_observation_changes_total',
    'Changes of observed facts that the contract does not specify',
    ({ observationChanges }, { fact }) => observationChanges[fact],
    { fact: openIds },
  ),
  counter(
    'contract_token_canary_checks_total',
    'Checks of canaries, before and after their 24 hours, by result',
    ({ canaryChecks }, { phase, verdict }) => canaryChecks[phase][verdict],
    { phase: canaryPhases, verdict: canaryVerdicts },
  ),
  gauge(
    'contract_token_canaries',
    'Canaries by state',
    ({ canaries }, { state }) => canaries[state],
    { state: canaryStates },
  ),
  gauge(
    'contract_token_lifetime_lower_bound_seconds',
    'Lower bound of the token lifetime: a token was admitted at this age or a greater one',
    ({ lifetime }) => lifetime.atLeastSeconds,
  ),
  gauge(
    'contract_token_lifetime_upper_bound_seconds',
    'Upper bound of the token lifetime: a token was refused at this age or a smaller one',
    ({ lifetime }) => lifetime.atMostSeconds,
  ),
  gauge(
    'contract_provider_clock_offset_seconds',
    "Seconds by which the provider's clock is ahead of the monitor's",
    ({ clockOffsetSeconds }) => clockOffsetSeconds,
  ),
  {
    ...histogram(
      'probe_http_processing_seconds',
      'Answered requests by the time from the open connection to the first byte of the answer',
      ({ processing }) => processing,
    ),
    size: () => processingBounds.length + 3,
  },
  gauge(
    'monitor_target_in_maintenance',
    'Whether a maintenance window is active, in which failed runs change no verdict',
    ({ inMaintenance }) => (inMaintenance ? 1 : 0),
  ),
  gauge(
    'monitor_target_objective_ratio',
    'Share of runs that must get an answer, as configured',
    ({ expected }) => expected.objectiveRatio,
  ),
  gauge(
    'monitor_target_slow_seconds',
    'Processing time from which the target counts as slow, as configured',
    ({ expected }) => expected.slowSeconds,
  ),
  counter(
    'monitor_target_slow_requests_total',
    'Answered requests whose processing took longer than monitor_target_slow_seconds',
    ({ slowRequests }) => slowRequests,
  ),
];
