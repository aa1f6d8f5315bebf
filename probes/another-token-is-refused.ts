import { refusesForgeries } from '../contract/attempts/forged.ts';
import { otherTokens } from '../contract/attempts/tokens.ts';
import type { Probe } from '../contract/probe.ts';

/**
 * Only a token that the service generated opens anything. Every part of a token counts: look-ups by prefix, comparisons
 * that stop early, ignore case or remove signs, and decoders that read what they should check accept others.
 */
export const anotherTokenIsRefused: Probe = {
  name: 'another-token-is-refused',
  clauses: ['BEARER-3'],
  scope: 'deep',
  stage: 'present',
  everySeconds: 600,
  anyToken: true,
  run: (world) => refusesForgeries(world, ({ secret }) => otherTokens(secret)),
};
