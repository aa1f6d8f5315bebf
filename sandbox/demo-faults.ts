import { type Behaviour, day, right } from './behaviour.ts';

/** A fault to try out the gate and the monitor: the decisions that it replaces. */
interface DemoFault extends Partial<Behaviour> {
  /** Its effect, as a sentence about the service. */
  readonly means: string;
  /** The clauses of the contract that it violates. */
  readonly breaks: readonly string[];
}

const hour = 3_600_000;

const livingFor = (ms: number): Pick<Behaviour, 'expired'> => ({
  expired: ({ madeAt }, now) => now - madeAt >= ms,
});

const refusingWith = (status: number, message: string): Pick<Behaviour, 'unauthorised'> => ({
  unauthorised: () => ({ status, json: { success: false, message } }),
});

/** By name: at least one for each area of the contract. */
export const demoFaults = {
  'any-secret': {
    means: 'The secret key is not checked',
    breaks: ['TOKEN-2', 'TOKEN-3'],
    valid: ({ apiKey }, { account }) => apiKey === account.apiKey,
  },
  'no-header-no-check': {
    means: 'Without an Authorization header nothing is checked',
    breaks: ['BEARER-2', 'BEARER-5'],
    guard: (call, state, self) =>
      call.headers.authorization === undefined ? undefined : right.guard(call, state, self),
  },
  'token-in-query-access-token': {
    means: 'A token is also taken from the query, as access_token',
    breaks: ['BEARER-2'],
    presented(call, state) {
      const presented = right.presented(call, state);
      const token = call.query.get('access_token');
      return typeof presented === 'string' && token ? { token } : presented;
    },
  },
  'any-token': {
    means: 'Any text is a token',
    breaks: ['BEARER-3', 'BEARER-4', 'BEARER-5'],
    find: (text, { tokens }) => tokens.get(text) ?? [...tokens.values()].at(-1),
  },
  'scheme-not-looked-at': {
    means: 'Any scheme is accepted',
    breaks: ['BEARER-4'],
    presented: ({ headers }) => ({ token: headers.authorization?.split(' ').at(-1) ?? '' }),
  },
  'forbidden-instead': {
    means: 'Unauthorised requests are answered with 403',
    breaks: ['ERROR-1'],
    ...refusingWith(403, 'Invalid or expired access token.'),
  },
  'other-message': {
    means: 'The message of every 401 is Unauthorized',
    breaks: ['ERROR-3'],
    ...refusingWith(401, 'Unauthorized'),
  },
  'ends-an-hour-early': {
    means: 'A token lives for 23 hours',
    breaks: ['EXPIRY-1', 'EXPIRY-4'],
    ...livingFor(23 * hour),
  },
  'leeway-of-a-second': {
    means: 'A leeway of a second is granted',
    breaks: ['EXPIRY-2', 'EXPIRY-4'],
    ...livingFor(day + 1001),
  },
  'leeway-of-a-minute': {
    means: 'A leeway of a minute is granted',
    breaks: ['EXPIRY-2', 'EXPIRY-4'],
    ...livingFor(day + 60_000),
  },
  'ends-an-hour-late': {
    means: 'A token lives for 25 hours',
    breaks: ['EXPIRY-2', 'EXPIRY-4'],
    ...livingFor(25 * hour),
  },
  slides: {
    means: 'Each use gives 24 hours more',
    breaks: ['EXPIRY-2', 'EXPIRY-3', 'EXPIRY-4'],
    expired: ({ madeAt, memo }, now) => now - (memo.get('used') ?? madeAt) >= day,
    used: ({ memo }, { now }) => void memo.set('used', now),
  },
  'static-token': {
    means: 'Every token is the same one, and never ends',
    breaks: ['EXPIRY-2', 'EXPIRY-6'],
    mint: (state, now) => [...state.tokens.keys()].at(-1) ?? right.mint(state, now),
    expired: () => false,
  },
} as const satisfies Readonly<Record<string, DemoFault>>;

/** The behaviour of the sandbox with such a fault. @throws when there is no such fault */
export function faulty(name: string): Behaviour {
  const fault = Object.entries(demoFaults).find(([key]) => key === name)?.[1];
  if (fault === undefined)
    throw new Error(
      `unknown fault ${JSON.stringify(name)}: npm run sandbox -- --faults lists all faults`,
    );
  return { ...right, ...fault };
}
