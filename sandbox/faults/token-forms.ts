import { right } from '../behaviour.ts';
import type { Mutant, Variant } from './fault.ts';

/** A rule that makes the text of a token out of a random one. */
const minted = (form: (text: string) => string): Pick<Mutant, 'make'> => ({
  make: () => ({ mint: (state, now) => form(right.mint(state, now)) }),
});

const inTheMiddle = (text: string, sign: string): string =>
  text.slice(0, 20) + sign + text.slice(20);

/** Tokens that a request cannot carry behind `Bearer `. */
export const tokenFormMutants: readonly Mutant[] = [
  {
    name: 'token-ends-with-a-line-break',
    means: 'A token ends with a line break, as the output of a command does',
    ...minted((text) => `${text}\n`),
  },
  {
    name: 'token-in-two-lines',
    means: 'A token is base64 in lines of MIME',
    ...minted((text) => inTheMiddle(text, '\r\n')),
  },
  {
    name: 'token-with-a-blank',
    means: 'A token has a blank in it',
    ...minted((text) => inTheMiddle(text, ' ')),
  },
  {
    name: 'token-ends-with-a-blank',
    means: 'A token is padded with blanks to a fixed length',
    ...minted((text) => text.padEnd(64)),
  },
  {
    name: 'token-begins-with-a-tab',
    means: 'A token begins with a tab',
    ...minted((text) => `\t${text}`),
  },
  {
    name: 'token-with-a-nul',
    means: 'A token is padded with NULs',
    ...minted((text) => `${text}\0\0`),
  },
];

/** Tokens outside the `b64token` of RFC 6750 2.1 that every header carries. */
export const tokenFormVariants: readonly Variant[] = [
  {
    name: 'visible-tokens',
    means: 'Tokens hold colons, commas, quotes and other visible signs',
    ...minted((text) => `12:${text},"{a};b%20`),
  },
];
