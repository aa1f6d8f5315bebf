import { day } from '../behaviour.ts';
import { fault, foundWhen, givingAgain, type Mutant, type Variant } from './fault.ts';

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
