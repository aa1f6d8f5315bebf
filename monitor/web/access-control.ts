import { createHash, timingSafeEqual } from 'node:crypto';
import { auth } from 'hono/utils/basic-auth';
import type { Secret } from '../../contract/secrets/secret.ts';

/** Why a request is refused: a line that says what to do. */
export interface Refusal {
  readonly status: 400 | 401 | 413 | 421;
  readonly line: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface AccessRules {
  /** Without a token, every client that reaches the monitor is admitted. */
  readonly authToken?: Secret;
  readonly host: string;
  /** Whether only this machine reaches the monitor. */
  readonly isLoopback: () => boolean;
}

/** The route that reloads the targets, and so changes what is watched. */
export const reloadPath = '/-/reload';

/** Open to all, since process supervisors have no token. They show only whether the monitor runs, or is stopping. */
export const openToAll = { healthy: '/-/healthy', ready: '/-/ready' };

const refusals = {
  body: { status: 413, line: 'No route accepts a body.', headers: { Connection: 'close' } },
  host: { status: 400, line: 'The Host header is missing or invalid.' },
  token: {
    status: 401,
    line: 'A token is required: as a Bearer token, or as the password with any user name.',
    headers: { 'WWW-Authenticate': 'Basic realm="monitor"' },
  },
  name: {
    status: 421,
    line: 'Not under this host name: use localhost or an IP address, or set MONITOR_AUTH_TOKEN.',
  },
} as const satisfies Record<string, Refusal>;

/** Checks a request before any route runs. @returns the reason of a refusal, if it is refused */
export function findRefusal(request: Request, rules: AccessRules): Refusal | undefined {
  const { authToken, host, isLoopback } = rules;
  if (hasBody(request.headers)) return refusals.body;
  const requested = URL.parse(request.url);
  if (requested === null) return refusals.host;
  const { pathname, hostname } = requested;
  if (Object.values(openToAll).includes(pathname)) return undefined;
  if (authToken !== undefined) return isHolder(authToken, request) ? undefined : refusals.token;
  if (isLocalName(hostname, host)) return undefined;
  // The name of a foreign page may resolve to this machine (DNS rebinding). That page could read, under its own name,
  // what only this machine may read. On other interfaces the monitor may have any name, so only a reload is guarded.
  return isLoopback() || pathname === reloadPath ? refusals.name : undefined;
}

const hasBody = (headers: Headers): boolean =>
  headers.has('Transfer-Encoding') || Number(headers.get('Content-Length') ?? 0) > 0;

/** Whether others cannot make a name resolve to this machine: an IP address, localhost, and the configured name. */
const isLocalName = (name: string, configured: string): boolean =>
  /^[\d.]+$|^\[.*\]$|(^|\.)localhost$/.test(name) || name === configured.toLowerCase();

/** Both sides are hashed, so that the response time reveals neither their lengths nor their beginnings. */
function isHolder(token: Secret, request: Request): boolean {
  const [, bearer] = /^bearer +(.*)$/i.exec(request.headers.get('Authorization') ?? '') ?? [];
  // Node decodes headers as Latin-1, whatever their encoding. Browsers support only Basic.
  const sent = bearer && Buffer.from(bearer.trim(), 'latin1').toString();
  const sentHash = hash(sent ?? auth(request)?.password ?? '');
  return token.is((text) => timingSafeEqual(hash(text), sentHash));
}

const hash = (text: string): Buffer => createHash('sha256').update(text).digest();

/** Whether a page of another site sent this request, as browsers report in its headers. */
export function isFromElsewhere({ headers, url }: Request): boolean {
  const origin = headers.get('Origin');
  return origin !== null && URL.parse(origin)?.host !== new URL(url).host;
}
