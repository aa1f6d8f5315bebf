import { refusesAll } from '../contract/attempts/elsewhere.ts';
import { tokenSchemes } from '../contract/attempts/token-places.ts';
import type { Probe } from '../contract/probe.ts';

/**
 * This API uses only Bearer: a complete word, followed by a blank (RFC 9110 11.4). The token itself is valid, so only
 * the scheme can be the cause.
 */
export const anotherSchemeIsRefused: Probe = {
  name: 'another-scheme-is-refused',
  clauses: ['BEARER-4'],
  scope: 'deep',
  stage: 'present',
  everySeconds: 300,
  anyToken: true,
  run: (world) => refusesAll(world, 'BEARER-4', tokenSchemes),
};
