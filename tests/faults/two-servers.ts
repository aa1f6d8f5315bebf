import { type Behaviour, day, right } from '../../sandbox/behaviour.ts';
import { behindOneAddress, byTurns } from './balancer.ts';
import {
  alsoFrom,
  expiringWhen,
  hour,
  type Mutant,
  matching,
  minute,
  refusal,
  refusedAs,
  same,
  unguardedWhen,
  type Variant,
} from './fault.ts';
import { halfOpen } from './waved-through.ts';

type Area = 'TOKEN' | 'BEARER' | 'ERROR' | 'EXPIRY';

/** Two servers behind one address, of which at least one is faulty. */
export interface Pair {
  readonly name: string;
  readonly means: string;
  readonly servers: readonly [Partial<Behaviour>, Partial<Behaviour>];
}

/** Only the second of them has the fault. */
const one = (name: string, means: string, make: Variant['make']): Pair => ({
  name: `one-of-two-${name}`,
  means: `One of two servers ${means}`,
  servers: [{}, make()],
});

/** The other server does not know tokens of this server. */
const alone = (server: number): Partial<Behaviour> => ({
  keep(token, state) {
    token.memo.set('server', server);
    right.keep(token, state);
  },
  find(text, state, call) {
    const token = right.find(text, state, call);
    return token?.memo.get('server') === server ? token : undefined;
  },
});

/** By the area of the contract; the state is shared, so that both servers know each other's tokens. */
const pairs: Readonly<Record<Area, readonly Pair[]>> = {
  TOKEN: [
    one('asks-for-no-secret', 'takes any secret key', () => matching(same, () => true)),
    one('takes-an-absent-secret', 'takes an absent secret key', () =>
      matching(same, (sent, right) => sent === undefined || sent === right),
    ),
  ],
  BEARER: [
    {
      name: 'two-that-share-no-tokens',
      means: 'Each of two servers knows only the tokens that it generated itself',
      servers: [alone(0), alone(1)],
    },
    one('has-no-guard', 'lets every request in', () => ({ guard: () => undefined })),
    one('lets-in-without-a-token', 'lets requests in that have no Authorization header', () =>
      unguardedWhen(({ headers }) => headers.authorization === undefined),
    ),
    one('reads-the-query', 'takes a token from the query', () =>
      alsoFrom(({ query }) => query.get('access_token')),
    ),
    one('believes-any-token', 'lets requests in whose token it does not know', () =>
      halfOpen(() => true),
    ),
    one('reads-any-scheme', 'takes a token under any scheme', () =>
      alsoFrom(({ headers }) => headers.authorization?.split(' ')[1]),
    ),
  ],
  ERROR: [
    one('forbids', 'refuses with 403', () => refusedAs({ status: 403 })),
    one('sends-a-page', 'refuses with a page', () => ({
      unauthorised: () => ({ status: 401, body: '<p>' }),
    })),
    one('words-it-its-own-way', 'has a message of its own', () =>
      refusedAs({ json: { ...refusal, message: 'Unauthorized' } }),
    ),
  ],
  EXPIRY: [
    one('ends-the-others', 'ends all tokens when it generates one', () => ({
      keep(token, state) {
        state.tokens.clear();
        right.keep(token, state);
      },
    })),
    one('ends-early', 'ends tokens after 23 hours', () => expiringWhen((age) => age >= 23 * hour)),
    one('never-ends', 'never ends a token', () => expiringWhen(() => false)),
    one('grants-a-minute', 'grants a leeway of a minute', () =>
      expiringWhen((age) => age >= day + minute),
    ),
  ],
};

/** All pairs, for callers that choose themselves which server answers. */
export const twoServers: readonly Pair[] = Object.values(pairs).flat();

/** One of two servers violates the contract, or they do so together. */
export const twoServerMutants = (area: Area): readonly Mutant[] =>
  pairs[area].map(({ name, means, servers }) => ({
    name,
    means,
    oneAtATime: true,
    make: () => behindOneAddress(servers, byTurns()),
  }));
