import { createHash, randomUUID } from 'node:crypto';
import {
  type Behaviour,
  type Call,
  day,
  right,
  type ServiceState,
} from '../../sandbox/behaviour.ts';
import {
  alsoFrom,
  count,
  type Fault,
  type Faults,
  hour,
  matching,
  minute,
  refusal,
  refusedAs,
  same,
  unguardedWhen,
} from './fault.ts';
import { living } from './lifetime.ts';
import { keepingLast } from './movement.ts';
import { answering, refusingWith, withMembers } from './refusals.ts';
import { inAuthorization } from './request-parts.ts';
import { withHeaders } from './variants/transport.ts';
import { halfOpen, unguarded } from './ways-in.ts';

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

type Servers = readonly [Partial<Behaviour>, Partial<Behaviour>];

/** Two servers with the same memory behind one address: each request is answered by one of them alone. */
export function behindOneAddress(servers: Servers, balancing: Balancing): Fault {
  const behaviours = servers.map((own) => ({ ...right, ...own }));
  const chosen = new WeakMap<Call, Behaviour>();
  /** The server of the current request: it is answered synchronously, and some decisions do not receive the call. */
  let current = right;
  const resume = (call: Call): Behaviour => (current = chosen.get(call) ?? right);
  const replaced = servers.flatMap((own) => Object.keys(own) as (keyof Behaviour)[]);
  const delegate =
    (name: keyof Behaviour) =>
    (...given: unknown[]): unknown =>
      Reflect.apply(current[name], current, given);
  return {
    ...Object.fromEntries(replaced.map((name) => [name, delegate(name)])),
    arrived(call, state) {
      chosen.set(call, behaviours[balancing(call, state)] ?? right);
      return resume(call).arrived(call, state);
    },
    credentials: (call) => resume(call).credentials(call),
    route: (call, state) => resume(call).route(call, state),
  };
}

export interface Pair extends Pick<Fault, 'breaks' | 'mayBreak'> {
  readonly servers: Servers;
}

/** Only the second server has a fault. */
const one = (breaks: Fault['breaks'], own: Partial<Behaviour>): Pair => ({
  breaks,
  servers: [{}, own],
});

/** The other server does not know tokens of this server. */
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

/** Two servers of which at least one is faulty; the first clause is the one that it is about. */
export const pairs: Readonly<Record<string, Pair>> = {
  'one-of-two-asks-for-no-secret': one(
    ['TOKEN-2', 'TOKEN-3'],
    matching(same, () => true),
  ),
  'one-of-two-takes-an-absent-secret': one(
    'TOKEN-3',
    matching(same, (sent, right) => sent === undefined || sent === right),
  ),
  'two-that-share-no-tokens': { breaks: ['BEARER-1', 'TOKEN-4'], servers: [alone(0), alone(1)] },
  'one-of-two-has-no-guard': one(openForAll, { guard: () => undefined }),
  'one-of-two-lets-in-without-a-token': one(
    ['BEARER-2', 'BEARER-5'],
    unguardedWhen(({ headers }) => headers.authorization === undefined),
  ),
  'one-of-two-reads-the-query': one(
    'BEARER-2',
    alsoFrom(({ query }) => query.get('access_token')),
  ),
  'one-of-two-believes-any-token': {
    ...one(
      'BEARER-3',
      halfOpen(() => true),
    ),
    mayBreak: ['BEARER-4', 'BEARER-5'],
  },
  'one-of-two-reads-any-scheme': one('BEARER-4', alsoFrom(inAuthorization(/^\S* (.*)/))),
  'one-of-two-forbids': one('ERROR-1', refusedAs({ status: 403 })),
  'one-of-two-sends-a-page': one('ERROR-2', answering({ status: 401, body: '<p>' })),
  'one-of-two-words-it-its-own-way': one('ERROR-3', withMembers({ message: 'Unauthorized' })),
  'one-of-two-ends-the-others': one('EXPIRY-4', keepingLast(1)),
  'one-of-two-ends-early': one('EXPIRY-1', living(23 * hour)),
  'one-of-two-never-ends': one(['EXPIRY-2', 'EXPIRY-4', 'EXPIRY-5'], living(Infinity)),
  'one-of-two-grants-a-minute': one(['EXPIRY-2', 'EXPIRY-4'], living(day + minute)),
};

export const twoServerFaults: Faults = Object.fromEntries(
  Object.entries(pairs).map(([name, { servers, ...clauses }]) => [
    name,
    { ...clauses, alone: true, ...behindOneAddress(servers, byTurns) },
  ]),
);

const named: Servers = [withMembers({ node: 'a' }), withMembers({ node: 'b' })];
const numbered: Servers = [{}, refusingWith(() => ({ request: randomUUID() }))];

/** Correct servers behind one address, which differ in what the contract leaves open. */
export const balancedVariants: Faults = {
  'two-servers-name-themselves-in-a-header': behindOneAddress(
    [withHeaders(() => ({ 'X-Served-By': 'a' })), withHeaders(() => ({ 'X-Served-By': 'b' }))],
    byTurns,
  ),
  'two-servers-with-other-headers': behindOneAddress(
    [withHeaders(() => ({ 'Cache-Control': 'no-store' })), withHeaders(() => ({ Via: '1.1 a' }))],
    atRandom(1),
  ),
  'two-servers-name-themselves-in-the-401': behindOneAddress(named, atRandom(2)),
  'two-servers-in-turn-name-themselves-in-the-401': behindOneAddress(
    named,
    (_call, state) => count(state, 'turn') % 2,
  ),
  'two-servers-by-header-name-themselves-in-the-401': behindOneAddress(named, byHeader),
  'three-servers-by-connection-name-themselves-in-the-401': {
    socket: true,
    unauthorised(_cause, { connection }, state) {
      const node = state.memo.get(connection) ?? count(state, 'turn') % 3;
      state.memo.set(connection, node);
      return { status: 401, json: { ...refusal, node } };
    },
  },
  'one-of-two-servers-numbers-its-401': behindOneAddress(numbered, atRandom(3)),
  'one-of-two-servers-by-header-numbers-its-401': behindOneAddress(numbered, byHeader),
};
