import { type Behaviour, type Call, type Issued, right } from '../../sandbox/behaviour.ts';
import { fault, type Mutant } from './fault.ts';

/** A token that is bound to a property of the first request with it. */
const bound = (what: string, means: string, of: (call: Call) => string): Mutant =>
  fault(`token-bound-to-its-first-${what}`, means, () => ({
    expired: (token, now, state, call) =>
      isBoundToAnother(token, of(call)) || right.expired(token, now, state, call),
    used: ({ memo }, call) => void (memo.size === 0 && memo.set(of(call), 1)),
  }));

const isBoundToAnother = ({ memo }: Issued, property: string): boolean =>
  memo.size > 0 && !memo.has(property);

/** Requests of some kind are refused, also with a valid token. */
const refusing = (when: (call: Call) => boolean): Pick<Behaviour, 'guard'> => ({
  guard: (call, state, self) =>
    right.guard(call, state, self) ?? (when(call) ? 'invalid' : undefined),
});

/** A token is good for one client, or for one form of request. */
export const boundTokenMutants: readonly Mutant[] = [
  bound(
    'endpoint',
    'A token is good for the endpoint at which it was first used',
    ({ path }) => path,
  ),
  bound('user-agent', 'A token is good for the User-Agent that used it first', ({ headers }) =>
    String(headers['user-agent']),
  ),
  bound('accept', 'A token is good for the Accept header that came with its first use', (call) =>
    String(call.headers.accept),
  ),
  fault(
    'token-ended-by-another-user-agent',
    'A token that a second User-Agent uses counts as stolen, and is ended',
    () => ({
      used({ text, memo }, { headers }, { tokens }) {
        memo.set(String(headers['user-agent']), 1);
        if (memo.size > 1) tokens.delete(text);
      },
    }),
  ),
  fault('valid-token-refused-with-a-query', 'A request with a query is refused', () =>
    refusing(({ query }) => query.has('page')),
  ),
  fault('valid-token-refused-with-a-cookie', 'A request with a cookie is refused', () =>
    refusing(({ headers }) => headers.cookie !== undefined),
  ),
  fault('valid-token-refused-behind-a-proxy', 'A request with X-Forwarded-For is refused', () =>
    refusing(({ headers }) => headers['x-forwarded-for'] !== undefined),
  ),
  fault('valid-token-refused-without-user-agent', 'A request without User-Agent is refused', () =>
    refusing(({ headers }) => headers['user-agent'] === undefined),
  ),
  fault('valid-token-refused-over-http-1-0', 'A request over HTTP/1.0 is refused', () =>
    refusing(({ httpVersion }) => httpVersion === '1.0'),
  ),
  fault('valid-token-refused-in-chunks', 'A request with a chunked body is refused', () =>
    refusing(({ headers }) => headers['transfer-encoding'] !== undefined),
  ),
];
