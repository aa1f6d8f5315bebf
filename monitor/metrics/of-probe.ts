import { publishedOutcomes } from '../../contract/round/outcome.ts';
import { failureReasons } from '../round/run.ts';
import { type Family, families } from './family.ts';
import type { ProbeRecord, RunCounts } from './record.ts';

const { gauge } = families<ProbeRecord>();
const { counter } = families<RunCounts>();

/** The metrics of each probe that operators usually read. */
export const probeFamilies: readonly Family<ProbeRecord>[] = [
  gauge(
    'monitor_run_duration_seconds',
    'Duration of the last run',
    ({ last }) => last?.durationSeconds,
  ),
  gauge(
    'monitor_last_run_timestamp_seconds',
    'Unix time at which the last run began',
    ({ last }) => last && last.startedAt / 1000,
  ),
  gauge(
    'monitor_last_kept_timestamp_seconds',
    'Unix time at which the last passed run began',
    ({ lastKeptAt }) => lastKeptAt && lastKeptAt / 1000,
  ),
  gauge(
    'monitor_consecutive_failures',
    'Runs since the last passed run: 0 where the last run passed',
    ({ consecutiveFailures }) => consecutiveFailures,
  ),
];

/** The outcomes of the runs of a target, over all of its probes. */
export const countFamilies: readonly Family<RunCounts>[] = [
  counter(
    'monitor_runs_total',
    'Runs by outcome',
    ({ endings: count }, { outcome }) => count[outcome],
    { outcome: publishedOutcomes },
  ),
  counter(
    'monitor_failures_total',
    'Unsuccessful runs by reason',
    ({ reasons }, { reason }) => reasons[reason],
    { reason: failureReasons },
  ),
];
