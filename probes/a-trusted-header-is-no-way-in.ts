import { orNothing } from '../contract/detour.ts';
import type { Probe } from '../contract/probe.ts';
import { type Ask, bearer, type Endpoint, tokenPath } from '../contract/service.ts';

/**
 * Headers that a proxy may set, and anybody can send: they change the method or the path behind the guard's back, or
 * name an address that the guard trusts.
 */
export const aTrustedHeaderIsNoWayIn: Probe = {
  name: 'a-trusted-header-is-no-way-in',
  clauses: ['BEARER-2'],
  everySeconds: 600,
  anyToken: true,
  async run({ service, account, endpoint, judge }) {
    const authorised = bearer(await service.issue(account));
    const straight = await service.call(endpoint, authorised);
    judge.admitted(straight, 'BEARER-1');
    for (const ask of asks(endpoint)) {
      const both = await orNothing(
        Promise.all([
          service.call(endpoint, { ...authorised, ...ask }),
          service.call(endpoint, ask),
        ]),
      );
      if (both === undefined) continue;
      const [unlike, answer] = both;
      judge.shut(answer, 'BEARER-2', {
        unlike,
        straight,
        because: `the request has ${JSON.stringify(ask.headers)}`,
      });
    }
  },
};

function asks({ method, path }: Endpoint): Ask[] {
  const overrides = ['X-HTTP-Method-Override', 'X-Method-Override', 'X-HTTP-Method'];
  const addresses = ['X-Forwarded-For', 'X-Real-IP', 'X-Client-IP'];
  const paths = ['X-Original-URL', 'X-Rewrite-URL', 'X-Forwarded-Uri'];
  return [
    ...overrides.map((name) => ({ method: 'OPTIONS', headers: { [name]: method } })),
    ...overrides.map((name) => ({ headers: { [name]: 'OPTIONS' } })),
    ...addresses.map((name) => ({ headers: { [name]: '127.0.0.1' } })),
    { headers: { Forwarded: 'for=127.0.0.1' } },
    ...paths.map((name) => ({ path: tokenPath, headers: { [name]: path } })),
    ...paths.map((name) => ({ headers: { [name]: tokenPath } })),
  ];
}
