import { noWayIn } from '../contract/detour.ts';
import type { Probe } from '../contract/probe.ts';

/** Old clients and some proxies speak HTTP/1.0; a guard in front may let them pass for a check of its own. */
export const http10IsNoWayIn: Probe = {
  name: 'http-1-0-is-no-way-in',
  clauses: ['BEARER-2'],
  everySeconds: 600,
  anyToken: true,
  async run(world) {
    await noWayIn(world, [['the request is made over HTTP/1.0', { version: '1.0' }]]);
  },
};
