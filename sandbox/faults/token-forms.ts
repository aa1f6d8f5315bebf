import { right } from '../behaviour.ts';
import { fault, type Mutant, type Variant } from './fault.ts';

/** A rule that makes the text of a token out of a random one. */
const minted = (name: string, means: string, form: (text: string) => string): Variant =>
  fault(name, means, () => ({ mint: (state, now) => form(right.mint(state, now)) }));

const inTheMiddle = (text: string, sign: string): string =>
  text.slice(0, 20) + sign + text.slice(20);

/** Tokens that a request cannot carry behind `Bearer `. */
export const tokenFormMutants: readonly Mutant[] = [
  minted(
    'token-ends-with-a-line-break',
    'A token ends with a line break, as the output of a command does',
    (text) => `${text}\n`,
  ),
  minted('token-in-two-lines', 'A token is base64 in lines of MIME', (text) =>
    inTheMiddle(text, '\r\n'),
  ),
  minted('token-with-a-blank', 'A token has a blank in it', (text) => inTheMiddle(text, ' ')),
  minted('token-ends-with-a-blank', 'A token is padded with blanks to a fixed length', (text) =>
    text.padEnd(64),
  ),
  minted('token-begins-with-a-tab', 'A token begins with a tab', (text) => `\t${text}`),
  minted('token-with-a-nul', 'A token is padded with NULs', (text) => `${text}\0\0`),
];

/** Tokens outside the `b64token` of RFC 6750 2.1 that every header carries. */
export const tokenFormVariants: readonly Variant[] = [
  minted(
    'visible-tokens',
    'Tokens hold colons, commas, quotes and other visible signs',
    (text) => `12:${text},"{a};b%20`,
  ),
];
