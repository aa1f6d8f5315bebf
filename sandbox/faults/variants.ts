import { randomInt, randomUUID } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import type { Behaviour } from '../behaviour.ts';
import { sign, verify } from '../jwt.ts';
import { alsoFrom, count, refusal, refusedAs, type Variant } from './fault.ts';

const success = (accessToken: string) => ({ success: true, message: '', data: { accessToken } });

const withHeaders = (right: Behaviour, headers: Record<string, string>): Partial<Behaviour> => ({
  finish: (reply, call, state) => {
    const finished = right.finish(reply, call, state);
    return { ...finished, headers: { ...headers, ...finished.headers } };
  },
});

/** Stateless JWTs with whole seconds, as nine of nine libraries make them. */
const jwt: Partial<Behaviour> = {
  mint: (_state, now) => {
    const iat = Math.floor(now / 1000);
    return sign({ sub: 'client-1', iat, exp: iat + 86_400 });
  },
  find(text) {
    const claims = verify(text);
    return claims && { text, madeAt: (claims.exp - 86_400) * 1000, memo: new Map() };
  },
};

/** Services that differ, and keep the contract. */
export const variants: readonly Variant[] = [
  { name: 'jwt', means: 'Tokens are JWTs of whole seconds', make: () => jwt },
  {
    name: 'jwt-lenient-decoder',
    means: 'Signs that are no base64, and spare bits, in a JWT are passed over',
    make: () => ({
      ...jwt,
      find(text, state, call) {
        const [header, claims, signature = ''] = text.split('.');
        const decoded = Buffer.from(signature, 'base64url').toString('base64url');
        return jwt.find?.(`${header}.${claims}.${decoded}`, state, call);
      },
    }),
  },
  { name: 'uuid-tokens', means: 'Tokens are UUIDs', make: () => ({ mint: () => randomUUID() }) },
  {
    name: 'hex-tokens-in-any-case',
    means: 'Tokens are hexadecimal numbers, whose case means nothing',
    make: (right) => ({
      mint: () => randomUUID().replaceAll('-', ''),
      find: (text, state, call) => right.find(text.toLowerCase(), state, call),
    }),
  },
  {
    name: 'digit-tokens',
    means: 'Tokens are sixteen digits',
    make: () => ({ mint: () => Array.from({ length: 16 }, () => randomInt(10)).join('') }),
  },
  {
    name: 'short-tokens',
    means: 'Tokens have eight characters',
    make: () => ({ mint: () => randomUUID().slice(0, 8) }),
  },
  {
    name: 'long-tokens',
    means: 'Tokens have four thousand characters',
    make: (right) => ({ mint: (state, now) => right.mint(state, now).repeat(93) }),
  },
  {
    name: 'odd-tokens',
    means: 'Tokens hold every sign that a Bearer token may (RFC 6750 2.1)',
    make: (right) => ({ mint: (state, now) => `v1|${right.mint(state, now)}.-~+/=` }),
  },
  {
    name: 'created',
    means: 'A token response has status 201',
    make: (right) => ({ granted: (...of) => ({ ...right.granted(...of), status: 201 }) }),
  },
  {
    name: 'empty-message',
    means: 'The message of a token response is empty',
    make: () => ({ granted: ({ text }) => ({ status: 200, json: success(text) }) }),
  },
  {
    name: 'further-fields',
    means: 'The token response has further fields at every level',
    make: () => ({
      granted: ({ text }) => ({
        status: 200,
        json: {
          success: true,
          message: 'OK',
          code: 0,
          data: { accessToken: text, tokenType: 'Bearer', expiresIn: 86_400, refreshToken: null },
        },
      }),
    }),
  },
  {
    name: 'same-token-within-a-second',
    means: 'Two tokens of the same second are the same text',
    make: (right) => ({
      mint(state, now) {
        const second = Math.floor(now / 1000);
        for (const { text, madeAt } of [...state.tokens.values()].reverse())
          if (Math.floor(madeAt / 1000) === second) return text;
        return right.mint(state, now);
      },
    }),
  },
  ...[401, 403, 404, 422, 500].map(
    (status): Variant => ({
      name: `wrong-credentials-${status}`,
      means: `Wrong credentials are answered with ${status}`,
      make: () => ({ denied: () => ({ status, json: { success: false, message: 'No.' } }) }),
    }),
  ),
  {
    name: 'wrong-credentials-200',
    means: 'Wrong credentials are answered with 200 and success false',
    make: () => ({
      denied: () => ({
        status: 200,
        json: { success: false, message: 'No.', data: { accessToken: '' }, trace: randomUUID() },
      }),
    }),
  },
  {
    name: 'problem-json',
    means: 'Wrong credentials are answered as RFC 9457 has it',
    make: () => ({
      denied: () => ({
        status: 400,
        json: { type: 'about:blank', title: 'Bad Request', status: 400, instance: randomUUID() },
        headers: { 'Content-Type': 'application/problem+json' },
      }),
    }),
  },
  {
    name: 'malformed-json-as-page',
    means: 'Malformed JSON is answered with a page of the framework',
    make: (right) => ({
      denied: (why, call, state) =>
        why === 'malformed'
          ? {
              status: 400,
              body: '<h1>Bad Request</h1>',
              headers: { 'Content-Type': 'text/html' },
            }
          : right.denied(why, call, state),
    }),
  },
  {
    name: 'form-credentials',
    means: 'Credentials may also be sent as a form',
    make: (right) => ({
      credentials(call) {
        const form = new URLSearchParams(call.body);
        return (
          right.credentials(call) ?? {
            apiKey: form.get('apiKey'),
            secretKey: form.get('secretKey'),
          }
        );
      },
    }),
  },
  {
    name: 'further-fields-in-the-401',
    means: 'The 401 names the request and the time',
    make: () => ({
      unauthorised: (_cause, call) => ({
        status: 401,
        json: {
          ...refusal,
          path: call.path,
          requestId: randomUUID(),
          timestamp: new Date(call.now).toISOString(),
          data: null,
        },
      }),
    }),
  },
  {
    name: 'www-authenticate',
    means: 'The 401 says by WWW-Authenticate what is wrong',
    make: () => ({
      unauthorised: (cause) => ({
        status: 401,
        json: refusal,
        headers: { 'WWW-Authenticate': `Bearer realm="api", error="${cause}"` },
      }),
    }),
  },
  {
    name: 'refusal-as-plain-text-type',
    means: 'The JSON of the 401 is declared with another type and a byte order mark',
    make: () =>
      refusedAs({
        body: `\uFEFF${JSON.stringify(refusal, undefined, 2)}\n`,
        headers: { 'Content-Type': 'application/vnd.api+json; charset=UTF-8' },
      }),
  },
  {
    name: 'scheme-in-any-case',
    means: 'The scheme is matched without regard to case, and extra blanks are forgiven',
    make: (right) =>
      alsoFrom(
        right,
        ({ headers }) => /^bearer[ \t]+(\S+)$/i.exec(headers.authorization ?? '')?.[1],
      ),
  },
  {
    name: 'gzip',
    means: 'Bodies are compressed',
    make: () => ({
      finish: ({ json, body = JSON.stringify(json), ...reply }) => ({
        ...reply,
        body: gzipSync(body),
        headers: {
          'Content-Type': 'application/json',
          ...reply.headers,
          'Content-Encoding': 'gzip',
        },
      }),
    }),
  },
  {
    name: 'chunks',
    means: 'Bodies are sent in chunks, without a length',
    make: (right) => withHeaders(right, { 'Transfer-Encoding': 'chunked' }),
  },
  {
    name: 'closes-connections',
    means: 'Every connection is closed after its answer',
    make: (right) => withHeaders(right, { Connection: 'close' }),
  },
  {
    name: 'rate-limit-headers',
    means: 'Every answer has headers about limits, caching and an end of the version',
    make: (right) =>
      withHeaders(right, {
        'RateLimit-Limit': '100',
        'X-RateLimit-Remaining': '99',
        'Cache-Control': 'no-store',
        Sunset: 'Sat, 31 Dec 2050 23:59:59 GMT',
      }),
  },
  {
    name: 'too-many-requests',
    means: 'Every fortieth request is asked to come again at once',
    make: () => ({
      finish: (reply, _call, state) =>
        count(state, 'requests') % 40 === 0
          ? { status: 429, json: { success: false }, headers: { 'Retry-After': '0' } }
          : reply,
    }),
  },
  {
    name: 'cookies-without-meaning',
    means: 'Authorised answers set a cookie that opens nothing',
    make: (right) => ({
      authorised: (...of) => ({
        ...right.authorised(...of),
        headers: { 'Set-Cookie': `visitor=${randomUUID()}; Path=/` },
      }),
    }),
  },
  {
    name: 'cors',
    means: 'OPTIONS is answered for browsers, without a token',
    make: (right) => ({
      route: (call, state) =>
        right.route(call, state) ??
        (call.method === 'OPTIONS'
          ? { method: 'OPTIONS', path: call.path, reply: { status: 204 } }
          : undefined),
      guard: (call, state, self) =>
        call.method === 'OPTIONS' ? undefined : right.guard(call, state, self),
    }),
  },
  {
    name: 'forgiving-router',
    means: 'Other spellings of a path lead to the endpoint, past the same guard',
    make: (right) => ({
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
  },
  {
    name: 'endpoints-without-success',
    means: 'Authorised requests are answered with 404, 422 and the like',
    make: () => ({
      authorised: ({ method }) =>
        method === 'GET'
          ? { status: 422, json: { success: false, message: 'A parameter is missing.' } }
          : { status: 409, body: '' },
    }),
  },
  {
    name: 'nothing-there',
    means: 'An endpoint answers 404 with and without a token',
    make: (right) => ({
      authorised: () => ({ status: 404, json: { success: false, message: 'No such widget.' } }),
      unauthorised: (cause, call, state) =>
        call.method === 'GET' ? { status: 404 } : right.unauthorised(cause, call, state),
    }),
  },
  {
    name: 'empty-payload',
    means: 'Authorised requests are answered with 204',
    make: () => ({ authorised: () => ({ status: 204 }) }),
  },
  {
    name: 'large-payload',
    means: 'Authorised requests are answered with 200,000 bytes',
    make: () => ({
      authorised: () => ({ status: 200, json: { text: 'x'.repeat(200_000) } }),
    }),
  },
];
