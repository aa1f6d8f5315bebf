import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { type Behaviour, type Call, type Reply, right } from '../../../sandbox/behaviour.ts';
import { fault, htmlPage, type Variant } from '../fault.ts';
import { sign } from '../jwt.ts';

const page = (status: number): Reply =>
  htmlPage(
    status,
    `<html><body><h1>${status}</h1><p>Request blocked. Incident ${randomUUID()}.</p></body></html>`,
  );

/** What a firewall takes for an attack, in a header or in a body. */
const attack = /' ?OR ?'|OR 1=1|UNION SELECT|<\/?\w+>|\$(ne|gt|regex|where)|__proto__|\.\.\//i;

const blocked = (call: Call): boolean =>
  attack.test(call.body) || attack.test(call.headers.authorization ?? '');

/** A firewall in front of the service. */
const firewall = (status: number): Pick<Behaviour, 'finish'> => ({
  finish: (reply, call) => (blocked(call) ? page(status) : reply),
});

/** Wrong credentials get a long answer, and a proxy refuses headers above a number of characters. */
const chatty = (json: () => object, limit = Infinity, status = 431): Partial<Behaviour> => ({
  denied: () => ({ status: 401, json: { success: false, message: 'Wrong key.', ...json() } }),
  finish: (reply, call, state) =>
    (call.headers.authorization ?? '').length > limit
      ? page(status)
      : right.finish(reply, call, state),
});

/** Refusals of credentials and of unusual texts that the contract leaves open. */
export const refusalVariants: readonly Variant[] = [
  fault(
    'refusal-with-identifiers',
    'Wrong credentials are answered with identifiers, hashes and a text like a JWT',
    () =>
      chatty(() => ({
        requestId: randomUUID(),
        traceparent: `00-${randomBytes(16).toString('hex')}-${randomBytes(8).toString('hex')}-01`,
        fingerprint: createHash('sha256').update(randomBytes(8)).digest('hex'),
        state: sign({ sub: 'login', iat: 1, exp: 2 }, 'a key of another service'),
        data: { accessToken: 'Unavailable-0000000000' },
      })),
  ),
  fault(
    'refusal-with-a-long-text',
    'Wrong credentials are answered with 2,000 characters, which a header may not have',
    () => chatty(() => ({ state: randomBytes(1500).toString('base64url') }), 1024),
  ),
  fault(
    'refusal-with-a-text-that-a-proxy-forbids',
    'Wrong credentials are answered with a text to which a proxy answers 403 in a header',
    () => chatty(() => ({ state: randomBytes(300).toString('hex') }), 500, 403),
  ),
  fault(
    'refusal-repeats-the-request',
    'Wrong credentials are answered with the body and the Authorization header of their request',
    () => ({
      denied: (_why, { headers: { authorization = '' }, body }) => ({
        status: 400,
        json: { success: false, authorization: authorization.split(' '), body: body.split('"') },
      }),
    }),
  ),
  ...[403, 406, 503].map((status) =>
    fault(`firewall-${status}`, `A firewall answers ${status} to what looks like an attack`, () =>
      firewall(status),
    ),
  ),
  {
    name: 'firewall-drops-connections',
    means: 'A firewall closes the connection of what looks like an attack, without an answer',
    connection: true,
    make: () => ({
      arrived(call) {
        if (blocked(call)) call.connection.destroy?.();
        return 0;
      },
    }),
  },
  fault(
    'firewall-with-a-welcome-page',
    'What looks like an attack gets a page with status 200, and so does every unknown path',
    () => ({
      finish: (reply, call) => (blocked(call) || reply.status === 404 ? page(200) : reply),
    }),
  ),
];
