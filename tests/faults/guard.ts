import { type Call, right } from '../../sandbox/behaviour.ts';
import {
  alsoFrom,
  breaking,
  count,
  envelope,
  type Fault,
  type Faults,
  family,
  granting,
  guarding,
  halfOpen,
  has,
  inAuthorization,
  routingHead,
  unguardedWhen,
} from './fault.ts';

/** A valid token is also accepted elsewhere, or under another scheme, and so are the credentials. */
export const tokenPlaceFaults: Faults = {
  ...breaking('BEARER-2', {
    'token-in-query-access-token': alsoFrom(({ query }) => query.get('access_token')),
    'token-in-query-token': alsoFrom(({ query }) => query.get('token')),
    'token-in-form-body': alsoFrom(({ body }) => new URLSearchParams(body).get('access_token')),
    // A handshake with a token among its subprotocols is completed.
    'token-switches-protocols': {
      unauthorised(cause, call, state) {
        const words = String(call.headers['sec-websocket-protocol']).split(', ');
        return call.headers.upgrade === 'websocket' && words.some((word) => state.tokens.has(word))
          ? { status: 101, headers: { Connection: 'Upgrade', Upgrade: 'websocket' } }
          : right.unauthorised(cause, call, state);
      },
    },
  }),
  ...breaking('BEARER-4', {
    'basic-is-fine-too': alsoFrom(inAuthorization(/^Basic (\S+)$/)),
    'scheme-cut-off-by-length': alsoFrom(inAuthorization(/^.{7}(.*)$/s)),
  }),
  'credentials-in-unlike-headers': {
    breaks: 'BEARER-5',
    ...unguardedWhen(
      ({ headers }, { account }) =>
        headers['x-api-key'] === account.apiKey &&
        headers['x-client-secret'] === encodeURI(account.secretKey),
    ),
  },
};

/** Some requests are admitted without a token, or with any text in its place. */
export const unguardedFaults: Faults = {
  'second-endpoint-unguarded': {
    breaks: ['BEARER-2', 'BEARER-3', 'BEARER-4', 'EXPIRY-2'],
    ...unguardedWhen(({ path }) => path.endsWith('/reports')),
  },
  ...breaking('BEARER-2', {
    'scheme-alone-is-enough': unguardedWhen(has('authorization', /^Bearer *$/)),
    'local-address-trusted': unguardedWhen(has('x-forwarded-for', /^127\.0\.0\.1$/)),
    'head-unguarded': {
      ...routingHead,
      ...unguardedWhen(({ method }) => method === 'HEAD'),
    },
    // Of the requests without a token at one moment.
    'one-in-fifty': guarding((cause, { path, now }, state) =>
      cause === 'missing' && count(state, `${path} ${now}`) % 50 === 0 ? undefined : cause,
    ),
    'open-under-load': guarding((cause, { path, now }, state) =>
      count(state, `${path} ${now}`) > 50 && cause === 'missing' ? undefined : cause,
    ),
  }),
  'ranges-unguarded': {
    breaks: ['BEARER-2', 'ERROR-1'],
    ...unguardedWhen(has('range', /^bytes=/)),
    authorised: ({ reply }, { headers }) =>
      headers.range === undefined ? reply : { ...reply, status: 206 },
  },
  'proxy-user-needs-any-token': { breaks: 'BEARER-3', ...halfOpen(has('x-forwarded-user')) },
};

/** What a guard that is open to all violates, and a lifetime without end. */
const endless = ['EXPIRY-2', 'EXPIRY-4', 'EXPIRY-5', 'EXPIRY-7'] as const;
export const unguarded = ['BEARER-2', 'BEARER-3', 'BEARER-4', 'BEARER-5', ...endless] as const;

/** A connection is noted after an authorised request, or after another one. */
const remembering = (isAuthorised: boolean, verdict: Parameters<typeof guarding>[0]) =>
  guarding((cause, call, state) => {
    if ((cause === undefined) === isAuthorised) state.memo.set(call.connection, 1);
    return state.memo.has(call.connection) ? verdict(cause, call, state) : cause;
  });

/** The verdict depends on earlier requests of the connection. */
export const connectionFaults: Faults = {
  'first-request-guarded-only': {
    breaks: unguarded,
    ...guarding((cause, { connection }, state) =>
      count(state, connection) > 1 ? undefined : cause,
    ),
  },
  'connection-remembered': {
    breaks: ['BEARER-2', 'BEARER-3', 'BEARER-4', 'EXPIRY-3'],
    ...remembering(true, () => undefined),
  },
  'connection-half-remembered': {
    breaks: ['BEARER-3', 'BEARER-4'],
    ...remembering(true, (cause) => (cause === 'invalid' ? undefined : cause)),
  },
  'refused-connection-remembered': {
    breaks: 'BEARER-1',
    ...remembering(false, () => 'invalid'),
  },
};

const cookies = (...texts: readonly string[]) => ({ headers: { 'Set-Cookie': texts } });

/** An authorised request opens the way for others: by a session, a cache, or an answer that is repeated. */
export const rememberedFaults: Faults = {
  ...breaking('BEARER-2', {
    'session-cookie': {
      authorised: ({ reply }) => ({ ...reply, ...cookies('sid=welcome; HttpOnly', 'theme=dark') }),
      ...unguardedWhen(has('cookie', /sid=welcome/)),
    },
    'session-cookie-of-the-login': {
      ...granting((token) => ({ ...envelope(token), ...cookies('sid=s%3Awelcome; HttpOnly') })),
      authorised: ({ reply }) => ({ ...reply, ...cookies('sid=s%3Aanother; HttpOnly') }),
      ...unguardedWhen(({ headers }) => headers.cookie === 'sid=s%3Awelcome'),
    },
  }),
  // An answer is repeated to every request with its Idempotency-Key, before the guard.
  'answer-repeated-before-the-guard': {
    breaks: ['BEARER-2', 'BEARER-3'],
    ...guarding((cause, { headers }, { memo }) => {
      const key = headers['idempotency-key'];
      if (key !== undefined && cause === undefined) memo.set(key, 1);
      return memo.has(key) ? undefined : cause;
    }),
  },
  // Every token is admitted whose cached part is that of an admitted one.
  'verdict-cached-by-most-of-it': {
    breaks: 'BEARER-3',
    find(text, state, call) {
      const token = right.find(text, state, call);
      const cached = `cached ${text.slice(0, -4)} ${text.length}`;
      if (token !== undefined) state.memo.set(cached, 1);
      const [first] = state.tokens.values();
      return token ?? (state.memo.has(cached) ? first : undefined);
    },
  },
};

/** Refuses valid tokens in some requests. */
export const refusingWhen = (when: (call: Call) => boolean): Fault =>
  guarding((cause, call) => cause ?? (when(call) ? 'invalid' : undefined));

/** A token is bound to this property of the first request with it. */
const properties: Readonly<Record<string, (call: Call) => string>> = {
  endpoint: ({ path }) => path,
  'user-agent': ({ headers }) => String(headers['user-agent']),
  accept: ({ headers }) => String(headers.accept),
};

/** A header's name is known in the other spelling only. */
const spellings = { small: 'authorization', capital: 'AUTHORIZATION' };

/** A token is good for one client, for one form of request, or for a number of uses. */
export const refusedTokenFaults: Faults = {
  ...breaking(['BEARER-1', 'TOKEN-4'], {
    'refuses-everything': refusingWhen(() => true),
    'second-endpoint-refuses-everything': refusingWhen(({ path }) => path.endsWith('/reports')),
  }),
  ...breaking('BEARER-1', {
    ...family('token-bound-to-its-first-*', properties, (property) => ({
      expired: (token, now, state, call) =>
        (token.memo.size > 0 && !token.memo.has(property(call))) ||
        right.expired(token, now, state, call),
      used: ({ memo }, call) => void (memo.size === 0 && memo.set(property(call), 1)),
    })),
    'valid-token-refused-with-a-query': refusingWhen(({ query }) => query.has('page')),
    ...family('*-header-name-refused', spellings, (name) =>
      refusingWhen(({ rawHeaders }) => rawHeaders.includes(name)),
    ),
    ...family('*', { 'one-use': 1, 'twenty-five-uses': 25 }, (most) => ({
      used(token, _call, { tokens }) {
        if (count(token, 'uses') >= most) tokens.delete(token.text);
      },
    })),
    // A token in use is refused to a second request at the same time.
    'token-in-use-is-refused': {
      arrived(call, state) {
        count(state, call.headers.authorization);
        return call.headers.authorization === undefined ? 0 : 5;
      },
      ...guarding((cause, { headers }, { memo }) => {
        const concurrency = memo.get(headers.authorization) ?? 0;
        memo.set(headers.authorization, concurrency - 1);
        return cause ?? (concurrency > 1 ? 'invalid' : undefined);
      }),
    },
  }),
};

/** Where a token must not be seen: it counts as leaked, and ends. */
const leaks: Readonly<Record<string, (call: Call) => string | null | undefined>> = {
  query: ({ query }) => query.get('access_token'),
  cookie: ({ headers }) => /access_token=([^;]+)/.exec(headers.cookie ?? '')?.[1],
  basic: inAuthorization(/^Basic (.+)/),
};

/** A valid token is invalidated because another request was refused. */
export const withdrawalFaults = breaking('BEARER-6', {
  'refusal-ends-the-newest-token': guarding((cause, _call, { tokens }) => {
    if (cause === 'invalid') tokens.delete([...tokens.keys()].at(-1) ?? '');
    return cause;
  }),
  'ten-refusals-end-all-tokens': guarding((cause, _call, state) => {
    if (cause !== undefined && count(state, 'refusals') % 10 === 0) state.tokens.clear();
    return cause;
  }),
  'fifty-refusals-at-once-end-all-tokens': guarding((cause, { now }, state) => {
    if (cause === 'missing' && count(state, now) === 50) state.tokens.clear();
    return cause;
  }),
  'refusal-cached': guarding((cause, _call, { memo }) => {
    if (cause === undefined && memo.delete('refused')) return 'invalid';
    if (cause === 'invalid') memo.set('refused', 1);
    return cause;
  }),
  // The first eight characters of a token with another rest count as an attack.
  'token-ended-by-its-forgery': {
    find(text, state, call) {
      const found = right.find(text, state, call);
      for (const own of found === undefined ? state.tokens.keys() : [])
        if (own.slice(0, 8) === text.slice(0, 8)) state.tokens.delete(own);
      return found;
    },
  },
  'thirty-refused-credentials-end-all-tokens': {
    denied(why, call, state) {
      if (count(state, 'denied') % 30 === 0) state.tokens.clear();
      return right.denied(why, call, state);
    },
  },
  ...family('token-ended-by-*', leaks, (seen) => ({
    guard(call, state, self) {
      state.tokens.delete(seen(call) ?? '');
      return right.guard(call, state, self);
    },
  })),
});
