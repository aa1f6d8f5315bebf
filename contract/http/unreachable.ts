import type { DetailedPeerCertificate } from 'node:tls';

/** Why no judgement was possible. */
const meaning = {
  dns: 'the name does not resolve',
  connect: 'no connection',
  tls: 'no trusted TLS connection',
  timeout: 'no complete answer in time',
  reset: 'the connection was reset before the answer',
  truncated: 'the answer ended before its end',
  'too-large': 'the answer is too large',
  protocol: 'the answer is not HTTP',
  unavailable: 'the provider says that it is unavailable',
  'rate-limited': 'the provider answers 429, and asks for a longer pause than is waited',
} as const;

export type Reason = keyof typeof meaning;

/** All reasons: a closed list, used as a label of metrics. */
export const reasons = Object.keys(meaning) as readonly Reason[];

/** What to do about the usual codes of OpenSSL and Node. */
const advice: readonly (readonly [codes: RegExp, text: string])[] = [
  [
    /^UNABLE_TO_VERIFY_LEAF_SIGNATURE$/,
    'the server may not send its intermediate certificate (install the full chain there); for a private CA set PUBLIC_API_CA_FILE, or ca in the targets file',
  ],
  [
    /CERTIFICATE_REQUIRED$|alert (40|42|116)$/,
    'the server may want a client certificate: PUBLIC_API_CLIENT_CERT_FILE, PUBLIC_API_CLIENT_KEY_FILE',
  ],
  [/^HPE_INVALID_CONSTANT$/, 'the port may speak HTTP/2 only, or TLS: HTTP/1.1 is needed'],
  [/Content-Encoding/, 'only gzip, deflate and br are asked for, and no other may be sent'],
  [
    /^(DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_(GET_ISSUER|VERIFY)_\w+)$/,
    'for a private CA set PUBLIC_API_CA_FILE, or ca in the targets file',
  ],
  [/^CERT_(HAS_EXPIRED|NOT_YET_VALID)$/, 'renew the certificate, or set the clock of this machine'],
  [/ALTNAME_INVALID$/, 'the certificate is for other names'],
  [/^(EPROTO|ERR_SSL_WRONG_VERSION_NUMBER)$/, 'a plain HTTP server needs an http:// address'],
];

/** Something prevents a probe's next request, which proves nothing about the provider. The message says what. */
export class UnprovenError extends Error {
  override readonly name = 'UnprovenError';
}

/** The provider gave no answer that could be judged. That violates no clause. */
export class UnreachableError extends Error {
  override name = 'UnreachableError';
  readonly reason: Reason;
  /** Shown in a handshake before the failure, also if it is not trusted. */
  certificate?: DetailedPeerCertificate;

  /** @param where the request, without query and headers; @param detail a code or a number, never a provider's text */
  constructor(reason: Reason, where: string, detail?: string) {
    const details = detail === undefined ? '' : ` (${detail})`;
    const [, remedy] = advice.find(([codes]) => detail !== undefined && codes.test(detail)) ?? [];
    super(`${where}: ${meaning[reason]}${details}${remedy === undefined ? '' : `: ${remedy}`}`);
    this.reason = reason;
  }
}

/** The provider issued tokens at the beginning of a round, and now gives every request the same answer. */
export class StoppedError extends UnreachableError {
  /** @param answered the status; of a firewall with its words */
  constructor(answered: number | string, where: string) {
    super('unavailable', where);
    const remedy = typeof answered === 'string' ? ': a firewall: set rate (PUBLIC_API_RATE)' : '';
    this.message = `the provider stopped answering properly in the middle of the round: ${where} answers ${answered}${remedy}`;
  }
}

/** Converts the error of a request to an `UnreachableError`; an error of another kind is returned unchanged. */
export function toUnreachable(
  error: unknown,
  where: string,
  { answered, handshaking }: { readonly answered: boolean; readonly handshaking: boolean },
): unknown {
  if (error instanceof UnreachableError || !(error instanceof Error)) return error;
  const { code = '', statusCode }: NodeJS.ErrnoException & { statusCode?: number } = error;
  if (code === 'ERR_PROXY_TUNNEL' && statusCode)
    return new UnreachableError('connect', where, `the proxy answers ${statusCode}`);
  // A server that refuses a handshake says why by the number of an alert (RFC 8446 6): it does speak TLS.
  const [, alert] = (code === 'EPROTO' && /SSL alert number (\d+)/.exec(error.message)) || [];
  const detail = alert === undefined ? code : `${code}, TLS alert ${alert}`;
  const found = codesByReason.find(([codes]) => codes.test(code))?.[1];
  const failure = found === 'reset' && answered ? 'truncated' : found;
  const isOfHandshake = found === undefined || /^(ECONNRESET|EPIPE|EPROTO)/.test(code);
  const reason = handshaking && isOfHandshake ? 'tls' : failure;
  return reason === undefined ? error : new UnreachableError(reason, where, detail);
}

/** The codes of errors of node:http, node:tls, node:dns and node:zlib. The first that matches counts. */
const codesByReason: readonly (readonly [codes: RegExp, reason: Reason])[] = [
  [/^(ENOTFOUND|EAI_|EDNS)/, 'dns'],
  [/^(ECONNREFUSED|E(HOST|NET)(UNREACH|DOWN)|EADDRNOTAVAIL)$/, 'connect'],
  [/^(EAFNOSUPPORT|EACCES|EPERM|ERR_PROXY_TUNNEL)$/, 'connect'],
  [/^ETIMEDOUT$/, 'timeout'],
  [/^(ECONNRESET|EPIPE|ECONNABORTED)$/, 'reset'],
  [/^(ERR_BUFFER_TOO_LARGE|HPE_HEADER_OVERFLOW)$/, 'too-large'],
  [/^(Z_BUF_ERROR|ERR_STREAM_PREMATURE_CLOSE)$/, 'truncated'],
  [/^(HPE_|Z_|ERR__)/, 'protocol'],
  [/(CERT|ISSUER|TLS|SSL|EPROTO|CRL|SIGNATURE|CA_)/, 'tls'],
];
