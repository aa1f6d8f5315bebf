import { phaseNames } from '../../contract/http/answer.ts';
import type { HttpFacts } from '../round/traced-client.ts';
import { type Family, families } from './family.ts';
import type { Certificate, Measured } from './record.ts';

const { gauge } = families<Measured>();
const { gauge: certificate } = families<Certificate>();

/** In the notation of blackbox_exporter. */
const tlsVersions = ['TLS 1.0', 'TLS 1.1', 'TLS 1.2', 'TLS 1.3', 'unknown'] as const;

/** The last run of the control, under blackbox_exporter's names and with their meaning. */
export const measuredFamilies: readonly Family<Measured>[] = [
  gauge(
    'probe_success',
    'Whether the last run on every endpoint passed',
    ({ probe: { last } }) => last && (last.success ? 1 : 0),
  ),
  gauge(
    'probe_duration_seconds',
    'Duration of the last run',
    ({ probe }) => probe.last?.durationSeconds,
  ),
  gauge(
    'probe_timeout_seconds',
    'Time limit of one request',
    ({ probe }) => probe.target.expected.timeoutSeconds,
  ),
  gauge(
    'probe_http_status_code',
    'Status code of the last response, 0 without a response',
    ({ probe, http }) => probe.last && (http?.status ?? 0),
  ),
  gauge(
    'probe_http_version',
    'HTTP version of the last response, 0 without a response',
    ({ probe, http }) => probe.last && versionOf(http),
  ),
  gauge(
    'probe_http_ssl',
    'Whether the last run used TLS',
    ({ probe, http }) => probe.last && (http?.tls === undefined ? 0 : 1),
  ),
  gauge(
    'probe_http_content_length',
    'Content-Length of the last response, -1 without that header, 0 without a response',
    ({ probe, http }) => probe.last && contentLengthOf(http),
  ),
  gauge(
    'probe_dns_lookup_time_seconds',
    'Total DNS lookup time of the last run',
    ({ probe, phases }) => probe.last && (phases?.resolve ?? 0),
  ),
  gauge(
    'probe_http_duration_seconds',
    'Total duration of each request phase in the last run',
    ({ phases }, { phase }) => phases?.[phase] ?? 0,
    { phase: phaseNames },
  ),
  {
    ...gauge(
      'probe_tls_version_info',
      'TLS version of the last run, always 1',
      ({ http }, { version }) => (tlsVersionOf(http) === version ? 1 : undefined),
      { version: tlsVersions },
    ),
    size: () => 1,
  },
];

/** The certificate of a target. */
export const certificateFamilies: readonly Family<Certificate>[] = [
  certificate(
    'probe_ssl_earliest_cert_expiry',
    'Unix time at which the first certificate of the chain expires, as of the last TLS handshake',
    ({ earliestExpiry }) => earliestExpiry && earliestExpiry / 1000,
  ),
];

const versionOf = (http: HttpFacts | undefined): number =>
  Number.parseFloat(http?.httpVersion ?? '0') || 0;

function contentLengthOf(http: HttpFacts | undefined): number {
  if (http === undefined || http.status === 0) return 0;
  return http.contentLength ?? -1;
}

/** Node writes `TLSv1.3`, and `TLSv1` for 1.0. */
function tlsVersionOf(http: HttpFacts | undefined): (typeof tlsVersions)[number] | undefined {
  if (http?.tls === undefined) return undefined;
  const name = http.tls.version.replace(/^TLSv1$/, 'TLSv1.0').replace(/^TLSv/, 'TLS ');
  return tlsVersions.find((version) => version === name) ?? 'unknown';
}
