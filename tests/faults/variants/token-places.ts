import { type Behaviour, type Call, type Reply, right } from '../../../sandbox/behaviour.ts';
import { fault, htmlPage, type Variant } from '../fault.ts';

/** Answers some requests before the guard checks them, for all clients; not at the token endpoint. */
export const before = (reply: (call: Call) => Reply | undefined): Pick<Behaviour, 'finish'> => ({
  finish(usual, call, state) {
    const early = call.path.endsWith('/auth/token') ? undefined : reply(call);
    return early ?? right.finish(usual, call, state);
  },
});

export const blocked = (status: number): Reply => htmlPage(status, '<h1>Request blocked</h1>');

/** In how many of RFC 6750's ways a request carries a token. */
const ways = ({ headers, query, body }: Call): number =>
  [
    headers.authorization?.startsWith('Bearer '),
    query.has('access_token'),
    /(^|&)access_token=|"access_token"/.test(body),
  ].filter(Boolean).length;

/** A correct guard with special answers about where a token is, or is looked for. */
export const tokenPlaceVariants: readonly Variant[] = [
  fault(
    'token-twice-is-refused',
    'Two ways of sending a token at once are answered with 401 (RFC 6750 2)',
    () => ({
      presented: (call, state) => (ways(call) > 1 ? 'invalid' : right.presented(call, state)),
    }),
  ),
  fault(
    'token-twice-is-a-bad-request',
    'Two ways of sending a token at once are answered with 400 (RFC 6750 3.1)',
    () => before((call) => (ways(call) > 1 ? { status: 400 } : undefined)),
  ),
  fault(
    'few-headers',
    'More than fifty headers, or more than 4,096 characters of them, are answered with 431',
    () =>
      before(({ headers }) => {
        const length = Object.entries(headers).join().length;
        return Object.keys(headers).length > 50 || length > 4096 ? blocked(431) : undefined;
      }),
  ),
  fault('short-addresses', 'An address of more than 1,024 characters is answered with 414', () =>
    before(({ url }) => (url.length > 1024 ? blocked(414) : undefined)),
  ),
  ...[400, 413, 502].map((status) =>
    fault(`body-with-get-${status}`, `A GET with a body is answered with ${status}`, () =>
      before(({ method, body }) => (method === 'GET' && body !== '' ? blocked(status) : undefined)),
    ),
  ),
  fault(
    'firewall-of-schemes',
    'A firewall answers schemes that it does not know with 403, and odd credentials with 406',
    () =>
      before(({ headers: { authorization = '' } }) => {
        if (/["=,:](?!$)/.test(authorization)) return blocked(406);
        const known = /^(Bearer|Basic|Digest|Token|JWT|OAuth|ApiKey)? ?\S*$/;
        return known.test(authorization) ? undefined : blocked(403);
      }),
  ),
  fault(
    'firewall-of-names',
    'A firewall answers headers, cookies and parameters of other products with 403',
    () =>
      before(({ url, headers, body }) =>
        /next-auth|vault|PHPSESSID|signed_request/i.test(
          [url, ...Object.keys(headers), headers.cookie, body].join(),
        )
          ? blocked(403)
          : undefined,
      ),
  ),
  fault(
    'strict-parameters',
    'Parameters that the endpoint does not have are answered with 400',
    () => before(({ query }) => (query.size > 0 ? { status: 400 } : undefined)),
  ),
  fault('no-upgrades', 'Requests for another protocol are answered with 426', () =>
    before(({ headers }) => (headers.upgrade === undefined ? undefined : blocked(426))),
  ),
  fault(
    'open-upgrades',
    'Handshakes of WebSockets are completed, and tokens are asked for inside',
    () =>
      before(({ headers }) =>
        headers.upgrade === undefined
          ? undefined
          : { status: 101, headers: { Connection: 'Upgrade', Upgrade: 'websocket' } },
      ),
  ),
];
