import { refusesForgeries } from '../contract/attacks/forged.ts';
import { postponed } from '../contract/attacks/spelt-times.ts';
import { exchanged } from '../contract/attacks/wrapped-tokens.ts';
import type { Probe } from '../contract/probe.ts';
import { altered } from '../contract/token-form.ts';

/**
 * Every part of a token counts: one changed character anywhere makes it another token. So does another time in a token
 * that spells its end.
 */
export const anAlteredTokenIsRefused: Probe = {
  name: 'an-altered-token-is-refused',
  clauses: ['BEARER-3'],
  scope: 'deep',
  stage: 'present',
  everySeconds: 600,
  anyToken: true,
  run: (world) =>
    refusesForgeries(world, (token) => [
      ...altered(token),
      ...exchanged(token),
      ...postponed(token),
    ]),
};
