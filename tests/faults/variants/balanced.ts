import { createHash, randomUUID } from 'node:crypto';
import type { Behaviour } from '../../../sandbox/behaviour.ts';
import { atRandom, type Balancing, behindOneAddress, byTurns } from '../balancer.ts';
import { fault, refusal, refusedAs, type Variant } from '../fault.ts';
import { withHeaders } from './transport.ts';

const naming = (node: string): Partial<Behaviour> => refusedAs({ json: { ...refusal, node } });

const numbering: Partial<Behaviour> = {
  unauthorised: () => ({ status: 401, json: { ...refusal, request: randomUUID() } }),
};

/** As nginx's `hash $http_authorization`; a request without the header is for the second server. */
const byHeader: Balancing = ({ headers: { authorization } }) =>
  authorization === undefined
    ? 1
    : createHash('sha256').update(authorization).digest().readUInt8() % 2;

/** As a balancer below HTTP chooses them: each connection leads to the next server. */
const byConnection = (): Partial<Behaviour> => {
  const chosen = new WeakMap<object, number>();
  let turn = 0;
  return {
    unauthorised(_cause, { connection }) {
      const node = chosen.get(connection) ?? turn++ % 3;
      chosen.set(connection, node);
      return { status: 401, json: { ...refusal, node } };
    },
  };
};

/** Two correct servers behind one address, which differ in what the contract leaves open. */
export const balancedVariants: readonly Variant[] = [
  fault(
    'two-servers-name-themselves-in-a-header',
    'Each of two servers names itself in a header of every answer',
    () =>
      behindOneAddress(
        [withHeaders({ 'X-Served-By': 'a' }), withHeaders({ 'X-Served-By': 'b' })],
        byTurns(),
      ),
  ),
  fault(
    'two-servers-with-other-headers',
    'One of two servers sends headers that the other does not',
    () =>
      behindOneAddress(
        [
          withHeaders({ Server: 'one', 'Cache-Control': 'no-store' }),
          withHeaders({ Via: '1.1 proxy' }),
        ],
        atRandom(1),
      ),
  ),
  fault(
    'two-servers-name-themselves-in-the-401',
    'Each of two servers that are chosen at random names itself in a further field of the 401',
    () => behindOneAddress([naming('a'), naming('b')], atRandom(2)),
  ),
  fault(
    'two-servers-in-turn-name-themselves-in-the-401',
    'Each of two servers that take turns names itself in a further field of the 401',
    () => {
      let turn = 0;
      return behindOneAddress([naming('a'), naming('b')], () => turn++ % 2);
    },
  ),
  fault(
    'two-servers-by-header-name-themselves-in-the-401',
    'Each of two servers that are chosen by the Authorization header names itself in a further field of the 401',
    () => behindOneAddress([naming('a'), naming('b')], byHeader),
  ),
  {
    name: 'three-servers-by-connection-name-themselves-in-the-401',
    means: 'Each of three servers that are chosen by the connection names itself in its 401',
    connection: true,
    make: byConnection,
  },
  fault(
    'one-of-two-servers-numbers-its-401',
    'One of two servers has the number of the request in its 401, the other has not',
    () => behindOneAddress([{}, numbering], atRandom(3)),
  ),
  fault(
    'one-of-two-servers-by-header-numbers-its-401',
    'The same for servers that are chosen by the Authorization header',
    () => behindOneAddress([{}, numbering], byHeader),
  ),
];
