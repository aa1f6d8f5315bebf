import { refusesForgeries } from '../contract/attacks/forged.ts';
import { unsigned } from '../contract/attacks/jwt-forgeries.ts';
import type { Probe } from '../contract/probe.ts';

/**
 * The oldest attack on JWTs (RFC 8725 2.1): the token itself declares that it needs no signature. It does not
 * apply to other tokens.
 */
export const anUnsignedJwtIsRefused: Probe = {
  name: 'an-unsigned-jwt-is-refused',
  clauses: ['BEARER-3'],
  scope: 'deep',
  stage: 'present',
  everySeconds: 600,
  anyToken: true,
  run: (world) => refusesForgeries(world, unsigned),
};
