import { fault, type Mutant } from './fault.ts';
import { covering, tokenWith, trusting, verifiedBy } from './forgery.ts';
import { type Claims, decode, parse, sign, verify } from './jwt.ts';

const claimsIn = (body: string): Partial<Claims> => decode(body) ?? {};

/** JWTs are accepted although their signature is missing, invalid, or covers only a part. */
export const jwtForgeryMutants: readonly Mutant[] = [
  fault(
    'jwt-zero-signature-of-ecdsa',
    'A signature of ES256 whose numbers are zero is right (CVE-2022-21449)',
    () => trusting(({ alg, signature }) => alg === 'ES256' && /^A{86}$/.test(signature)),
  ),
  fault(
    'jwt-zero-signature',
    'A signature of zeros is right, because the expected one was not computed',
    () => trusting(({ alg, signature }) => alg === 'HS256' && /^A{43}$/.test(signature)),
  ),
  fault(
    'jwt-signature-in-any-case',
    'The signature of a JWT is compared without regard to case',
    () =>
      trusting(({ claims, signed, signature }) => {
        const [head, body, right = ''] = sign(claims).split('.');
        return signed === `${head}.${body}` && signature.toLowerCase() === right.toLowerCase();
      }),
  ),
  fault('jwt-in-two-parts', 'A JWT without its third part is not verified', () =>
    verifiedBy((text) => (text.split('.').length === 2 ? parse(`${text}.`)?.claims : undefined)),
  ),
  fault('jwt-in-four-parts', 'Of a JWT with a fourth part the first three are verified', () =>
    verifiedBy((text) => {
      const parts = text.split('.');
      return parts.length === 4 ? verify(parts.slice(0, 3).join('.')) : undefined;
    }),
  ),
  fault('jwe-not-decrypted', 'Of a token in five parts the fourth is read as claims', () =>
    verifiedBy((text) => {
      const [head, , , body, tag] = text.split('.');
      return tag === undefined ? undefined : parse(`${head}.${body}.${tag}`)?.claims;
    }),
  ),
  fault('jwt-algorithm-left-out', 'A JWT whose header has no algorithm is not verified', () =>
    trusting(({ header }) => header.alg === undefined),
  ),
  fault('jwt-algorithm-null', 'A JWT whose algorithm is null or empty is not verified', () =>
    trusting(({ header: { alg } }) => alg === null || alg === ''),
  ),
  fault(
    'jwt-none-with-a-signature',
    'An unsigned JWT is accepted when it has a signature all the same',
    () => trusting(({ alg, signature }) => alg === 'none' && signature !== ''),
  ),
  fault('jwt-header-not-signed', 'Only the claims of a JWT are covered by its signature', () =>
    covering((_head, body) => body),
  ),
  fault('jwt-subject-not-signed', 'The subject of a JWT is not covered by its signature', () =>
    covering((head, body) => `${head} ${claimsIn(body).iat} ${claimsIn(body).exp}`),
  ),
  fault('jwt-without-an-end-not-verified', 'A JWT without an end is not verified', () => ({
    ...trusting(({ claims }) => claims.exp === undefined || claims.exp === null),
    expired: (token, now) => now - token.madeAt >= 86_400_000,
  })),
  fault(
    'jwt-end-in-milliseconds-not-verified',
    'A JWT whose end is in milliseconds is one of an old service, and not verified',
    () => trusting(({ claims }) => claims.exp > 1e11),
  ),
  fault(
    'jwt-verdict-by-its-subject',
    'Whether a JWT is right is remembered by its subject and time, not by its text',
    () => {
      const stateless = verifiedBy(() => undefined);
      return {
        ...stateless,
        find(text, state, call) {
          const jwt = parse(text);
          const key = `${jwt?.claims.sub} ${jwt?.claims.iat} ${jwt?.claims.exp}`;
          const found = stateless.find?.(text, state, call);
          if (found !== undefined) state.memo.set(key, 1);
          if (found !== undefined || jwt === undefined || !state.memo.has(key)) return found;
          return tokenWith(text, jwt.claims);
        },
      };
    },
  ),
];
