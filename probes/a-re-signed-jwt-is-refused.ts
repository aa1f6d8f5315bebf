import { refusesForgeries } from '../contract/attacks/forged.ts';
import { resigned } from '../contract/attacks/jwt-forgeries.ts';
import type { Probe } from '../contract/probe.ts';

/**
 * A key from a tutorial, or one that every client has, can sign any claims. Tokens that are not JWTs are not signed.
 */
export const aReSignedJwtIsRefused: Probe = {
  name: 'a-re-signed-jwt-is-refused',
  clauses: ['BEARER-3'],
  scope: 'deep',
  stage: 'present',
  everySeconds: 900,
  anyToken: true,
  run: (world) => refusesForgeries(world, resigned),
};
