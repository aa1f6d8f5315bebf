import { refusesForgeries } from '../contract/attacks/forged.ts';
import { hyphenated, wrapped } from '../contract/attacks/wrapped-tokens.ts';
import type { Probe } from '../contract/probe.ts';
import { lengthened } from '../contract/token-form.ts';

/**
 * A comparison that stops at the end of the right token ignores what follows, and careless code removes or decodes
 * what is around it.
 */
export const aLengthenedTokenIsRefused: Probe = {
  name: 'a-lengthened-token-is-refused',
  clauses: ['BEARER-3'],
  scope: 'deep',
  stage: 'present',
  everySeconds: 600,
  anyToken: true,
  run: (world) =>
    refusesForgeries(world, (token) => [
      ...lengthened(token),
      ...wrapped(token),
      ...hyphenated(token),
    ]),
};
