import { randomUUID } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { type Behaviour, right } from '../../../sandbox/behaviour.ts';
import { alsoFrom, count, fault, type Variant } from '../fault.ts';

export const withHeaders = (headers: Record<string, string>): Partial<Behaviour> => ({
  finish: (reply, call, state) => {
    const finished = right.finish(reply, call, state);
    return { ...finished, headers: { ...headers, ...finished.headers } };
  },
});

/** Other ways to transport requests and answers: headers, encodings, connections, routes. */
export const transportVariants: readonly Variant[] = [
  fault(
    'scheme-in-any-case',
    'The scheme is matched without regard to case, and extra blanks are forgiven',
    () => alsoFrom(({ headers }) => /^bearer[ \t]+(\S+)$/i.exec(headers.authorization ?? '')?.[1]),
  ),
  fault('gzip', 'Bodies are compressed', () => ({
    finish: ({ json, body = JSON.stringify(json), ...reply }) => ({
      ...reply,
      body: gzipSync(body),
      headers: {
        'Content-Type': 'application/json',
        ...reply.headers,
        'Content-Encoding': 'gzip',
      },
    }),
  })),
  fault('chunks', 'Bodies are sent in chunks, without a length', () =>
    withHeaders({ 'Transfer-Encoding': 'chunked' }),
  ),
  fault('closes-connections', 'Every connection is closed after its answer', () =>
    withHeaders({ Connection: 'close' }),
  ),
  fault(
    'rate-limit-headers',
    'Every answer has headers about limits, caching and an end of the version',
    () =>
      withHeaders({
        'RateLimit-Limit': '100',
        'X-RateLimit-Remaining': '99',
        'Cache-Control': 'no-store',
        Sunset: 'Sat, 31 Dec 2050 23:59:59 GMT',
      }),
  ),
  fault('too-many-requests', 'Every fortieth request is asked to come again at once', () => ({
    finish: (reply, _call, state) =>
      count(state, 'requests') % 40 === 0
        ? { status: 429, json: { success: false }, headers: { 'Retry-After': '0' } }
        : reply,
  })),
  fault('cookies-without-meaning', 'Authorised answers set a cookie that opens nothing', () => ({
    authorised: (...of) => ({
      ...right.authorised(...of),
      headers: { 'Set-Cookie': `visitor=${randomUUID()}; Path=/` },
    }),
  })),
  fault('cors', 'OPTIONS is answered for browsers, without a token', () => ({
    route: (call, state) =>
      right.route(call, state) ??
      (call.method === 'OPTIONS'
        ? { method: 'OPTIONS', path: call.path, reply: { status: 204 } }
        : undefined),
    guard: (call, state, self) =>
      call.method === 'OPTIONS' ? undefined : right.guard(call, state, self),
  })),
  fault(
    'long-lines-are-bad-requests',
    'Tokens are long, a header of more than 8,190 signs is answered with 400, and a query of 2,048 with 404',
    () => ({
      mint: (state, now) => right.mint(state, now).repeat(112),
      finish(reply, { url, path, headers }) {
        if (url.length - path.length > 2048) return { status: 404 };
        const long = Object.values(headers).some((value = '') => value.length > 8190);
        return long ? { status: 400, body: 'Request Header Or Cookie Too Large' } : reply;
      },
    }),
  ),
  fault(
    'untyped-bodies-are-refused-first',
    'A POST to an endpoint without a type of its body is answered with 415, to all',
    () => ({
      finish: (reply, { method, path, headers }) =>
        method === 'POST' && path.endsWith('/reports') && headers['content-type'] === undefined
          ? { status: 415, body: '' }
          : reply,
    }),
  ),
  fault(
    'bodies-looked-at-first',
    'A body of another type is answered with 415, and one of unknown fields with 400, to all',
    () => ({
      finish(reply, { path, headers, body }) {
        if (path.endsWith('/auth/token') || body === '') return reply;
        if (headers['content-type'] !== 'application/json')
          return { status: 415, json: { title: 'Unsupported Media Type' } };
        return body === '{}' ? reply : { status: 400, json: { title: 'Unknown fields' } };
      },
    }),
  ),
  fault(
    'charset-of-json-refused',
    'Credentials are read only if the type of the body is application/json without a parameter',
    () => ({
      credentials: (call) =>
        call.headers['content-type'] === 'application/json' ? right.credentials(call) : undefined,
    }),
  ),
  fault(
    'forgiving-router',
    'Other spellings of a path lead to the endpoint, past the same guard',
    () => ({
      route: (call, state) =>
        right.route(
          {
            ...call,
            method: call.method === 'HEAD' ? 'GET' : call.method,
            path: new URL(call.path.toLowerCase(), 'http://sandbox').pathname
              .replace(/\/\/+/g, '/')
              .replace(/\/$|;.*|\.json$/g, ''),
          },
          state,
        ),
    }),
  ),
];
