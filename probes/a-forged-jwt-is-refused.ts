import { refusesForgeries } from '../contract/attempts/forged.ts';
import { jwtForgeries } from '../contract/attempts/jwt-forgeries.ts';
import type { Probe } from '../contract/probe.ts';

/**
 * The attacks on JWTs (RFC 8725): the token itself declares that it needs no signature; its claims or its header are
 * used without a check; a key from a tutorial signs it, or a key that its own header brings. Other tokens have none of
 * this.
 */
export const aForgedJwtIsRefused: Probe = {
  name: 'a-forged-jwt-is-refused',
  clauses: ['BEARER-3'],
  scope: 'deep',
  stage: 'present',
  everySeconds: 900,
  anyToken: true,
  run: (world) => refusesForgeries(world, ({ secret }) => jwtForgeries(secret, world.account)),
};
