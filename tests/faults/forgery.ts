import type { Behaviour, Issued, ServiceState } from '../../sandbox/behaviour.ts';
import { fault, foundWhen, type Mutant, mixedAtBothEnds } from './fault.ts';
import { type Claims, mac, type Parsed, parse, sign, verify } from './jwt.ts';

/** The sandbox with stateless JWTs, verified by a rule of the mutant. */
export const verifiedBy = (
  claimsOf: (text: string, account: ServiceState['account']) => Claims | undefined,
): Partial<Behaviour> => ({
  mint: (_state, now) => sign(claimsAt(now)),
  keep: () => undefined,
  find(text, { account }) {
    const claims = verify(text) ?? claimsOf(text, account);
    return claims && tokenWith(text, claims);
  },
});

/** The token that a JWT with these claims is. */
export const tokenWith = (text: string, { exp = Number.POSITIVE_INFINITY }: Claims): Issued => ({
  text,
  madeAt: (exp - 86_400) * 1000,
  memo: new Map(),
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
export const jwtKey = (name: string, means: string, key: string | Buffer): Mutant =>
  fault(name, means, () => verifiedBy((text) => verify(text, key)));

/** The sandbox signs a part of a JWT instead of the whole. */
export const covering = (part: (head: string, body: string) => string): Partial<Behaviour> => ({
  ...verifiedBy((text) => {
    const [head = '', body = '', signature] = text.split('.');
    return signature === mac(part(head, body), 'in part') ? parse(text)?.claims : undefined;
  }),
  mint(_state, now) {
    const [head = '', body = ''] = sign(claimsAt(now)).split('.');
    return `${head}.${body}.${mac(part(head, body), 'in part')}`;
  },
});

/** Tokens of an algorithm are not verified. */
const unchecked = (trusted: (alg: string, signature: string) => boolean): Partial<Behaviour> =>
  trusting(({ alg, signature }) => trusted(alg, signature));

/** Tokens of one length are the same if these parts of them are. */
const comparing = (parts: (text: string) => string): Partial<Behaviour> =>
  foundWhen((made, sent) => made.length === sent.length && parts(made) === parts(sent));

/** A token that the service did not generate is accepted. */
export const forgeryMutants: readonly Mutant[] = [
  fault('any-token', 'Any text is a token', () => foundWhen(() => true)),
  fault('token-by-its-form', 'Any text of the right length and alphabet is a token', () =>
    foundWhen((made, sent) => sent.length === made.length && /^[\w-]+$/.test(sent)),
  ),
  fault('null-is-a-token', 'The word null is a token', () =>
    foundWhen((_made, sent) => sent === 'null'),
  ),
  fault('undefined-is-a-token', 'The word undefined is a token', () =>
    foundWhen((_made, sent) => sent === 'undefined'),
  ),
  fault('sql-token', 'A token is pasted into SQL', () =>
    foundWhen((_made, sent) => sent.includes("'")),
  ),
  fault('like-token', 'A token is looked up with LIKE, so that % fits', () =>
    foundWhen((_made, sent) => sent === '%'),
  ),
  fault(
    'members-of-objects-are-tokens',
    'Tokens are the members of an object, which has some that were never issued',
    () => foundWhen((_made, sent) => sent in {}),
  ),
  fault('token-by-its-beginning', 'A token is looked up by its first eight characters', () => ({
    ...foundWhen((made, sent) => made.slice(0, 8) === sent.slice(0, 8)),
    ...mixedAtBothEnds,
  })),
  fault('token-by-its-end', 'A token is looked up by its last twelve characters', () => ({
    ...foundWhen((made, sent) => made.slice(-12) === sent.slice(-12)),
    ...mixedAtBothEnds,
  })),
  fault('beginning-of-a-token', 'The beginning of a token is a token', () =>
    foundWhen((made, sent) => sent.length > 12 && made.startsWith(sent)),
  ),
  fault('end-of-a-token', 'The end of a token is a token', () =>
    foundWhen((made, sent) => sent.length > 12 && made.endsWith(sent)),
  ),
  fault('token-and-more', 'The text behind a token is not checked', () =>
    foundWhen((made, sent) => sent.startsWith(made)),
  ),
  fault('token-inside', 'A text that contains a token is a token', () =>
    foundWhen((made, sent) => sent.includes(made)),
  ),
  fault('token-in-any-case', 'Tokens are compared without regard to case', () =>
    foundWhen((made, sent) => made.toLowerCase() === sent.toLowerCase()),
  ),
  fault('first-character-ignored', 'The first character of a token does not count', () =>
    comparing((text) => text.slice(1)),
  ),
  fault('middle-ignored', 'The middle of a token does not count', () => ({
    ...comparing((text) => text.slice(0, 12) + text.slice(-12)),
    ...mixedAtBothEnds,
  })),
  fault('end-ignored', 'The last three characters of a token do not count', () =>
    comparing((text) => text.slice(0, -3)),
  ),
  fault('last-character-of-a-token-ignored', 'The last character of a token does not count', () =>
    comparing((text) => text.slice(0, -1)),
  ),
  fault(
    'first-quarter-ignored',
    'The characters of a token from the eighth to the fifteenth do not count',
    () => comparing((text) => text.slice(0, 7) + text.slice(15)),
  ),
  fault(
    'third-quarter-ignored',
    'Only the first 28 and the last seven characters of a token are compared',
    () => comparing((text) => text.slice(0, 28) + text.slice(-7)),
  ),
  fault('zeros-are-a-token', 'A token of zeros is accepted, as in tests', () =>
    foundWhen((_made, sent) => /^[0_-]{8,}$/.test(sent)),
  ),
  fault('jwt-none', 'Unsigned JWTs are accepted', () => unchecked((alg) => alg === 'none')),
  fault(
    'jwt-none-in-any-case',
    'Unsigned JWTs are accepted unless none is spelt in small letters',
    () => unchecked((alg) => alg !== 'none' && alg.toLowerCase() === 'none'),
  ),
  fault('jwt-empty-signature', 'JWTs with an empty signature are accepted', () =>
    unchecked((alg, signature) => alg === 'HS256' && signature === ''),
  ),
  fault('jwt-decoded-only', 'JWTs are decoded, not verified', () => unchecked(() => true)),
  fault('jwt-signature-by-length', 'The signature of a JWT is only measured', () =>
    unchecked((alg, signature) => alg === 'HS256' && signature.length === 43),
  ),
  jwtKey('jwt-key-secret', 'JWTs are also verified with the key of the tutorial', 'secret'),
  jwtKey(
    'jwt-key-of-jwt-io',
    'JWTs are also verified with the key that the debugger of jwt.io shows',
    'a-string-secret-at-least-256-bits-long',
  ),
  jwtKey('jwt-key-empty', 'JWTs are also verified with an empty key', ''),
  fault('jwt-key-is-api-key', 'JWTs are also verified with the API key', () =>
    verifiedBy((text, { apiKey }) => verify(text, apiKey)),
  ),
  fault('jwt-claims-not-signed', 'Only the header of a JWT is covered by its signature', () =>
    covering((head) => head),
  ),
];
