import { noWayIn } from '../contract/detour.ts';
import type { Probe } from '../contract/probe.ts';
import { type Ask, type Endpoint, tokenPath } from '../contract/service.ts';

/**
 * Headers that a proxy may set, and anybody can send: they change the method or the path behind the guard's back, or
 * name an address that the guard trusts.
 */
export const aTrustedHeaderIsNoWayIn: Probe = {
  name: 'a-trusted-header-is-no-way-in',
  clauses: ['BEARER-2'],
  everySeconds: 600,
  anyToken: true,
  async run(world) {
    await noWayIn(
      world,
      asks(world.endpoint).map((ask) => [`the request has ${JSON.stringify(ask.headers)}`, ask]),
    );
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
