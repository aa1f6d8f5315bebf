import { type Behaviour, type Call, type Reply, right } from '../../behaviour.ts';
import type { Variant } from '../fault.ts';

/** Answers some requests before the guard checks them, for all clients; not at the token endpoint. */
const before = (reply: (call: Call) => Reply | undefined): Pick<Behaviour, 'finish'> => ({
  finish(usual, call, state) {
    const early = call.path.endsWith('/auth/token') ? undefined : reply(call);
    return early ?? right.finish(usual, call, state);
  },
});

const page = (status: number): Reply => ({
  status,
  body: '<h1>Request blocked</h1>',
  headers: { 'Content-Type': 'text/html' },
});

/** In how many of RFC 6750's ways a request carries a token. */
const ways = ({ headers, query, body }: Call): number =>
  [
    headers.authorization?.startsWith('Bearer '),
    query.has('access_token'),
    /(^|&)access_token=|"access_token"/.test(body),
  ].filter(Boolean).length;

/** A correct guard with special answers about where a token is, or is looked for. */
export const tokenPlaceVariants: readonly Variant[] = [
  {
    name: 'token-twice-is-refused',
    means: 'Two ways of sending a token at once are answered with 401 (RFC 6750 2)',
    make: () => ({
      presented: (call, state) => (ways(call) > 1 ? 'invalid' : right.presented(call, state)),
    }),
  },
  {
    name: 'token-twice-is-a-bad-request',
    means: 'Two ways of sending a token at once are answered with 400 (RFC 6750 3.1)',
    make: () => before((call) => (ways(call) > 1 ? { status: 400 } : undefined)),
  },
  {
    name: 'few-headers',
    means: 'More than fifty headers, or more than 4,096 characters of them, are answered with 431',
    make: () =>
      before(({ headers }) => {
        const length = Object.entries(headers).join().length;
        return Object.keys(headers).length > 50 || length > 4096 ? page(431) : undefined;
      }),
  },
  {
    name: 'short-addresses',
    means: 'An address of more than 1,024 characters is answered with 414',
    make: () => before(({ url }) => (url.length > 1024 ? page(414) : undefined)),
  },
  ...[400, 413, 502].map(
    (status): Variant => ({
      name: `body-with-get-${status}`,
      means: `A GET with a body is answered with ${status}`,
      make: () =>
        before(({ method, body }) => (method === 'GET' && body !== '' ? page(status) : undefined)),
    }),
  ),
  {
    name: 'firewall-of-schemes',
    means:
      'A firewall answers schemes that it does not know with 403, and odd credentials with 406',
    make: () =>
      before(({ headers: { authorization = '' } }) => {
        if (/["=,:](?!$)/.test(authorization)) return page(406);
        const known = /^(Bearer|Basic|Digest|Token|JWT|OAuth|ApiKey)? ?\S*$/;
        return known.test(authorization) ? undefined : page(403);
      }),
  },
  {
    name: 'firewall-of-names',
    means: 'A firewall answers headers, cookies and parameters of other products with 403',
    make: () =>
      before(({ url, headers, body }) =>
        /next-auth|vault|PHPSESSID|signed_request/i.test(
          [url, ...Object.keys(headers), headers.cookie, body].join(),
        )
          ? page(403)
          : undefined,
      ),
  },
  {
    name: 'strict-parameters',
    means: 'Parameters that the endpoint does not have are answered with 400',
    make: () => before(({ query }) => (query.size > 0 ? { status: 400 } : undefined)),
  },
  {
    name: 'no-upgrades',
    means: 'Requests for another protocol are answered with 426',
    make: () => before(({ headers }) => (headers.upgrade === undefined ? undefined : page(426))),
  },
  {
    name: 'open-upgrades',
    means: 'Handshakes of WebSockets are completed, and tokens are asked for inside',
    make: () =>
      before(({ headers }) =>
        headers.upgrade === undefined
          ? undefined
          : { status: 101, headers: { Connection: 'Upgrade', Upgrade: 'websocket' } },
      ),
  },
];
