import type { Answer, TlsFacts } from './answer.ts';

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
    /^(DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_(GET_ISSUER|VERIFY)_\w+)$/,
    'for a private CA set PUBLIC_API_CA_FILE, or ca in the targets file',
  ],
  [/^CERT_(HAS_EXPIRED|NOT_YET_VALID)$/, 'renew the certificate, or set the clock of this machine'],
  [/^ERR_TLS_CERT_ALTNAME_INVALID$/, 'the certificate is for other names'],
  [/^(EPROTO|ERR_SSL_WRONG_VERSION_NUMBER)$/, 'a plain HTTP server needs an http:// address'],
];

/** The provider gave no answer that could be judged. That violates no clause. */
export class Unreachable extends Error {
  readonly reason: Reason;
  /** The state of the handshake before the failure: an expired certificate shows when it ended. */
  tls?: TlsFacts;

  /**
   * @param where the request, without query and headers;
   * @param detail a code or a number, never a text of the provider
   */
  constructor(reason: Reason, where: string, detail?: string) {
    const details = detail === undefined ? '' : ` (${detail})`;
    const [, remedy] = advice.find(([codes]) => detail !== undefined && codes.test(detail)) ?? [];
    super(`${where}: ${meaning[reason]}${details}${remedy === undefined ? '' : `: ${remedy}`}`);
    this.name = 'Unreachable';
    this.reason = reason;
  }
}

/** The provider issued tokens at the beginning of a round, and now gives the same answer to every request. */
export class Stopped extends Unreachable {
  constructor(status: number, where = 'every path') {
    super('unavailable', where);
    this.message = `the provider stopped answering properly in the middle of the round: ${where} answers ${status}`;
  }
}

/** Converts the error of a request to an `Unreachable`; an error of another kind is returned unchanged. */
export function unreachableOf(
  error: unknown,
  where: string,
  { answered, handshaking }: { readonly answered: boolean; readonly handshaking: boolean },
): unknown {
  if (error instanceof Unreachable || !(error instanceof Error)) return error;
  const { code = '', statusCode }: NodeJS.ErrnoException & { statusCode?: number } = error;
  if (code === 'ERR_PROXY_TUNNEL' && statusCode)
    return new Unreachable('connect', where, `the proxy answers ${statusCode}`);
  const reason: Reason | undefined =
    handshaking && /^(ECONNRESET|EPIPE|EPROTO)/.test(code)
      ? 'tls'
      : (reasonOf(code, answered) ?? (handshaking ? 'tls' : undefined));
  return reason === undefined ? error : new Unreachable(reason, where, detailOf(code, error));
}

/** A server that refuses a handshake says why by the number of an alert (RFC 8446 6): it does speak TLS. */
function detailOf(code: string, { message }: Error): string {
  const [, alert] = /SSL alert number (\d+)/.exec(message) ?? [];
  return code === 'EPROTO' && alert !== undefined ? `${code}, TLS alert ${alert}` : code;
}

/** The reason behind an error of node:http, node:tls, node:dns or node:zlib; undefined for other errors. */
export function reasonOf(code: string, answered: boolean): Reason | undefined {
  if (/^(ENOTFOUND|EAI_|EDNS)/.test(code)) return 'dns';
  if (
    /^(ECONNREFUSED|E(HOST|NET)(UNREACH|DOWN)|EADDRNOTAVAIL|EAFNOSUPPORT|EACCES|EPERM|ERR_PROXY_TUNNEL)$/.test(
      code,
    )
  )
    return 'connect';
  if (code === 'ETIMEDOUT') return 'timeout';
  if (/^(ECONNRESET|EPIPE|ECONNABORTED)$/.test(code)) return answered ? 'truncated' : 'reset';
  if (/^(ERR_BUFFER_TOO_LARGE|HPE_HEADER_OVERFLOW)$/.test(code)) return 'too-large';
  if (/^(Z_BUF_ERROR|ERR_STREAM_PREMATURE_CLOSE)$/.test(code)) return 'truncated';
  if (/^(HPE_|Z_|ERR__)/.test(code)) return 'protocol';
  if (/(CERT|ISSUER|TLS|SSL|EPROTO|CRL|SIGNATURE|CA_)/.test(code)) return 'tls';
  return undefined;
}

/** A gateway sends such an answer instead of the service: it is not judged. */
export function refuseOutage({ status }: Pick<Answer, 'status'>, where: string): void {
  if (status === 502 || status === 503 || status === 504)
    throw new Unreachable('unavailable', where, `status ${status}`);
}

/** The answer, or undefined if an unusual request got none: then the bypass does not work. */
export async function orNothing<Result>(request: Promise<Result>): Promise<Result | undefined> {
  try {
    return await request;
  } catch (error) {
    if (error instanceof Unreachable) return undefined;
    throw error;
  }
}
