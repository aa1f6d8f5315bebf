import { type Call, right } from '../../sandbox/behaviour.ts';
import { breaking, count, type Fault, type Faults, family, guarding } from './fault.ts';
import { inAuthorization } from './request-parts.ts';

/** A token is bound to this property of the first request with it. */
const properties: Readonly<Record<string, (call: Call) => string>> = {
  endpoint: ({ path }) => path,
  'user-agent': ({ headers }) => String(headers['user-agent']),
  accept: ({ headers }) => String(headers.accept),
};

const refusing = (when: (call: Call) => boolean): Fault =>
  guarding((cause, call) => cause ?? (when(call) ? 'invalid' : undefined));

/** A token is good for one client, for one form of request, or for a number of uses. */
export const refusedTokenFaults: Faults = {
  ...breaking(['BEARER-1', 'TOKEN-4'], {
    'refuses-everything': refusing(() => true),
    'second-endpoint-refuses-everything': refusing(({ path }) => path.endsWith('/reports')),
  }),
  ...breaking('BEARER-1', {
    ...family('token-bound-to-its-first-*', properties, (property) => ({
      expired: (token, now, state, call) =>
        (token.memo.size > 0 && !token.memo.has(property(call))) ||
        right.expired(token, now, state, call),
      used: ({ memo }, call) => void (memo.size === 0 && memo.set(property(call), 1)),
    })),
    'token-ended-by-another-user-agent': {
      used({ text, memo }, { headers }, { tokens }) {
        memo.set(String(headers['user-agent']), 1);
        if (memo.size > 1) tokens.delete(text);
      },
    },
    'valid-token-refused-with-a-query': refusing(({ query }) => query.has('page')),
    ...family('*', { 'one-use': 1, 'twenty-five-uses': 25 }, (most) => ({
      expired: (token, ...others) =>
        (token.memo.get('uses') ?? 0) >= most || right.expired(token, ...others),
      used: ({ memo }) => void memo.set('uses', (memo.get('uses') ?? 0) + 1),
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

/** Whether the refused token request of this number ends all tokens. */
const isEnded: Readonly<Record<string, (refusals: number) => boolean>> = {
  'refused-credentials': (refusals) => refusals >= 5,
  'thirty-refused-credentials': (refusals) => refusals % 30 === 0,
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
    if (cause === 'missing' && count(state, `moment ${now}`) === 50) state.tokens.clear();
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
  ...family('*-end-all-tokens', isEnded, (ends) => ({
    denied(why, call, state) {
      if (ends(count(state, 'denied'))) state.tokens.clear();
      return right.denied(why, call, state);
    },
  })),
  ...family('token-ended-by-*', leaks, (seen) => ({
    guard(call, state, self) {
      state.tokens.delete(seen(call) ?? '');
      return right.guard(call, state, self);
    },
  })),
});
