import { refusesForgeries } from '../contract/attacks/forged.ts';
import { tampered } from '../contract/attacks/jwt-forgeries.ts';
import type { Probe } from '../contract/probe.ts';

/**
 * The service may use the claims or the header before, or without, a check of the signature. Tokens that are not JWTs
 * have neither.
 */
export const aJwtWithOtherClaimsIsRefused: Probe = {
  name: 'a-jwt-with-other-claims-is-refused',
  clauses: ['BEARER-3'],
  scope: 'deep',
  stage: 'present',
  everySeconds: 600,
  anyToken: true,
  run: (world) => refusesForgeries(world, tampered),
};
