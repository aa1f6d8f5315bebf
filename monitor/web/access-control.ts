import { createHash, timingSafeEqual } from 'node:crypto';
import type { Secret } from '../../contract/secrets/secret.ts';

/** Why a request is not answered: a line that says what to do. */
export interface Refusal {
  readonly status: 400 | 401 | 413 | 421;
  readonly line: string;
  readonly headers: Readonly<Record<string, string>>;
}

export interface Rules {
  /** Without one, everybody who gets here may come in. */
  readonly authToken?: Secret;
  /** Whether the monitor accepts this host name. */
  readonly isOurName: (name: string) => boolean;
  /** Whether a host name is one that others cannot make point here. */
  readonly isLocal: (name: string) => boolean;
}

/** Changes what is watched. */
export const reloading = '/-/reload';

/** A process supervisor may request this without a token: it only reports that the monitor runs. */
export const openToAll = '/-/healthy';

/** Looks at a request before any route does. @returns why it is refused, when it is */
export function refusalOf(request: Request, rules: Rules): Refusal | undefined {
  const { headers, url } = request;
  const { authToken, isOurName, isLocal } = rules;
  if (hasBody(headers))
    return { status: 413, line: 'No route accepts a body.', headers: { Connection: 'close' } };
  const requested = URL.parse(url);
  if (requested === null)
    return { status: 400, line: 'The Host header is missing or invalid.', headers: {} };
  const { pathname, hostname } = requested;
  if (pathname === openToAll) return undefined;
  if (authToken === undefined && pathname === reloading && !isLocal(hostname)) return unsure;
  if (authToken === undefined) return isOurName(hostname) ? undefined : stranger;
  return isHolder(authToken, headers.get('Authorization') ?? '') ? undefined : unknown;
}

/**
 * A page from elsewhere may have its name resolve to this machine, and would then read what only this machine may:
 * with its own name as the host.
 */
const stranger: Refusal = {
  status: 421,
  line: 'The monitor accepts local requests only, and not under this host name: use localhost, or set MONITOR_AUTH_TOKEN.',
  headers: {},
};

/** Beyond this machine the monitor may have any name, and so may a page from elsewhere that asks for it. */
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

/** Names that cannot be made to point here by others: addresses, this machine's own name, and the one that is set. */
export function isLocalName(name: string, set: string): boolean {
  return (
    /^[\d.]+$|^\[.*\]$/.test(name) || /(^|\.)localhost$/.test(name) || name === set.toLowerCase()
  );
}

/** Both sides are hashed, so that neither their lengths nor their beginnings show in the time that it takes. */
function isHolder(token: Secret, authorization: string): boolean {
  const [, scheme = '', credentials = ''] = /^(\w+) +(.*)$/.exec(authorization) ?? [];
  const given = givenIn.get(scheme.toLowerCase())?.(credentials);
  return given !== undefined && token.is((text) => timingSafeEqual(hash(text), hash(given)));
}

/** The token within credentials, by scheme. Browsers know only Basic. */
const givenIn = new Map<string, (credentials: string) => string>([
  // A header is read as Latin-1, whatever was meant.
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

/** Whether a page of another site has sent this: browsers say where such a request comes from. */
export function isFromElsewhere({ headers, url }: Request): boolean {
  const origin = headers.get('Origin');
  if (origin === null) return false;
  return !URL.canParse(origin) || new URL(origin).host !== new URL(url).host;
}
