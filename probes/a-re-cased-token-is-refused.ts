import { refusesForgeries } from '../contract/attacks/forged.ts';
import type { Probe } from '../contract/probe.ts';
import { recased } from '../contract/token-form.ts';

/** A case-insensitive database column makes guessing far easier. */
export const aReCasedTokenIsRefused: Probe = {
  name: 'a-re-cased-token-is-refused',
  clauses: ['BEARER-3'],
  scope: 'deep',
  stage: 'present',
  everySeconds: 600,
  anyToken: true,
  run: (world) => refusesForgeries(world, recased),
};
