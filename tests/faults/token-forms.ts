import { day, right } from '../../sandbox/behaviour.ts';
import { fault, foundWhen, givingAgain, type Mutant, type Variant } from './fault.ts';

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

/** Words as tokens, by the names of their mutants. */
const words = {
  placeholder: '<ACCESS_TOKEN>',
  admin: 'admin',
  demo: 'demo',
  guest: 'guest',
  anonymous: 'anonymous',
  false: 'false',
  token: 'token',
  debug: 'debug',
  dev: 'dev',
  default: 'default',
  digits: '123456',
  'empty-uuid': '00000000-0000-0000-0000-000000000000',
};

/** A word that a developer left behind is a token. */
export const tokenWordMutants: readonly Mutant[] = Object.entries(words).map(([name, word]) =>
  fault(`word-${name}-is-a-token`, `The text ${word} is a token`, () =>
    foundWhen((_made, sent) => sent === word),
  ),
);

/** A token that is a word. */
export const tokenWordVariants: readonly Variant[] = [
  fault(
    'first-token-is-a-word',
    'On its first day a client gets the token "demo", as stubs have it',
    () => {
      const again = givingAgain(({ madeAt }, now) => now - madeAt < day);
      return {
        ...again,
        mint: (state, now) => (state.tokens.size === 0 ? 'demo' : again.mint(state, now)),
      };
    },
  ),
];
