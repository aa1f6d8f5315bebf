import { phaseNames } from '../../contract/http/answer.ts';
import { endings } from '../../contract/round/attempt.ts';
import { failureReasons, type HttpFacts } from '../target/run.ts';
import { type Family, families } from './family.ts';
import type { ProbeRecord } from './record.ts';

const { gauge: provider, counter, summary } = families<ProbeRecord>();

/** As blackbox_exporter writes them. */
const tlsVersions = ['TLS 1.0', 'TLS 1.1', 'TLS 1.2', 'TLS 1.3', 'unknown'] as const;

/** The last run of a probe, and all of its runs. Names without prefix of ours are blackbox_exporter's. */
export const probeFamilies: readonly Family<ProbeRecord>[] = [
  provider(
    'probe_success',
    'Whether the last run on every endpoint passed',
    {},
    ({ last }) => last && (last.success ? 1 : 0),
  ),
  provider(
    'probe_duration_seconds',
    'Duration of the last run',
    {},
    ({ last }) => last?.durationSeconds,
  ),
  provider(
    'probe_timeout_seconds',
    'Time limit of one request',
    {},
    ({ target }) => target.timeoutSeconds,
  ),
  provider(
    'probe_http_status_code',
    'Status code of the last response, 0 without a response',
    {},
    ({ last }) => last && (last.http?.status ?? 0),
  ),
  provider(
    'probe_http_version',
    'HTTP version of the last response, 0 without a response',
    {},
    ({ last }) => last && versionOf(last.http),
  ),
  provider(
    'probe_http_ssl',
    'Whether the last run used TLS',
    {},
    ({ last }) => last && (last.http?.tls === undefined ? 0 : 1),
  ),
  provider(
    'probe_http_content_length',
    'Content-Length of the last response, -1 without that header, 0 without a response',
    {},
    ({ last }) => last && contentLengthOf(last.http),
  ),
  provider(
    'probe_dns_lookup_time_seconds',
    'Total DNS lookup time of the last run',
    {},
    ({ last }) => last && (last.phases?.resolve ?? 0),
  ),
  provider(
    'probe_http_duration_seconds',
    'Total duration of each request phase in the last run',
    { phase: phaseNames },
    ({ last }, { phase }) => last?.phases?.[phase] ?? 0,
  ),
  provider(
    'probe_ssl_earliest_cert_expiry',
    'Unix time at which the first certificate of the chain expires, as of the last TLS handshake',
    {},
    ({ earliestExpiry }) => earliestExpiry && earliestExpiry / 1000,
  ),
  {
    ...provider(
      'probe_tls_version_info',
      'TLS version of the last run, always 1',
      { version: tlsVersions },
      ({ last }, { version }) => (tlsVersionOf(last?.http) === version ? 1 : undefined),
    ),
    size: 1,
  },
  summary(
    'probe_all_success',
    'Runs, and the number of successful ones',
    {},
    ({ endings: count }) => ({ sum: count.kept, count: runsOf(count) }),
  ),
  summary(
    'probe_all_duration_seconds',
    'Runs, and their total duration',
    {},
    ({ seconds, endings: count }) => ({ sum: seconds, count: runsOf(count) }),
  ),
  summary(
    'probe_http_all_duration_seconds',
    'Answered runs, and the total duration of each request phase',
    { phase: phaseNames },
    ({ phases: sums, answered }, { phase }) => ({ sum: sums[phase], count: answered }),
  ),
  counter(
    'monitor_runs_total',
    'Runs by outcome',
    { outcome: endings },
    ({ endings: count }, { outcome }) => count[outcome],
  ),
  counter(
    'monitor_failures_total',
    'Unsuccessful runs by reason',
    { reason: failureReasons },
    ({ reasons }, { reason }) => reasons[reason],
  ),
  provider(
    'monitor_last_run_timestamp_seconds',
    'Unix time at which the last run began',
    {},
    ({ last }) => last && last.startedAt / 1000,
  ),
  provider(
    'monitor_last_kept_timestamp_seconds',
    'Unix time at which the last passed run began',
    {},
    ({ lastKeptAt }) => lastKeptAt && lastKeptAt / 1000,
  ),
  provider(
    'monitor_consecutive_failures',
    'Runs since the last passed run',
    {},
    ({ consecutiveFailures }) => consecutiveFailures,
  ),
];

const runsOf = (count: ProbeRecord['endings']): number =>
  endings.reduce((sum, ending) => sum + count[ending], 0);

const versionOf = (http: HttpFacts | undefined): number =>
  Number.parseFloat(http?.httpVersion ?? '0') || 0;

function contentLengthOf(http: HttpFacts | undefined): number {
  if (http === undefined || http.status === 0) return 0;
  return http.contentLength ?? -1;
}

/** Node writes `TLSv1.3`, and `TLSv1` for 1.0. */
function tlsVersionOf(http: HttpFacts | undefined): (typeof tlsVersions)[number] | undefined {
  if (http?.tls === undefined) return undefined;
  const message = http.tls.version.replace(/^TLSv1$/, 'TLSv1.0').replace(/^TLSv/, 'TLS ');
  return tlsVersions.find((version) => version === message) ?? 'unknown';
}
