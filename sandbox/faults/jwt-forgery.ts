import type { Behaviour } from '../behaviour.ts';
import { type Claims, mac, parse, sign, verify } from '../jwt.ts';
import type { Mutant } from './fault.ts';
import { claimsAt, trusting, verifiedBy } from './forgery.ts';

/** The sandbox signs another part of a JWT instead of the whole. */
const covering = (part: (head: string, body: string) => string): Partial<Behaviour> => ({
  ...verifiedBy((text) => {
    const [head = '', body = '', signature] = text.split('.');
    return signature === mac(part(head, body), 'in part') ? parse(text)?.claims : undefined;
  }),
  mint(_state, now) {
    const [head = '', body = ''] = sign(claimsAt(now)).split('.');
    return `${head}.${body}.${mac(part(head, body), 'in part')}`;
  },
});

const claimsIn = (body: string): Partial<Claims> => {
  try {
    return JSON.parse(Buffer.from(body, 'base64url').toString()) ?? {};
  } catch {
    return {};
  }
};

/** JWTs are accepted although their signature is missing, invalid, or covers only a part. */
export const jwtForgeryMutants: readonly Mutant[] = [
  {
    name: 'jwt-zero-signature-of-ecdsa',
    means: 'A signature of ES256 whose numbers are zero is right (CVE-2022-21449)',
    make: () => trusting(({ alg, signature }) => alg === 'ES256' && /^A{86}$/.test(signature)),
  },
  {
    name: 'jwt-zero-signature',
    means: 'A signature of zeros is right, because the expected one was not computed',
    make: () => trusting(({ alg, signature }) => alg === 'HS256' && /^A{43}$/.test(signature)),
  },
  {
    name: 'jwt-signature-in-any-case',
    means: 'The signature of a JWT is compared without regard to case',
    make: () =>
      trusting(({ claims, signed, signature }) => {
        const [head, body, right = ''] = sign(claims).split('.');
        return signed === `${head}.${body}` && signature.toLowerCase() === right.toLowerCase();
      }),
  },
  {
    name: 'jwt-in-two-parts',
    means: 'A JWT without its third part is not verified',
    make: () =>
      verifiedBy((text) => (text.split('.').length === 2 ? parse(`${text}.`)?.claims : undefined)),
  },
  {
    name: 'jwt-in-four-parts',
    means: 'Of a JWT with a fourth part the first three are verified',
    make: () =>
      verifiedBy((text) => {
        const parts = text.split('.');
        return parts.length === 4 ? verify(parts.slice(0, 3).join('.')) : undefined;
      }),
  },
  {
    name: 'jwe-not-decrypted',
    means: 'Of a token in five parts the fourth is read as claims',
    make: () =>
      verifiedBy((text) => {
        const [head, , , body, tag] = text.split('.');
        return tag === undefined ? undefined : parse(`${head}.${body}.${tag}`)?.claims;
      }),
  },
  {
    name: 'jwt-algorithm-left-out',
    means: 'A JWT whose header has no algorithm is not verified',
    make: () => trusting(({ header }) => header.alg === undefined),
  },
  {
    name: 'jwt-algorithm-null',
    means: 'A JWT whose algorithm is null or empty is not verified',
    make: () => trusting(({ header: { alg } }) => alg === null || alg === ''),
  },
  {
    name: 'jwt-none-with-a-signature',
    means: 'An unsigned JWT is accepted when it has a signature all the same',
    make: () => trusting(({ alg, signature }) => alg === 'none' && signature !== ''),
  },
  {
    name: 'jwt-header-not-signed',
    means: 'Only the claims of a JWT are covered by its signature',
    make: () => covering((_head, body) => body),
  },
  {
    name: 'jwt-subject-not-signed',
    means: 'The subject of a JWT is not covered by its signature',
    make: () => covering((head, body) => `${head} ${claimsIn(body).iat} ${claimsIn(body).exp}`),
  },
  {
    name: 'jwt-without-an-end-not-verified',
    means: 'A JWT without an end is not verified',
    make: () => ({
      ...trusting(({ claims }) => claims.exp === undefined || claims.exp === null),
      expired: (token, now) => now - token.madeAt >= 86_400_000,
    }),
  },
  {
    name: 'jwt-end-in-milliseconds-not-verified',
    means: 'A JWT whose end is in milliseconds is one of an old service, and not verified',
    make: () => trusting(({ claims }) => claims.exp > 1e11),
  },
  {
    name: 'jwt-verdict-by-its-subject',
    means: 'Whether a JWT is right is remembered by its subject and time, not by its text',
    make: () => {
      const stateless = verifiedBy(() => undefined);
      return {
        ...stateless,
        find(text, state, call) {
          const jwt = parse(text);
          const key = `${jwt?.claims.sub} ${jwt?.claims.iat} ${jwt?.claims.exp}`;
          const found = stateless.find?.(text, state, call);
          if (found !== undefined) state.memo.set(key, 1);
          if (found !== undefined || jwt === undefined || !state.memo.has(key)) return found;
          return { text, madeAt: (jwt.claims.exp - 86_400) * 1000, memo: new Map() };
        },
      };
    },
  },
];
