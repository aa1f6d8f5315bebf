import { refusesBypasses } from '../contract/attempts/bypass.ts';
import { headerWays, wireWays } from '../contract/attempts/headers.ts';
import type { Probe } from '../contract/probe.ts';

/** Whatever a proxy may have checked or set, any client can send; and old forms of HTTP are read by other code. */
export const aTrustedHeaderIsNoWayIn: Probe = {
  name: 'a-trusted-header-is-no-way-in',
  clauses: ['BEARER-2', 'BEARER-3'],
  scope: 'deep',
  stage: 'present',
  everySeconds: 3600,
  anyToken: true,
  run: (world) =>
    refusesBypasses(world, [...headerWays(world.endpoint), ...wireWays(world.endpoint)]),
};
