import { type Call, right } from '../../sandbox/behaviour.ts';
import { count, fault, type Mutant } from './fault.ts';
import { inAuthorization } from './request-parts.ts';

const wornOut = (words: string, most: number): Mutant =>
  fault(`${words}-uses`, `A token is worn out after ${words.replace('a-', 'a ')} uses`, () => ({
    expired: (token, now, state, call) =>
      (token.memo.get('uses') ?? 0) >= most || right.expired(token, now, state, call),
    used: ({ memo }) => void memo.set('uses', (memo.get('uses') ?? 0) + 1),
  }));

const leaked = (
  name: string,
  place: string,
  seen: (call: Call) => string | null | undefined,
): Mutant =>
  fault(
    `token-ended-by-${name}`,
    `A token that is seen ${place} counts as leaked, and is ended`,
    () => ({
      guard(call, state, self) {
        state.tokens.delete(seen(call) ?? '');
        return right.guard(call, state, self);
      },
    }),
  );

/** A valid token is refused, or invalidated because another request was refused. */
export const withdrawalMutants: readonly Mutant[] = [
  fault('refuses-everything', 'Valid tokens are refused', () => ({
    guard: (call, state, self) => right.guard(call, state, self) ?? 'invalid',
  })),
  fault('second-endpoint-refuses-everything', 'One endpoint refuses valid tokens', () => ({
    guard: (call, state, self) =>
      right.guard(call, state, self) ?? (call.path.endsWith('/reports') ? 'invalid' : undefined),
  })),
  fault('one-use', 'A token is good for one use', () => ({
    expired: (token, ...of) => token.memo.has('used') || right.expired(token, ...of),
    used: ({ memo }) => void memo.set('used', 1),
  })),
  wornOut('twenty-five', 25),
  wornOut('a-hundred', 100),
  fault(
    'token-in-use-is-refused',
    'A token that is in use is refused to a second request at the same time',
    () => ({
      arrived(call, state) {
        count(state, call.headers.authorization);
        return call.headers.authorization === undefined ? 0 : 5;
      },
      guard(call, state, self) {
        const concurrency = state.memo.get(call.headers.authorization) ?? 0;
        state.memo.set(call.headers.authorization, concurrency - 1);
        return right.guard(call, state, self) ?? (concurrency > 1 ? 'invalid' : undefined);
      },
    }),
  ),
  fault('refusal-ends-the-newest-token', 'A refused request ends the newest token', () => ({
    guard(call, state, self) {
      const cause = right.guard(call, state, self);
      if (cause === 'invalid') state.tokens.delete([...state.tokens.keys()].at(-1) ?? '');
      return cause;
    },
  })),
  fault('ten-refusals-end-all-tokens', 'Ten refused requests end all tokens', () => ({
    guard(call, state, self) {
      const cause = right.guard(call, state, self);
      if (cause !== undefined && count(state, 'refusals') % 10 === 0) state.tokens.clear();
      return cause;
    },
  })),
  fault(
    'token-ended-by-its-forgery',
    'A token whose first eight characters come with another rest counts as attacked, and is ended',
    () => ({
      find(text, state, call) {
        const found = right.find(text, state, call);
        for (const own of found === undefined ? state.tokens.keys() : [])
          if (own.slice(0, 8) === text.slice(0, 8)) state.tokens.delete(own);
        return found;
      },
    }),
  ),
  fault(
    'fifty-refusals-at-once-end-all-tokens',
    'Fifty requests without a token at one moment end all tokens',
    () => ({
      guard(call, state, self) {
        const cause = right.guard(call, state, self);
        if (cause === 'missing' && count(state, `moment ${call.now}`) === 50) state.tokens.clear();
        return cause;
      },
    }),
  ),
  fault('refused-credentials-end-all-tokens', 'Five refused token requests end all tokens', () => ({
    denied(why, call, state) {
      if (count(state, 'denied') >= 5) state.tokens.clear();
      return right.denied(why, call, state);
    },
  })),
  fault(
    'thirty-refused-credentials-end-all-tokens',
    'Thirty refused token requests end all tokens',
    () => ({
      denied(why, call, state) {
        if (count(state, 'denied') === 30) state.tokens.clear();
        return right.denied(why, call, state);
      },
    }),
  ),
  leaked('query', 'in the query', ({ query }) => query.get('access_token')),
  leaked(
    'cookie',
    'in a cookie',
    ({ headers }) => /access_token=([^;]+)/.exec(headers.cookie ?? '')?.[1],
  ),
  leaked('basic', 'under Basic', inAuthorization(/^Basic (.+)/)),
];
