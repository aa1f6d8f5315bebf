import { type Call, right } from '../behaviour.ts';
import { count, type Mutant } from './fault.ts';

const wornOut = (words: string, most: number): Mutant => ({
  name: `${words}-uses`,
  means: `A token is worn out after ${words.replace('a-', 'a ')} uses`,
  make: () => ({
    expired: (token, now, state, call) =>
      (token.memo.get('uses') ?? 0) >= most || right.expired(token, now, state, call),
    used: ({ memo }) => void memo.set('uses', (memo.get('uses') ?? 0) + 1),
  }),
});

/** A valid token is refused, or invalidated because another request was refused. */
export const withdrawalMutants: readonly Mutant[] = [
  {
    name: 'refuses-everything',
    means: 'Valid tokens are refused',
    make: () => ({
      guard: (call, state, self) => right.guard(call, state, self) ?? 'invalid',
    }),
  },
  {
    name: 'second-endpoint-refuses-everything',
    means: 'One endpoint refuses valid tokens',
    make: () => ({
      guard: (call, state, self) =>
        right.guard(call, state, self) ?? (call.path.endsWith('/reports') ? 'invalid' : undefined),
    }),
  },
  {
    name: 'one-use',
    means: 'A token is good for one use',
    make: () => ({
      expired: (token, ...of) => token.memo.has('used') || right.expired(token, ...of),
      used: ({ memo }) => void memo.set('used', 1),
    }),
  },
  wornOut('twenty-five', 25),
  wornOut('a-hundred', 100),
  {
    name: 'token-in-use-is-refused',
    means: 'A token that is in use is refused to a second request at the same time',
    make: () => ({
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
  },
  {
    name: 'refusal-ends-the-newest-token',
    means: 'A refused request ends the newest token',
    make: () => ({
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
    make: () => ({
      guard(call, state, self) {
        const cause = right.guard(call, state, self);
        if (cause !== undefined && count(state, 'refusals') % 10 === 0) state.tokens.clear();
        return cause;
      },
    }),
  },
  {
    name: 'token-ended-by-its-forgery',
    means:
      'A token whose first eight characters come with another rest counts as attacked, and is ended',
    make: () => ({
      find(text, state, call) {
        const found = right.find(text, state, call);
        for (const own of found === undefined ? state.tokens.keys() : [])
          if (own.slice(0, 8) === text.slice(0, 8)) state.tokens.delete(own);
        return found;
      },
    }),
  },
  {
    name: 'fifty-refusals-at-once-end-all-tokens',
    means: 'Fifty requests without a token at one moment end all tokens',
    make: () => ({
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
    make: () => ({
      denied(why, call, state) {
        if (count(state, 'denied') >= 5) state.tokens.clear();
        return right.denied(why, call, state);
      },
    }),
  },
  {
    name: 'thirty-refused-credentials-end-all-tokens',
    means: 'Thirty refused token requests end all tokens',
    make: () => ({
      denied(why, call, state) {
        if (count(state, 'denied') === 30) state.tokens.clear();
        return right.denied(why, call, state);
      },
    }),
  },
  ...(
    [
      ['query', 'in the query', ({ query }) => query.get('access_token')],
      [
        'cookie',
        'in a cookie',
        ({ headers }) => /access_token=([^;]+)/.exec(headers.cookie ?? '')?.[1],
      ],
      [
        'basic',
        'under Basic',
        ({ headers }) => /^Basic (.+)/.exec(headers.authorization ?? '')?.[1],
      ],
    ] satisfies [string, string, (call: Call) => string | null | undefined][]
  ).map(
    ([name, place, seen]): Mutant => ({
      name: `token-ended-by-${name}`,
      means: `A token that is seen ${place} counts as leaked, and is ended`,
      make: () => ({
        guard(call, state, self) {
          state.tokens.delete(seen(call) ?? '');
          return right.guard(call, state, self);
        },
      }),
    }),
  ),
];
