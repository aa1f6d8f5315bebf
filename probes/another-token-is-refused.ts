import { refusesForgeries } from '../contract/attempts/forged.ts';
import { forgedForms, oddWords, words } from '../contract/attempts/tokens.ts';
import type { Probe } from '../contract/probe.ts';
import { Secret, type Token } from '../contract/secrets/secret.ts';
import { altered, type Forgery, madeUpLike, zerosLike } from '../contract/token-form.ts';

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
  run: (world) =>
    refusesForgeries(world, (token) => [
      ...[madeUpLike, madeUpLike, zerosLike].map((like) => like(token.secret)),
      ...altered(token.secret),
      ...forgedForms(token.secret),
      ...words.flatMap((word) => named(word, token)),
      ...oddWords.flatMap((word) => named(word, token, true)),
    ]),
};

function named(word: string, token: Token, odd?: true): Forgery[] {
  const secret = new Secret(word);
  return token.secret.equals(secret) ? [] : [{ how: `the word ${word}`, secret, odd }];
}
