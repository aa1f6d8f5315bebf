import { refusesForgeries } from '../contract/attacks/forged.ts';
import type { Probe } from '../contract/probe.ts';
import { shortened } from '../contract/token-form.ts';

/** A lookup by prefix, or a comparison that stops at the shorter text, accepts a part of the token. */
export const aShortenedTokenIsRefused: Probe = {
  name: 'a-shortened-token-is-refused',
  clauses: ['BEARER-3'],
  scope: 'deep',
  stage: 'present',
  everySeconds: 600,
  anyToken: true,
  run: (world) => refusesForgeries(world, shortened),
};
