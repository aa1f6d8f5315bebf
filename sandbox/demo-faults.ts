import { type Behaviour, day, right } from './behaviour.ts';

/** A fault to try out the gate and the monitor: the decisions that it replaces. */
interface DemoFault extends Partial<Behaviour> {
  /** Its effect, as a sentence about the service. */
  readonly means: string;
  /** The clauses of the contract that it violates. */
  readonly breaks: readonly string[];
}

const fault = (means: string, breaks: string, behaviour: Partial<Behaviour>): DemoFault => ({
  means,
  breaks: breaks.split(' '),
  ...behaviour,
});

const livingFor = (ms: number, means: string): DemoFault =>
  fault(means, `${ms < day ? 'EXPIRY-1' : 'EXPIRY-2'} EXPIRY-4`, {
    expired: ({ madeAt }, now) => now - madeAt >= ms,
  });

const hour = 3_600_000;

/** By name: at least one for each area of the contract. */
export const demoFaults: Readonly<Record<string, DemoFault>> = {
  'any-secret': fault('The secret key is not checked', 'TOKEN-2 TOKEN-3', {
    valid: ({ apiKey }, { account }) => apiKey === account.apiKey,
  }),
  'no-header-no-check': fault('Without Authorization nothing is checked', 'BEARER-2 BEARER-5', {
    guard: (call, state, self) =>
      call.headers.authorization === undefined ? undefined : right.guard(call, state, self),
  }),
  'any-token': fault('Any text is a token', 'BEARER-3 BEARER-4 BEARER-5', {
    find: (text, { tokens }) => tokens.get(text) ?? [...tokens.values()].at(-1),
  }),
  'scheme-not-looked-at': fault('Any scheme is accepted', 'BEARER-4', {
    presented: ({ headers }) => ({ token: headers.authorization?.split(' ').at(-1) ?? '' }),
  }),
  'forbidden-instead': fault('Unauthorised requests are answered with 403', 'ERROR-1', {
    unauthorised: (...of) => ({ ...right.unauthorised(...of), status: 403 }),
  }),
  'other-message': fault('The message of every 401 is Unauthorized', 'ERROR-3', {
    unauthorised: () => ({ status: 401, json: { success: false, message: 'Unauthorized' } }),
  }),
  'ends-an-hour-early': livingFor(23 * hour, 'A token lives for 23 hours'),
  'leeway-of-a-second': livingFor(day + 1001, 'A leeway of a second is granted'),
  'leeway-of-a-minute': livingFor(day + 60_000, 'A leeway of a minute is granted'),
  'ends-an-hour-late': livingFor(25 * hour, 'A token lives for 25 hours'),
  slides: fault('Each use gives 24 hours more', 'EXPIRY-2 EXPIRY-3 EXPIRY-4', {
    expired: ({ madeAt, memo }, now) => now - (memo.get('used') ?? madeAt) >= day,
    used: ({ memo }, { now }) => void memo.set('used', now),
  }),
  'static-token': fault('Every token is the same one, and never ends', 'EXPIRY-2 EXPIRY-6', {
    mint: (state, now) => [...state.tokens.keys()].at(-1) ?? right.mint(state, now),
    expired: () => false,
  }),
};

/** The behaviour of the sandbox with such a fault. @throws when there is no such fault */
export function faulty(name: string): Behaviour {
  if (Object.hasOwn(demoFaults, name)) return { ...right, ...demoFaults[name] };
  throw new Error(`unknown fault ${JSON.stringify(name)}: npm run sandbox -- --help lists all`);
}
