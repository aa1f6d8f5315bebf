import { refusesForgeries } from '../contract/attacks/forged.ts';
import { tampered } from '../contract/attacks/jwt-forgeries.ts';
import type { Probe } from '../contract/probe.ts';

/** The claims or the header are read before, or without, the signature. Other tokens carry neither. */
export const aJwtWithOtherClaimsIsRefused: Probe = {
  name: 'a-jwt-with-other-claims-is-refused',
  clauses: ['BEARER-3'],
  everySeconds: 600,
  anyToken: true,
  run: (world) => refusesForgeries(world, tampered),
};
