import { asWritten, authorization, plain, refusesAll } from '../contract/attacks/token-guesses.ts';
import { withoutScheme } from '../contract/attacks/token-places.ts';
import type { Probe } from '../contract/probe.ts';

/** A scheme is a complete word, followed by a blank (RFC 9110 11.4). */
export const aTokenWithoutItsSchemeIsRefused: Probe = {
  name: 'a-token-without-its-scheme-is-refused',
  clauses: ['BEARER-4'],
  scope: 'deep',
  stage: 'present',
  everySeconds: 600,
  anyToken: true,
  async run(world) {
    const guesses = withoutScheme
      .map((pattern) => authorization(`the header is ${pattern}`, asWritten(pattern)))
      .map((guess, index) => (index === 0 ? plain(guess) : guess));
    await refusesAll(world, 'BEARER-4', guesses);
  },
};
