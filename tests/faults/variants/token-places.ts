import { type Behaviour, type Call, type Reply, right } from '../../../sandbox/behaviour.ts';
import { type Faults, family, htmlPage } from '../fault.ts';

/** Answers some requests before the guard checks them, for all clients; not at the token endpoint. */
export const before = (reply: (call: Call) => Reply | undefined): Pick<Behaviour, 'finish'> => ({
  finish(usual, call, state) {
    const early = call.path.endsWith('/auth/token') ? undefined : reply(call);
    return early ?? right.finish(usual, call, state);
  },
});

export const blocked = (status: number): Reply => htmlPage(status, '<h1>Request blocked</h1>');

/** Refuses some requests to the endpoints. */
const blocking = (status: number, when: (call: Call) => boolean) =>
  before((call) => (when(call) ? blocked(status) : undefined));

/** In how many of RFC 6750's ways a request carries a token. */
const ways = ({ headers, query, body }: Call): number =>
  [
    headers.authorization?.startsWith('Bearer '),
    query.has('access_token'),
    /(^|&)access_token=|"access_token"/.test(body),
  ].filter(Boolean).length;

/** A correct guard with special answers about where a token is, or is looked for. */
export const tokenPlaceVariants: Faults = {
  // RFC 6750 2.
  'token-twice-is-refused': {
    presented: (call, state) => (ways(call) > 1 ? 'invalid' : right.presented(call, state)),
  },
  // RFC 6750 3.1.
  'token-twice-is-a-bad-request': blocking(400, (call) => ways(call) > 1),
  'few-headers': blocking(
    431,
    ({ headers }) =>
      Object.keys(headers).length > 50 || Object.entries(headers).join().length > 4096,
  ),
  'short-addresses': blocking(414, ({ url }) => url.length > 1024),
  ...family('body-with-get-*', { 400: 400, 413: 413, 502: 502 }, (status) =>
    blocking(status, ({ method, body }) => method === 'GET' && body !== ''),
  ),
  'firewall-of-schemes': before(({ headers: { authorization = '' } }) => {
    if (/["=,:](?!$)/.test(authorization)) return blocked(406);
    const known = /^(Bearer|Basic|Digest|Token|JWT|OAuth|ApiKey)? ?\S*$/;
    return known.test(authorization) ? undefined : blocked(403);
  }),
  // Headers, cookies and parameters of other products.
  'firewall-of-names': blocking(403, ({ url, headers, body }) =>
    /next-auth|vault|PHPSESSID|signed_request/i.test(
      [url, ...Object.keys(headers), headers.cookie, body].join(),
    ),
  ),
  'strict-parameters': blocking(400, ({ query }) => query.size > 0),
  'no-upgrades': blocking(426, ({ headers }) => headers.upgrade !== undefined),
  'open-upgrades': before(({ headers }) =>
    headers.upgrade === undefined
      ? undefined
      : { status: 101, headers: { Connection: 'Upgrade', Upgrade: 'websocket' } },
  ),
};
