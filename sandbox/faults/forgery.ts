import type { Behaviour } from '../behaviour.ts';
import { type Claims, mac, type Parsed, parse, sign, verify } from '../jwt.ts';
import { foundWhen, type Mutant, mixedAtBothEnds } from './fault.ts';

/** The sandbox with stateless JWTs, verified by a rule of the mutant. */
export const verifiedBy = (claimsOf: (text: string) => Claims | undefined): Partial<Behaviour> => ({
  mint: (_state, now) => sign(claimsAt(now)),
  keep: () => undefined,
  find(text) {
    const claims = verify(text) ?? claimsOf(text);
    if (claims === undefined) return undefined;
    const exp = claims.exp ?? Number.POSITIVE_INFINITY;
    return { text, madeAt: (exp - 86_400) * 1000, memo: new Map() };
  },
});

/** The claims of a token that is issued at an instant (milliseconds since 1970). */
export const claimsAt = (now: number): Claims => {
  const iat = Math.floor(now / 1000);
  return { sub: 'client-1', iat, exp: iat + 86_400 };
};

/** The claims of JWTs that a rule of the mutant accepts. */
export const trusting = (trusted: (jwt: Parsed) => boolean): Partial<Behaviour> =>
  verifiedBy((text) => {
    const jwt = parse(text);
    return jwt !== undefined && trusted(jwt) ? jwt.claims : undefined;
  });

/** Signatures by a further key are valid. */
const alsoKey = (key: string): Partial<Behaviour> => verifiedBy((text) => verify(text, key));

/** Tokens of an algorithm are not verified. */
const unchecked = (trusted: (alg: string, signature: string) => boolean): Partial<Behaviour> =>
  trusting(({ alg, signature }) => trusted(alg, signature));

/** Tokens of one length are the same if these parts of them are. */
const comparing = (parts: (text: string) => string): Partial<Behaviour> =>
  foundWhen((made, sent) => made.length === sent.length && parts(made) === parts(sent));

/** A token that the service did not generate is accepted. */
export const forgeryMutants: readonly Mutant[] = [
  {
    name: 'any-token',
    means: 'Any text is a token',
    make: () => foundWhen(() => true),
  },
  {
    name: 'token-by-its-form',
    means: 'Any text of the right length and alphabet is a token',
    make: () => foundWhen((made, sent) => sent.length === made.length && /^[\w-]+$/.test(sent)),
  },
  {
    name: 'null-is-a-token',
    means: 'The word null is a token',
    make: () => foundWhen((_made, sent) => sent === 'null'),
  },
  {
    name: 'undefined-is-a-token',
    means: 'The word undefined is a token',
    make: () => foundWhen((_made, sent) => sent === 'undefined'),
  },
  {
    name: 'sql-token',
    means: 'A token is pasted into SQL',
    make: () => foundWhen((_made, sent) => sent.includes("'")),
  },
  {
    name: 'like-token',
    means: 'A token is looked up with LIKE, so that % fits',
    make: () => foundWhen((_made, sent) => sent === '%'),
  },
  {
    name: 'members-of-objects-are-tokens',
    means: 'Tokens are the members of an object, which has some that were never issued',
    make: () => foundWhen((_made, sent) => sent in {}),
  },
  {
    name: 'token-by-its-beginning',
    means: 'A token is looked up by its first eight characters',
    make: () => ({
      ...foundWhen((made, sent) => made.slice(0, 8) === sent.slice(0, 8)),
      ...mixedAtBothEnds,
    }),
  },
  {
    name: 'token-by-its-end',
    means: 'A token is looked up by its last twelve characters',
    make: () => ({
      ...foundWhen((made, sent) => made.slice(-12) === sent.slice(-12)),
      ...mixedAtBothEnds,
    }),
  },
  {
    name: 'beginning-of-a-token',
    means: 'The beginning of a token is a token',
    make: () => foundWhen((made, sent) => sent.length > 12 && made.startsWith(sent)),
  },
  {
    name: 'end-of-a-token',
    means: 'The end of a token is a token',
    make: () => foundWhen((made, sent) => sent.length > 12 && made.endsWith(sent)),
  },
  {
    name: 'token-and-more',
    means: 'The text behind a token is not checked',
    make: () => foundWhen((made, sent) => sent.startsWith(made)),
  },
  {
    name: 'token-inside',
    means: 'A text that contains a token is a token',
    make: () => foundWhen((made, sent) => sent.includes(made)),
  },
  {
    name: 'token-in-any-case',
    means: 'Tokens are compared without regard to case',
    make: () => foundWhen((made, sent) => made.toLowerCase() === sent.toLowerCase()),
  },
  {
    name: 'first-character-ignored',
    means: 'The first character of a token does not count',
    make: () => comparing((text) => text.slice(1)),
  },
  {
    name: 'middle-ignored',
    means: 'The middle of a token does not count',
    make: () => ({
      ...comparing((text) => text.slice(0, 12) + text.slice(-12)),
      ...mixedAtBothEnds,
    }),
  },
  {
    name: 'end-ignored',
    means: 'The last three characters of a token do not count',
    make: () => comparing((text) => text.slice(0, -3)),
  },
  {
    name: 'last-character-of-a-token-ignored',
    means: 'The last character of a token does not count',
    make: () => comparing((text) => text.slice(0, -1)),
  },
  {
    name: 'first-quarter-ignored',
    means: 'The characters of a token from the eighth to the fifteenth do not count',
    make: () => comparing((text) => text.slice(0, 7) + text.slice(15)),
  },
  {
    name: 'third-quarter-ignored',
    means: 'Only the first 28 and the last seven characters of a token are compared',
    make: () => comparing((text) => text.slice(0, 28) + text.slice(-7)),
  },
  {
    name: 'zeros-are-a-token',
    means: 'A token of zeros is accepted, as in tests',
    make: () => foundWhen((_made, sent) => /^[0_-]{8,}$/.test(sent)),
  },
  {
    name: 'jwt-none',
    means: 'Unsigned JWTs are accepted',
    make: () => unchecked((alg) => alg === 'none'),
  },
  {
    name: 'jwt-none-in-any-case',
    means: 'Unsigned JWTs are accepted unless none is spelt in small letters',
    make: () => unchecked((alg) => alg !== 'none' && alg.toLowerCase() === 'none'),
  },
  {
    name: 'jwt-empty-signature',
    means: 'JWTs with an empty signature are accepted',
    make: () => unchecked((alg, signature) => alg === 'HS256' && signature === ''),
  },
  {
    name: 'jwt-decoded-only',
    means: 'JWTs are decoded, not verified',
    make: () => unchecked(() => true),
  },
  {
    name: 'jwt-signature-by-length',
    means: 'The signature of a JWT is only measured',
    make: () => unchecked((alg, signature) => alg === 'HS256' && signature.length === 43),
  },
  {
    name: 'jwt-key-secret',
    means: 'JWTs are also verified with the key of the tutorial',
    make: () => alsoKey('secret'),
  },
  {
    name: 'jwt-key-of-jwt-io',
    means: 'JWTs are also verified with the key that the debugger of jwt.io shows',
    make: () => alsoKey('a-string-secret-at-least-256-bits-long'),
  },
  {
    name: 'jwt-key-empty',
    means: 'JWTs are also verified with an empty key',
    make: () => alsoKey(''),
  },
  {
    name: 'jwt-key-is-api-key',
    means: 'JWTs are also verified with the API key',
    make: () => ({
      ...verifiedBy(() => undefined),
      find(text, state) {
        const claims = verify(text) ?? verify(text, state.account.apiKey);
        return claims && { text, madeAt: (claims.exp - 86_400) * 1000, memo: new Map() };
      },
    }),
  },
  {
    name: 'jwt-claims-not-signed',
    means: 'Only the header of a JWT is covered by its signature',
    make: () => ({
      ...verifiedBy((text) => {
        const [header = '', , signature] = text.split('.');
        return signature === mac(header, 'header only') ? parse(text)?.claims : undefined;
      }),
      mint(_state, now) {
        const [header = '', claims = ''] = sign(claimsAt(now)).split('.');
        return `${header}.${claims}.${mac(header, 'header only')}`;
      },
    }),
  },
];
