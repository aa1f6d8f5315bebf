import { refusesBypasses } from '../contract/attempts/bypass.ts';
import { methodWays, pathWays, queryWays } from '../contract/attempts/paths.ts';
import type { Probe } from '../contract/probe.ts';

/**
 * The guard and the router parse the path separately, and one of them is more lenient; a proxy admits what looks like a
 * static file or a health check, or caches it for everyone; a guard for some methods misses others.
 */
export const anotherPathOrMethodIsNoWayIn: Probe = {
  name: 'another-path-or-method-is-no-way-in',
  clauses: ['BEARER-2', 'BEARER-3'],
  scope: 'deep',
  stage: 'present',
  everySeconds: 3600,
  anyToken: true,
  run: (world) =>
    refusesBypasses(world, [
      ...pathWays(world.endpoint),
      ...queryWays,
      ...methodWays(world.endpoint.method),
    ]),
};
