import { randomUUID } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { type Behaviour, type Call, type Reply, right } from '../../sandbox/behaviour.ts';
import {
  alsoFrom,
  count,
  type Fault,
  type Faults,
  family,
  has,
  htmlPage,
  inAuthorization,
  refusal,
  refusingAs,
  withHeaders,
} from './fault.ts';

/** Other ways to transport requests and answers: headers, encodings, connections. */
export const transportVariants: Faults = {
  'scheme-in-any-case': alsoFrom(inAuthorization(/^bearer[ \t]+(\S+)$/i)),
  gzip: {
    finish: ({ json, body = JSON.stringify(json), ...reply }) => ({
      ...reply,
      body: gzipSync(body),
      headers: { 'Content-Type': 'application/json', ...reply.headers, 'Content-Encoding': 'gzip' },
    }),
  },
  chunks: withHeaders(() => ({ 'Transfer-Encoding': 'chunked' })),
  'closes-connections': withHeaders(() => ({ Connection: 'close' })),
  'too-many-requests': {
    finish: (reply, _call, state) =>
      count(state, 'requests') % 40 === 0
        ? { status: 429, json: { success: false }, headers: { 'Retry-After': '0' } }
        : reply,
  },
  'cookies-without-meaning': {
    authorised: ({ reply }) => ({ ...reply, headers: { 'Set-Cookie': `visitor=${randomUUID()}` } }),
  },
  'long-lines-are-bad-requests': {
    mint: (state, now) => right.mint(state, now).repeat(112),
    finish(reply, { url, path, headers }) {
      if (url.length - path.length > 2048) return { status: 404 };
      const isLong = Object.values(headers).some((value = '') => value.length > 8190);
      return isLong ? { status: 400, body: 'Request Header Or Cookie Too Large' } : reply;
    },
  },
  'charset-of-json-refused': {
    credentials: (call) =>
      call.headers['content-type'] === 'application/json' ? right.credentials(call) : undefined,
  },
};

/** Some unknown routes get a status other than 404. */
const unrouted = (answer: (call: Call) => Reply | false): Fault => ({
  finish: (reply, call, state) =>
    (right.route(call, state) === undefined && reply.status === 404 && answer(call)) || reply,
});

/** OPTIONS needs no token. @param methodOf the method that counts */
const preflight = (methodOf: (call: Call) => string): Fault => ({
  route: (call, state) =>
    methodOf(call) === 'OPTIONS'
      ? { method: 'OPTIONS', path: call.path, reply: { status: 204 } }
      : right.route({ ...call, method: methodOf(call) }, state),
  guard: (call, state, self) =>
    methodOf(call) === 'OPTIONS' ? undefined : right.guard(call, state, self),
});

const welcome = '<!doctype html><title>Welcome</title>';

/** Routers treat unusual methods and paths in different ways. */
export const routerVariants: Faults = {
  cors: preflight(({ method }) => method),
  'preflight-by-override': preflight(({ headers, url, body, method }) => {
    const [, inText] = /\b_method=([A-Z]+)/.exec(`${url} ${body}`) ?? [];
    return String(headers['x-http-method-override'] ?? inText ?? method);
  }),
  'forgiving-router': {
    route(call, state) {
      const { pathname } = new URL(call.path.toLowerCase(), 'http://sandbox');
      const path = pathname.replace(/\/\/+/g, '/').replace(/\/$|;.*|\.json$/g, '');
      return right.route({ ...call, path, method: call.method.replace('HEAD', 'GET') }, state);
    },
  },
  'welcome-page': unrouted(() => htmlPage(200, welcome)),
  'welcome-in-the-form-of-an-endpoint': unrouted(({ url }) => ({
    status: 200,
    json: { widgets: [url] },
  })),
  'methods-not-allowed': unrouted(({ path }) => {
    const [, name] = /\/(widgets|reports)$/.exec(path) ?? [];
    return (
      name !== undefined && { status: 405, headers: { Allow: name === 'widgets' ? 'GET' : 'POST' } }
    );
  }),
  'odd-methods-get-no-answer': {
    arrived({ method, connection }) {
      if (!/^(GET|POST|HEAD|PUT|DELETE)$/.test(method)) connection.destroy?.();
      return 0;
    },
  },
  'redirects-to-the-canonical-path': unrouted(({ path }) => {
    const plain = path.toLowerCase().replace(/\/\/+/g, '/');
    const Location = plain.replace(/[/.]$|;.*|\.\w+$/g, '');
    return Location !== path && { status: 308, headers: { Location } };
  }),
};

/** Answers some requests in front of the service, alike for all clients; not at the token endpoint. */
const inFront = (answer: (call: Call) => Reply | false | undefined): Fault => ({
  finish: (reply, call) => (!call.path.endsWith('/auth/token') && answer(call)) || reply,
});

/** Requests that something in front of the service refuses by a page with this status. */
const blocking = (status: number, when: (call: Call) => boolean) =>
  inFront((call) => when(call) && htmlPage(status, '<h1>Request blocked</h1>'));

/** Whether a client does not accept JSON. */
const refusesJson = ({ headers: { accept = '*/*' } }: Call): boolean => !/\*\/\*|json/.test(accept);

const hasBodyWithGet = ({ method, body }: Call): boolean => method === 'GET' && body !== '';

/** What is refused in front of the service, and by which status. */
const blocks: Readonly<Record<string, readonly [number, (call: Call) => boolean]>> = {
  'other-origins-are-blocked': [403, has('origin')],
  // Robots, curl, and clients without User-Agent.
  'robots-are-blocked': [403, has('user-agent', /^$|curl|bot/i)],
  'forwarded-requests-are-blocked': [403, has('x-forwarded-for')],
  'odd-headers-are-blocked': [403, has('authorization', /[{}%]|[^\0-\x7f]/)],
  'many-headers-refused': [431, ({ headers }) => Object.keys(headers).length > 40],
  'few-headers': [431, ({ headers }) => Object.entries(headers).join().length > 4096],
  'short-addresses': [414, ({ url }) => url.length > 1024],
  'body-with-get-400': [400, hasBodyWithGet],
  'body-with-get-502': [502, hasBodyWithGet],
  'strict-parameters': [400, ({ query }) => query.size > 0],
  'no-upgrades': [426, has('upgrade')],
  // RFC 6750 3.1.
  'token-twice-is-a-bad-request': [400, (call) => waysOf(call) > 1],
};

/** In how many of RFC 6750's ways a request carries a token. */
const waysOf = ({ headers, query, body }: Call): number =>
  [
    headers.authorization?.startsWith('Bearer '),
    query.has('access_token'),
    /(^|&)access_token=|"access_token"/.test(body),
  ].filter(Boolean).length;

/** Proxies, firewalls and frameworks answer some requests before the service. */
export const proxyVariants: Faults = {
  ...family('*', blocks, ([status, when]) => blocking(status, when)),
  firewall: {
    finish: (reply, { url, headers }) =>
      /%(00|25|2e|5c|c0)|\.\.|[\\;~]|\.(bak|php|env)$/i.test(url) ||
      headers['x-original-url'] !== undefined ||
      /bot\//.test(headers['user-agent'] ?? '') ||
      /\b(127\.0\.0\.1|localhost)\b/.test(String(headers['x-forwarded-for']))
        ? htmlPage(403, welcome)
        : reply,
  },
  'firewall-of-schemes': inFront(({ headers: { authorization = '' } }) => {
    if (/["=,:](?!$)/.test(authorization)) return htmlPage(406, welcome);
    const known = /^(Bearer|Basic|Digest|Token|JWT|OAuth|ApiKey)? ?\S*$/;
    return !known.test(authorization) && htmlPage(403, welcome);
  }),
  'not-acceptable': inFront((call) => refusesJson(call) && { status: 406 }),
  'not-acceptable-without-a-token': refusingAs({ status: 406 }, refusesJson),
  'bodies-looked-at-first': inFront(({ headers, body }) => {
    if (body === '') return undefined;
    if (headers['content-type'] !== 'application/json')
      return { status: 415, json: { title: 'Unsupported Media Type' } };
    return body !== '{}' && { status: 400, json: { title: 'Unknown fields' } };
  }),
  'head-answered-by-the-balancer': inFront(
    ({ method }) =>
      method === 'HEAD' && { status: 200, headers: { 'Content-Type': 'application/json' } },
  ),
  'trace-echoed': inFront(({ method, url }) => {
    const headers = { 'Content-Type': 'message/http' };
    return method === 'TRACE' && { status: 200, headers, body: `TRACE ${url} HTTP/1.1` };
  }),
  'open-upgrades': inFront(({ headers }) => {
    const protocol = { Connection: 'Upgrade', Upgrade: 'websocket' };
    return headers.upgrade !== undefined && { status: 101, headers: protocol };
  }),
  'old-protocols-are-blocked': inFront(({ headers, httpVersion }) => {
    if (headers['transfer-encoding'] !== undefined) return { status: 411 };
    return httpVersion === '1.0' && htmlPage(403, welcome);
  }),
  'queries-are-not-found': inFront(({ headers, url }) => {
    if (headers.cookie !== undefined) return { status: 400, json: { title: 'Bad Request' } };
    return url.includes('?') && { status: 404 };
  }),
  // RFC 6750 2.
  'token-twice-is-refused': {
    presented: (call, state) => (waysOf(call) > 1 ? 'invalid' : right.presented(call, state)),
  },
  'malformed-credentials-are-bad-requests': refusingAs(
    { status: 400, json: refusal },
    has('authorization', /( .*){3}/),
  ),
  'preconditions-after-the-guard': {
    authorised({ reply }, { headers }) {
      if (headers['if-match'] !== undefined) return { status: 412 };
      if (headers['if-none-match'] ?? headers['if-modified-since']) return { status: 304 };
      return { ...reply, headers: { ETag: '"1"', 'Last-Modified': new Date(0).toUTCString() } };
    },
  },
};

/** What a network may answer instead of the provider: proxies, firewalls and restarts. */
export const accidents: Readonly<Record<string, Reply | 'reset'>> = {
  404: htmlPage(404, '<h1>default backend - 404</h1>'),
  408: { status: 408, headers: { Connection: 'close' } },
  500: htmlPage(500, '<h1>Internal Server Error</h1>'),
  502: htmlPage(502, '<h1>Bad Gateway</h1>'),
  520: htmlPage(520, '<h1>Web server is returning an unknown error</h1>'),
  maintenance: htmlPage(200, '<h1>Down for maintenance</h1>'),
  reset: 'reset',
};

/**
 * Replaces some answers by an accident.
 * @param strikes whether the request of this number, counted from one, has an accident
 */
export const noisy = (
  accident: Reply | 'reset',
  strikes: (request: number) => boolean,
): Pick<Behaviour, 'finish'> => ({
  finish(reply, call, state) {
    if (!strikes(count(state, 'requests on a noisy way'))) return reply;
    if (accident !== 'reset') return accident;
    // In simulations a connection is not a socket, and nothing is reset.
    call.connection.destroy?.();
    return reply;
  },
});

/** About one request in a hundred has an accident. */
export const noiseVariants: Faults = family('noise-*', accidents, (accident) =>
  noisy(accident, (request) => request % 97 === 0),
);
