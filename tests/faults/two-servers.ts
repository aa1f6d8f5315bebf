import { createHash, randomUUID } from 'node:crypto';
import { type Behaviour, type Call, right, type ServiceState } from '../../sandbox/behaviour.ts';
import {
  alsoFrom,
  count,
  type Fault,
  type Faults,
  family,
  halfOpen,
  has,
  hour,
  inAuthorization,
  living,
  refusal,
  refusalWith,
  refusingAs,
  unguardedWhen,
} from './fault.ts';
import { unguarded } from './guard.ts';
import { keepingLast } from './movement.ts';
import { matching, same } from './token.ts';

/** Which of two servers behind one address gets a request: 0 or 1. */
type Balancing = (call: Call, state: ServiceState) => number;

const hashed = (text: string): number => createHash('sha256').update(text).digest().readUInt8() % 2;

/** Each request goes to either server with the same probability. */
export const atRandom =
  (seed: number): Balancing =>
  (_call, state) =>
    hashed(`${seed} ${count(state, 'requests')}`);

/**
 * The requests of each token alternate between the two servers, and so do those without a generated token. So the
 * servers that a probe reaches depend on its own requests, not on concurrent ones.
 */
const byTurns: Balancing = ({ method, path, headers: { authorization = '' } }, state) => {
  const isGenerated = state.tokens.has(authorization.replace(/^Bearer /, ''));
  const key = isGenerated ? `${method} ${path} ${authorization}` : method;
  return (count(state, `turn of ${key}`) - 1) % 2;
};

/** As nginx's `hash $http_authorization`; a request without the header is for the second server. */
const byHeader: Balancing = ({ headers: { authorization } }) =>
  authorization === undefined ? 1 : hashed(authorization);

/** Two servers with the same memory behind one address: each request is answered by one of them alone. */
export function behindOneAddress(servers: readonly [Fault, Fault], balancing: Balancing): Fault {
  const behaviours = servers.map((own) => ({ ...right, ...own }));
  const chosen = new WeakMap<Call, Behaviour>();
  /** The server of the current request: it is answered synchronously, and some decisions do not receive the call. */
  let current = right;
  const resume = (call: Call): Behaviour => (current = chosen.get(call) ?? right);
  const replaced = servers.flatMap((own) => Object.keys(own) as (keyof Behaviour)[]);
  const delegate = (name: keyof Behaviour) => [
    name,
    (...given: unknown[]): unknown => Reflect.apply(current[name], current, given),
  ];
  return {
    ...Object.fromEntries(replaced.map(delegate)),
    arrived(call, state) {
      chosen.set(call, behaviours[balancing(call, state)] ?? right);
      return resume(call).arrived(call, state);
    },
    credentials: (call) => resume(call).credentials(call),
    route: (call, state) => resume(call).route(call, state),
  };
}

/** A server that does not know the tokens of the other one. */
const alone = (server: number): Fault => ({
  keep(token, state) {
    token.memo.set('server', server);
    right.keep(token, state);
  },
  find(text, state, call) {
    const token = right.find(text, state, call);
    return token?.memo.get('server') === server ? token : undefined;
  },
});

/** One of several servers is not the fault of a date. */
const openForAll = unguarded.filter((clause) => clause !== 'EXPIRY-7');

/** What is wrong with the second of two servers. The first clause is the one that it is about. */
export const secondServers: Faults = {
  'one-of-two-asks-for-no-secret': {
    breaks: ['TOKEN-2', 'TOKEN-3'],
    ...matching(same, () => true),
  },
  'one-of-two-has-no-guard': { breaks: openForAll, ...unguardedWhen(() => true) },
  'one-of-two-believes-any-token': {
    breaks: 'BEARER-3',
    ...halfOpen(has('authorization', /^Bearer [\w-]{43}$/)),
  },
  'one-of-two-reads-any-scheme': { breaks: 'BEARER-4', ...alsoFrom(inAuthorization(/^\S* (.*)/)) },
  'one-of-two-forbids': { breaks: 'ERROR-1', ...refusingAs({ status: 403, json: refusal }) },
  'one-of-two-sends-a-page': { breaks: 'ERROR-2', ...refusingAs({ status: 401, body: '<p>' }) },
  'one-of-two-ends-the-others': { breaks: 'EXPIRY-4', ...keepingLast(1) },
  'one-of-two-ends-early': { breaks: 'EXPIRY-1', ...living(23 * hour) },
  'one-of-two-never-ends': { breaks: ['EXPIRY-2', 'EXPIRY-4', 'EXPIRY-5'], ...living(Infinity) },
};

/** Two servers of which at least one is faulty. */
export const twoServerFaults: Faults = {
  ...family('*', secondServers, ({ breaks, ...own }) => ({
    breaks,
    alone: true,
    ...behindOneAddress([{}, own], byTurns),
  })),
  'two-that-share-no-tokens': {
    breaks: ['BEARER-1', 'TOKEN-4'],
    alone: true,
    ...behindOneAddress([alone(0), alone(1)], byTurns),
  },
};

const named = (node: string): Fault => refusingAs(refusalWith({ node }));
const numbered = refusingAs(() => refusalWith({ request: randomUUID() }));

/** Correct servers behind one address, whose 401 differ in what the contract leaves open. */
export const balancedVariants: Faults = {
  'two-servers-name-themselves-in-the-401': behindOneAddress([named('a'), named('b')], atRandom(1)),
  'two-servers-by-header-name-themselves-in-the-401': behindOneAddress(
    [named('a'), named('b')],
    byHeader,
  ),
  'one-of-two-servers-numbers-its-401': behindOneAddress([{}, numbered], atRandom(2)),
};
