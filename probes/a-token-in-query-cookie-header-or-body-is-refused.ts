import { refusesAll } from '../contract/attempts/elsewhere.ts';
import { tokenPlaces } from '../contract/attempts/token-places.ts';
import type { Probe } from '../contract/probe.ts';

/**
 * Only the Authorization header counts. Gateways and frameworks also read tokens from these places: from the query (RFC
 * 6750 2.3, which advises against it: logs store addresses), from forms (2.2), from cookies, with which any web page
 * could send requests, and from many headers.
 */
export const aTokenInQueryCookieHeaderOrBodyIsRefused: Probe = {
  name: 'a-token-in-query-cookie-header-or-body-is-refused',
  clauses: ['BEARER-2'],
  scope: 'deep',
  stage: 'present',
  everySeconds: 600,
  anyToken: true,
  run: (world) => refusesAll(world, 'BEARER-2', tokenPlaces(world.endpoint)),
};
