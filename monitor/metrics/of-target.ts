import type { KnownVerdict } from '../contract-status.ts';
import { type Family, families } from './family.ts';
import {
  canaryPhases,
  canaryStates,
  canaryVerdicts,
  mustIds,
  openIds,
  processingBounds,
  type TargetRecord,
} from './record.ts';

const { gauge: provider, counter, histogram } = families<TargetRecord>();

const verdicts = ['holds', 'violated', 'unverified'] as const satisfies KnownVerdict['verdict'][];

/** The contract, and the tokens of a target. */
export const targetFamilies: readonly Family<TargetRecord>[] = [
  provider(
    'contract_clause_verdict',
    'What is known of a clause by the latest runs: 1 for the verdict that it has',
    { clause: mustIds, verdict: verdicts },
    ({ verdicts: now }, { clause, verdict }) => (now[clause] === verdict ? 1 : 0),
  ),
  counter(
    'contract_violations_total',
    'Runs that found a clause broken',
    { clause: mustIds },
    ({ violations }, { clause }) => violations[clause],
  ),
  counter(
    'contract_observation_changes_total',
    'How often something that the contract leaves open became otherwise',
    { fact: openIds },
    ({ observationChanges }, { fact }) => observationChanges[fact],
  ),
  counter(
    'contract_token_canary_checks_total',
    'Looks at tokens that were kept, before and after their 24 hours, by what they proved',
    { phase: canaryPhases, verdict: canaryVerdicts },
    ({ canaryChecks }, { phase, verdict }) => canaryChecks[phase][verdict],
  ),
  provider(
    'contract_token_canaries',
    'Tokens that were kept, by what became of them',
    { state: canaryStates },
    ({ canaries }, { state }) => canaries[state],
  ),
  provider(
    'contract_token_lifetime_lower_bound_seconds',
    'A token was admitted at this age or a greater one',
    {},
    ({ lifetime }) => lifetime.atLeastSeconds,
  ),
  provider(
    'contract_token_lifetime_upper_bound_seconds',
    'A token was refused at this age or a smaller one',
    {},
    ({ lifetime }) => lifetime.atMostSeconds,
  ),
  counter(
    'contract_token_unexpected_rejections_total',
    'Tokens that were refused while they had to be valid',
    {},
    ({ unexpectedRejections }) => unexpectedRejections,
  ),
  provider(
    'contract_provider_clock_offset_seconds',
    "How far the provider's clock is ahead of the monitor's",
    {},
    ({ clockOffsetSeconds }) => clockOffsetSeconds,
  ),
  {
    ...histogram(
      'probe_http_processing_seconds',
      'Requests that were answered, by how long it took from the open connection to the first byte of the answer',
      {},
      ({ processing }) => processing,
    ),
    size: processingBounds.length + 3,
  },
  provider(
    'monitor_target_in_maintenance',
    'Whether a window of maintenance is under way, in which verdicts wait',
    {},
    ({ inMaintenance }) => (inMaintenance ? 1 : 0),
  ),
];
