import { refusesForgeries } from '../contract/attacks/forged.ts';
import { carryingKeys } from '../contract/attacks/jwt-forgeries.ts';
import type { Probe } from '../contract/probe.ts';

/** The header of a JWT is not yet trusted when the key is looked up by it (RFC 8725 2.1, 3.10). */
export const aJwtWithItsOwnKeyIsRefused: Probe = {
  name: 'a-jwt-with-its-own-key-is-refused',
  clauses: ['BEARER-3'],
  scope: 'deep',
  stage: 'present',
  everySeconds: 600,
  anyToken: true,
  run: (world) => refusesForgeries(world, carryingKeys),
};
