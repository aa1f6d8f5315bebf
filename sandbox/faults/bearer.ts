import { alsoFrom, count, type Mutant, unguardedWhen } from './fault.ts';
import { everyRefusal, firstUses, without, withoutToken } from './probes.ts';

const cookie = (header: string | undefined, name: string): string | undefined =>
  header
    ?.split('; ')
    .find((pair) => pair.startsWith(`${name}=`))
    ?.slice(name.length + 1);

/** Valid tokens are refused, or a request without one is let in by what it carries elsewhere. */
export const bearerMutants: readonly Mutant[] = [
  {
    name: 'refuses-everything',
    means: 'Valid tokens are refused',
    breaks: ['TOKEN-4', 'BEARER-1'],
    caughtBy: firstUses,
    make: (right) => ({
      guard: (call, state, self) => right.guard(call, state, self) ?? 'invalid',
    }),
  },
  {
    name: 'second-endpoint-refuses-everything',
    means: 'One endpoint refuses valid tokens',
    breaks: ['TOKEN-4', 'BEARER-1'],
    caughtBy: ['a-token-is-valid-at-once', 'a-token-opens-the-endpoint'],
    make: (right) => ({
      guard: (call, state, self) =>
        right.guard(call, state, self) ?? (call.path.endsWith('/reports') ? 'invalid' : undefined),
    }),
  },
  {
    name: 'one-use',
    means: 'A token is good for one use',
    breaks: ['BEARER-6', 'EXPIRY-4'],
    caughtBy: ['another-token-leaves-the-first-alive', 'refused-requests-change-nothing'],
    make: (right) => ({
      expired: (token, ...of) => token.memo.has('used') || right.expired(token, ...of),
      used: ({ memo }) => void memo.set('used', 1),
    }),
  },
  {
    name: 'thirty-uses',
    means: 'A token is worn out after thirty uses',
    breaks: ['BEARER-1'],
    caughtBy: ['a-token-is-good-for-many-uses'],
    make: (right) => ({
      expired: (token, now, state, call) =>
        (token.memo.get('uses') ?? 0) >= 30 || right.expired(token, now, state, call),
      used: ({ memo }) => void memo.set('uses', (memo.get('uses') ?? 0) + 1),
    }),
  },
  {
    name: 'token-in-use-is-refused',
    means: 'A token that is in use is refused to a second request at the same time',
    breaks: ['BEARER-1'],
    caughtBy: ['a-token-is-good-for-many-uses'],
    make: (right) => ({
      arrived(call, state) {
        count(state, call.headers.authorization);
        return call.headers.authorization === undefined ? 0 : 5;
      },
      guard(call, state, self) {
        const atOnce = state.memo.get(call.headers.authorization) ?? 0;
        state.memo.set(call.headers.authorization, atOnce - 1);
        return right.guard(call, state, self) ?? (atOnce > 1 ? 'invalid' : undefined);
      },
    }),
  },
  {
    name: 'second-endpoint-unguarded',
    means: 'One endpoint has no guard',
    breaks: ['BEARER-2', 'BEARER-3', 'BEARER-4', 'BEARER-5', 'EXPIRY-2', 'EXPIRY-4'],
    caughtBy: [
      ...without(everyRefusal, '24-hours-on-every-date'),
      'a-chunked-body-is-no-way-in',
      'a-trusted-header-is-no-way-in',
      'another-spelling-of-the-path-is-no-way-in',
      'http-1-0-is-no-way-in',
    ],
    make: (right) => unguardedWhen(right, ({ path }) => path.endsWith('/reports')),
  },
  {
    name: 'no-header-no-check',
    means: 'Without an Authorization header nothing is checked',
    breaks: ['BEARER-2', 'BEARER-5', 'EXPIRY-2'],
    caughtBy: [
      ...withoutToken,
      'a-chunked-body-is-no-way-in',
      'a-trusted-header-is-no-way-in',
      'another-spelling-of-the-path-is-no-way-in',
      'http-1-0-is-no-way-in',
    ],
    make: (right) => unguardedWhen(right, ({ headers }) => headers.authorization === undefined),
  },
  {
    name: 'empty-header-no-check',
    means: 'With an empty Authorization header nothing is checked',
    breaks: ['BEARER-2'],
    caughtBy: ['a-request-without-a-token-is-refused'],
    make: (right) => unguardedWhen(right, ({ headers }) => headers.authorization === ''),
  },
  {
    name: 'scheme-alone-is-enough',
    means: 'The scheme alone is enough',
    breaks: ['BEARER-2'],
    caughtBy: ['a-request-without-a-token-is-refused'],
    make: (right) =>
      unguardedWhen(right, ({ headers }) => headers.authorization?.trim() === 'Bearer'),
  },
  {
    name: 'token-in-query-access-token',
    means: 'A token is also taken from the query, as access_token',
    breaks: ['BEARER-2'],
    caughtBy: ['a-token-in-the-query-is-refused'],
    make: (right) => alsoFrom(right, ({ query }) => query.get('access_token')),
  },
  {
    name: 'token-in-query-token',
    means: 'A token is also taken from the query, as token',
    breaks: ['BEARER-2'],
    caughtBy: ['a-token-in-the-query-is-refused'],
    make: (right) => alsoFrom(right, ({ query }) => query.get('token')),
  },
  {
    name: 'token-in-cookie-access-token',
    means: 'A token is also taken from the cookie access_token',
    breaks: ['BEARER-2'],
    caughtBy: ['a-token-in-a-cookie-is-refused'],
    make: (right) => alsoFrom(right, ({ headers }) => cookie(headers.cookie, 'access_token')),
  },
  {
    name: 'token-in-cookie-session',
    means: 'A token is also taken from the cookie session',
    breaks: ['BEARER-2'],
    caughtBy: ['a-token-in-a-cookie-is-refused'],
    make: (right) => alsoFrom(right, ({ headers }) => cookie(headers.cookie, 'session')),
  },
  {
    name: 'token-in-x-access-token',
    means: 'A token is also taken from the header X-Access-Token',
    breaks: ['BEARER-2'],
    caughtBy: ['a-token-in-another-header-is-refused'],
    make: (right) => alsoFrom(right, ({ headers }) => headers['x-access-token']?.toString()),
  },
  {
    name: 'token-in-x-api-key',
    means: 'A token is also taken from the header X-Api-Key',
    breaks: ['BEARER-2'],
    caughtBy: ['a-token-in-another-header-is-refused'],
    make: (right) => alsoFrom(right, ({ headers }) => headers['x-api-key']?.toString()),
  },
  {
    name: 'token-in-forwarded-authorization',
    means: 'A token is also taken from the header X-Forwarded-Authorization',
    breaks: ['BEARER-2'],
    caughtBy: ['a-token-in-another-header-is-refused'],
    make: (right) =>
      alsoFrom(right, ({ headers }) => headers['x-forwarded-authorization']?.toString().slice(7)),
  },
  {
    name: 'token-in-proxy-authorization',
    means: 'A token is also taken from the header Proxy-Authorization',
    breaks: ['BEARER-2'],
    caughtBy: ['a-token-in-another-header-is-refused'],
    make: (right) => alsoFrom(right, ({ headers }) => headers['proxy-authorization']?.slice(7)),
  },
  {
    name: 'token-in-form-body',
    means: 'A token is also taken from a form',
    breaks: ['BEARER-2'],
    caughtBy: ['a-token-in-the-body-is-refused'],
    make: (right) => alsoFrom(right, ({ body }) => new URLSearchParams(body).get('access_token')),
  },
  {
    name: 'token-in-json-body',
    means: 'A token is also taken from a JSON body',
    breaks: ['BEARER-2'],
    caughtBy: ['a-token-in-the-body-is-refused'],
    make: (right) => alsoFrom(right, ({ body }) => /"token":"([^"]*)"/.exec(body)?.[1]),
  },
  {
    name: 'scheme-not-looked-at',
    means: 'Any scheme will do',
    breaks: ['BEARER-2', 'BEARER-4'],
    caughtBy: [
      'a-token-without-its-scheme-is-refused',
      'another-scheme-is-refused',
      'every-cause-gets-the-same-401',
    ],
    make: () => ({
      presented: ({ headers }) => ({ token: headers.authorization?.split(' ').at(-1) ?? '' }),
    }),
  },
  {
    name: 'basic-is-fine-too',
    means: 'The scheme Basic will do',
    breaks: ['BEARER-2', 'BEARER-4'],
    caughtBy: ['another-scheme-is-refused', 'every-cause-gets-the-same-401'],
    make: (right) =>
      alsoFrom(right, ({ headers }) => /^Basic (\S+)$/.exec(headers.authorization ?? '')?.[1]),
  },
  {
    name: 'token-is-fine-too',
    means: 'The scheme Token will do',
    breaks: ['BEARER-4'],
    caughtBy: ['another-scheme-is-refused'],
    make: (right) =>
      alsoFrom(right, ({ headers }) => /^Token (\S+)$/.exec(headers.authorization ?? '')?.[1]),
  },
  {
    name: 'jwt-is-fine-too',
    means: 'The scheme JWT will do',
    breaks: ['BEARER-4'],
    caughtBy: ['another-scheme-is-refused'],
    make: (right) =>
      alsoFrom(right, ({ headers }) => /^JWT (\S+)$/.exec(headers.authorization ?? '')?.[1]),
  },
  {
    name: 'no-scheme-needed',
    means: 'The token alone will do',
    breaks: ['BEARER-4'],
    caughtBy: ['a-token-without-its-scheme-is-refused'],
    make: (right) =>
      alsoFrom(right, ({ headers }) => /^(\S+)$/.exec(headers.authorization ?? '')?.[1]),
  },
  {
    name: 'scheme-cut-off-by-length',
    means: 'The first seven characters are cut off, whatever they are',
    breaks: ['BEARER-4'],
    caughtBy: ['a-token-without-its-scheme-is-refused', 'another-scheme-is-refused'],
    make: (right) => alsoFrom(right, ({ headers }) => headers.authorization?.slice(7)),
  },
  {
    name: 'scheme-begins-right',
    means: 'A scheme that begins with Bear will do',
    breaks: ['BEARER-4'],
    caughtBy: ['a-token-without-its-scheme-is-refused'],
    make: (right) =>
      alsoFrom(right, ({ headers }) => /^Bear\w* (\S+)$/.exec(headers.authorization ?? '')?.[1]),
  },
  {
    name: 'scheme-with-colon',
    means: 'Bearer: will do',
    breaks: ['BEARER-4'],
    caughtBy: ['a-token-without-its-scheme-is-refused'],
    make: (right) =>
      alsoFrom(right, ({ headers }) => /^Bearer: (\S+)$/.exec(headers.authorization ?? '')?.[1]),
  },
  {
    name: 'key-is-a-token',
    means: 'The API key is accepted as a token',
    breaks: ['BEARER-5'],
    caughtBy: ['the-credentials-open-no-endpoint'],
    make: (right) =>
      unguardedWhen(
        right,
        ({ headers }, { account }) =>
          headers.authorization === `Bearer ${encodeURI(account.apiKey)}`,
      ),
  },
  {
    name: 'secret-is-a-token',
    means: 'The secret key is accepted as a token',
    breaks: ['BEARER-5'],
    caughtBy: ['the-credentials-open-no-endpoint'],
    make: (right) =>
      unguardedWhen(
        right,
        ({ headers }, { account }) =>
          headers.authorization === `Bearer ${encodeURI(account.secretKey)}`,
      ),
  },
  {
    name: 'basic-credentials',
    means: 'Key and secret are accepted as Basic credentials',
    breaks: ['BEARER-5'],
    caughtBy: ['the-credentials-open-no-endpoint'],
    make: (right) =>
      unguardedWhen(right, ({ headers }, { account }) => {
        const basic = Buffer.from(`${account.apiKey}:${account.secretKey}`).toString('base64');
        return headers.authorization === `Basic ${basic}`;
      }),
  },
  {
    name: 'key-in-header',
    means: 'The API key is accepted in the header X-Api-Key',
    breaks: ['BEARER-5'],
    caughtBy: ['the-credentials-open-no-endpoint'],
    make: (right) =>
      unguardedWhen(
        right,
        ({ headers }, { account }) => headers['x-api-key'] === encodeURI(account.apiKey),
      ),
  },
  {
    name: 'refusal-ends-the-newest-token',
    means: 'A refused request ends the newest token',
    breaks: ['BEARER-6'],
    caughtBy: ['refused-requests-change-nothing'],
    make: (right) => ({
      guard(call, state, self) {
        const cause = right.guard(call, state, self);
        if (cause === 'invalid') state.tokens.delete([...state.tokens.keys()].at(-1) ?? '');
        return cause;
      },
    }),
  },
  {
    name: 'ten-refusals-end-all-tokens',
    means: 'Ten refused requests end all tokens',
    breaks: ['BEARER-6'],
    caughtBy: ['refused-requests-change-nothing'],
    make: (right) => ({
      guard(call, state, self) {
        const cause = right.guard(call, state, self);
        if (cause !== undefined && count(state, 'refusals') % 10 === 0) state.tokens.clear();
        return cause;
      },
    }),
  },
  {
    name: 'fifty-refusals-at-once-end-all-tokens',
    means: 'Fifty requests without a token at one moment end all tokens',
    breaks: ['BEARER-6'],
    caughtBy: ['a-storm-of-refusals-lets-nobody-in'],
    make: (right) => ({
      guard(call, state, self) {
        const cause = right.guard(call, state, self);
        if (cause === 'missing' && count(state, `moment ${call.now}`) === 50) state.tokens.clear();
        return cause;
      },
    }),
  },
  {
    name: 'refused-credentials-end-all-tokens',
    means: 'Five refused token requests end all tokens',
    breaks: ['BEARER-6'],
    caughtBy: ['refused-credentials-change-nothing'],
    make: (right) => ({
      denied(why, call, state) {
        if (count(state, 'denied') >= 5) state.tokens.clear();
        return right.denied(why, call, state);
      },
    }),
  },
];
