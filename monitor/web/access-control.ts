import { createHash, timingSafeEqual } from 'node:crypto';
import type { Secret } from '../../contract/secrets/secret.ts';

/** Why a request is refused: a line that says what to do. */
export interface Refusal {
  readonly status: 400 | 401 | 413 | 421;
  readonly line: string;
  readonly headers: Readonly<Record<string, string>>;
}

export interface Rules {
  /** Without a token, every client that reaches the monitor is admitted. */
  readonly authToken?: Secret;
  /** Whether the monitor accepts this host name. */
  readonly isOurName: (name: string) => boolean;
  /** Whether a host name is one that others cannot make resolve to this machine. */
  readonly isLocal: (name: string) => boolean;
}

/** The route that reloads the targets, and so changes what is watched. */
export const reloading = '/-/reload';

/** Open to all, since process supervisors have no token. They show only whether the monitor runs, or is stopping. */
export const openToAll = { healthy: '/-/healthy', ready: '/-/ready' };

const isOpen = (path: string): boolean => Object.values(openToAll).includes(path);

/** Checks a request before any route runs. @returns the reason of a refusal, if it is refused */
export function refusalOf(request: Request, rules: Rules): Refusal | undefined {
  const { headers, url } = request;
  const { authToken, isOurName, isLocal } = rules;
  if (hasBody(headers))
    return { status: 413, line: 'No route accepts a body.', headers: { Connection: 'close' } };
  const requested = URL.parse(url);
  if (requested === null)
    return { status: 400, line: 'The Host header is missing or invalid.', headers: {} };
  const { pathname, hostname } = requested;
  if (isOpen(pathname)) return undefined;
  if (authToken === undefined && pathname === reloading && !isLocal(hostname)) return unsure;
  if (authToken === undefined) return isOurName(hostname) ? undefined : stranger;
  return isHolder(authToken, headers.get('Authorization') ?? '') ? undefined : unknown;
}

/**
 * The host name of a foreign page may resolve to this machine (DNS rebinding). Without this check that page could
 * read, under its own host name, what only this machine may read.
 */
const stranger: Refusal = {
  status: 421,
  line: 'The monitor accepts local requests only, and not under this host name: use localhost, or set MONITOR_AUTH_TOKEN.',
  headers: {},
};

/** On other interfaces the monitor may have any name. So may a foreign page that sends requests to it. */
const unsure: Refusal = {
  status: 421,
  line: 'Without MONITOR_AUTH_TOKEN a reload needs an IP address or localhost as its host: set the token, or send SIGHUP.',
  headers: {},
};

const unknown: Refusal = {
  status: 401,
  line: 'A token is required: as a Bearer token, or as the password with any user name.',
  headers: { 'WWW-Authenticate': 'Basic realm="monitor"' },
};

function hasBody(headers: Headers): boolean {
  return headers.has('Transfer-Encoding') || Number(headers.get('Content-Length') ?? 0) > 0;
}

/**
 * Host names that others cannot make resolve to this machine: IP addresses, this machine's own name, and the
 * configured name.
 */
export function isLocalName(name: string, set: string): boolean {
  return (
    /^[\d.]+$|^\[.*\]$/.test(name) || /(^|\.)localhost$/.test(name) || name === set.toLowerCase()
  );
}

/** Both sides are hashed, so that the response time reveals neither their lengths nor their beginnings. */
function isHolder(token: Secret, authorization: string): boolean {
  const [, scheme = '', encoded = ''] = /^(\w+) +(.*)$/.exec(authorization) ?? [];
  const credentials = credentialsBy.get(scheme.toLowerCase())?.(encoded);
  return (
    credentials !== undefined && token.is((text) => timingSafeEqual(hash(text), hash(credentials)))
  );
}

/** Extracts the token from the credentials, by scheme. Browsers support only Basic. */
const credentialsBy = new Map<string, (credentials: string) => string>([
  // Node decodes headers as Latin-1, whatever their encoding.
  ['bearer', (credentials) => Buffer.from(credentials.trim(), 'latin1').toString()],
  [
    'basic',
    (credentials) =>
      Buffer.from(credentials, 'base64')
        .toString()
        .replace(/^[^:]*:/, ''),
  ],
]);

const hash = (text: string): Buffer => createHash('sha256').update(text).digest();

/** Whether a page of another site sent this request, as browsers report in its headers. */
export function isFromElsewhere({ headers, url }: Request): boolean {
  const origin = headers.get('Origin');
  if (origin === null) return false;
  return !URL.canParse(origin) || new URL(origin).host !== new URL(url).host;
}
