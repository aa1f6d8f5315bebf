import { randomUUID } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { type Call, type Reply, right, type ServiceState } from '../../../sandbox/behaviour.ts';
import { alsoFrom, count, type Fault, type Faults, htmlPage, refusal } from '../fault.ts';
import { refusingAs } from '../refusals.ts';
import { has, inAuthorization } from '../request-parts.ts';
import { before, blocked } from './token-places.ts';

/** Every answer has further headers. */
export const withHeaders = (
  headers: (call: Call, state: ServiceState) => Reply['headers'],
): Fault => ({
  finish: (reply, ...given) => ({ ...reply, headers: { ...headers(...given), ...reply.headers } }),
});

/** Answers some requests alike for all clients, but never at the token endpoint. */
const inFrontOf = (reply: Reply, when: (call: Call) => boolean) =>
  before((call) => (when(call) ? reply : undefined));

/** An unknown route gets a status other than 404; undefined leaves the answer unchanged. */
const unrouted = (answer: (call: Call) => Reply | undefined): Fault => ({
  finish: (reply, call, state) =>
    (right.route(call, state) === undefined && reply.status === 404 && answer(call)) || reply,
});

/** OPTIONS needs no token. @param meant the request, with the method that counts */
const preflight = (meant = (call: Call): Call => call): Fault => ({
  route: (call, state) =>
    meant(call).method === 'OPTIONS'
      ? { method: 'OPTIONS', path: call.path, reply: { status: 204 } }
      : right.route(meant(call), state),
  guard: (call, state, self) =>
    meant(call).method === 'OPTIONS' ? undefined : right.guard(call, state, self),
});

/** Whether a client does not accept JSON. */
const refusesJson = ({ headers: { accept = '*/*' } }: Call): boolean => !/\*\/\*|json/.test(accept);

const welcome = '<!doctype html><title>Welcome</title>';

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
  'rate-limit-headers': withHeaders(() => ({
    'RateLimit-Limit': '100',
    'X-RateLimit-Remaining': '99',
    'Cache-Control': 'no-store',
    Sunset: 'Sat, 31 Dec 2050 23:59:59 GMT',
  })),
  'too-many-requests': {
    finish: (reply, _call, state) =>
      count(state, 'requests') % 40 === 0
        ? { status: 429, json: { success: false }, headers: { 'Retry-After': '0' } }
        : reply,
  },
  'refusals-are-slowed-down': {
    unauthorised: (cause, call, state) =>
      count(state, 'refusals') % 20 === 0
        ? { status: 429, headers: { 'Retry-After': '0' } }
        : right.unauthorised(cause, call, state),
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
  'many-headers-refused': inFrontOf(
    { status: 431, body: 'Too many headers' },
    ({ headers }) => Object.keys(headers).length > 40,
  ),
  'untyped-bodies-are-refused-first': inFrontOf(
    { status: 415, body: '' },
    ({ method, headers }) => method === 'POST' && headers['content-type'] === undefined,
  ),
  'bodies-looked-at-first': before(({ headers, body }) => {
    if (body === '') return undefined;
    if (headers['content-type'] !== 'application/json')
      return { status: 415, json: { title: 'Unsupported Media Type' } };
    return body === '{}' ? undefined : { status: 400, json: { title: 'Unknown fields' } };
  }),
  'charset-of-json-refused': {
    credentials: (call) =>
      call.headers['content-type'] === 'application/json' ? right.credentials(call) : undefined,
  },
};

/** Routers treat unusual methods and paths in different ways. */
export const routerVariants: Faults = {
  cors: preflight(),
  'preflight-by-override': preflight((call) => {
    const method =
      call.headers['x-http-method-override'] ??
      call.query.get('_method') ??
      /^_method=([A-Z]+)$/.exec(call.body)?.[1] ??
      call.method;
    return { ...call, method: String(method) };
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
  'head-answered-by-the-balancer': inFrontOf(
    { status: 200, headers: { 'Content-Type': 'application/json' } },
    ({ method }) => method === 'HEAD',
  ),
  'trace-echoed': before(({ method, url }) => {
    const headers = { 'Content-Type': 'message/http' };
    return method === 'TRACE' ? { status: 200, headers, body: `TRACE ${url} HTTP/1.1` } : undefined;
  }),
  'methods-not-allowed': unrouted(({ path }) => {
    const [, name] = /\/(widgets|reports)$/.exec(path) ?? [];
    if (name === undefined) return undefined;
    return { status: 405, headers: { Allow: name === 'widgets' ? 'GET' : 'POST' } };
  }),
  'odd-methods-get-no-answer': {
    arrived({ method, connection }) {
      if (!/^(GET|POST|HEAD|PUT|DELETE)$/.test(method)) connection.destroy?.();
      return 0;
    },
  },
  'redirects-to-the-canonical-path': unrouted(({ path }) => {
    const Location = path
      .toLowerCase()
      .replace(/\/\/+/g, '/')
      .replace(/[/.]$|;.*|\.\w+$/g, '');
    return Location === path ? undefined : { status: 308, headers: { Location } };
  }),
};

/** Proxies, firewalls and frameworks answer some requests before the service. */
export const proxyVariants: Faults = {
  firewall: {
    finish: (reply, { url, headers }) =>
      /%(00|25|2e|5c|c0)|\.\.|[\\;~]|\.(bak|php|env)$/i.test(url) ||
      headers['x-original-url'] !== undefined ||
      /bot\//.test(headers['user-agent'] ?? '') ||
      /\b(127\.0\.0\.1|localhost)\b/.test(String(headers['x-forwarded-for']))
        ? htmlPage(403, welcome)
        : reply,
  },
  'not-acceptable': inFrontOf({ status: 406 }, refusesJson),
  'not-acceptable-without-a-token': refusingAs({ status: 406 }, refusesJson),
  'other-origins-are-blocked': inFrontOf(blocked(403), has('origin')),
  // Robots, curl, and clients without User-Agent.
  'robots-are-blocked': inFrontOf(blocked(403), ({ headers }) =>
    /^$|curl|bot/i.test(headers['user-agent'] ?? ''),
  ),
  'old-protocols-are-blocked': before(({ headers, httpVersion }) => {
    if (headers['transfer-encoding'] !== undefined) return { status: 411 };
    return httpVersion === '1.0' ? blocked(403) : undefined;
  }),
  'queries-are-not-found': before(({ headers, url }) => {
    if (headers.cookie !== undefined) return { status: 400, json: { title: 'Bad Request' } };
    return url.includes('?') ? { status: 404 } : undefined;
  }),
  'forwarded-requests-are-blocked': inFrontOf(blocked(403), has('x-forwarded-for')),
  'odd-headers-are-blocked': inFrontOf(blocked(403), has('authorization', /[{}%]|[^\0-\x7f]/)),
  'odd-headers-are-blocked-in-json': inFrontOf(
    { status: 403, json: { message: 'Forbidden' } },
    ({ rawHeaders }) => /[{}]|[^\0-\x7f]/.test(rawHeaders.join('\n')),
  ),
  'malformed-credentials-are-bad-requests': refusingAs(
    { status: 400, json: refusal },
    has('authorization', /( .*){3}/),
  ),
  'preconditions-after-the-guard': {
    authorised({ reply }, call) {
      if (has('if-match')(call)) return { status: 412 };
      if (has('if-none-match')(call) || has('if-modified-since')(call)) return { status: 304 };
      return { ...reply, headers: { ETag: '"1"', 'Last-Modified': new Date(0).toUTCString() } };
    },
  },
};
