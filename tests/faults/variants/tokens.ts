import { randomBytes, randomInt, randomUUID } from 'node:crypto';
import { type Behaviour, day, right } from '../../../sandbox/behaviour.ts';
import { fault, givingAgain, type Variant } from '../fault.ts';
import { claimsAt, tokenWith } from '../forgery.ts';
import { parse, sign, verify } from '../jwt.ts';
import { es256, isSigned } from '../jwt-keys.ts';

/** Stateless JWTs with whole seconds, as all nine examined libraries make them. */
export const jwt: Pick<Behaviour, 'mint' | 'find'> = {
  mint: (_state, now) => sign(claimsAt(now)),
  find(text) {
    const claims = verify(text);
    return claims && tokenWith(text, claims);
  },
};

/** JWTs of ES256 with their public key in the header, which a correct verifier ignores. */
const ecdsa = (): Partial<Behaviour> => {
  const { publicKey, mint } = es256();
  return {
    mint,
    find(text) {
      const jwt = parse(text);
      if (jwt?.alg !== 'ES256' || !isSigned(publicKey, jwt.signed, jwt.signature)) return undefined;
      return tokenWith(text, jwt.claims);
    },
  };
};

/** Tokens of another form. */
export const tokenVariants: readonly Variant[] = [
  fault('jwt', 'Tokens are JWTs of whole seconds', () => jwt),
  fault('jwt-es256', 'Tokens are JWTs of ES256 that name their public key', ecdsa),
  fault(
    'jwt-lenient-decoder',
    'Signs that are no base64, and spare bits, in a JWT are passed over',
    () => ({
      ...jwt,
      find(text, state, call) {
        const [header, claims, ...rest] = text.split('.');
        const decoded = Buffer.from(rest.join('.'), 'base64url').toString('base64url');
        return jwt.find(`${header}.${claims}.${decoded}`, state, call);
      },
    }),
  ),
  fault('uuid-tokens', 'Tokens are UUIDs', () => ({ mint: () => randomUUID() })),
  fault(
    'hex-tokens-in-any-case',
    'Tokens are hexadecimal numbers, whose case means nothing',
    () => ({
      mint: () => randomUUID().replaceAll('-', ''),
      find: (text, state, call) => right.find(text.toLowerCase(), state, call),
    }),
  ),
  fault(
    'padded-tokens',
    'Tokens are base64 with padding, and looked up by the bytes that a lenient decoder finds',
    () => ({
      mint: () => randomBytes(32).toString('base64'),
      find(text, state, call) {
        const [letters = ''] = text.split('=');
        return right.find(Buffer.from(letters, 'base64').toString('base64'), state, call);
      },
    }),
  ),
  fault(
    'prefixed-uuid-tokens',
    'Tokens are UUIDs, in which case means nothing, behind a prefix in capitals',
    () => ({
      mint: () => `AT-${randomUUID()}`,
      find: (text, state, call) =>
        right.find(text.slice(0, 3) + text.slice(3).toLowerCase(), state, call),
    }),
  ),
  fault('digit-tokens', 'Tokens are sixteen digits', () => ({
    mint: () => Array.from({ length: 16 }, () => randomInt(10)).join(''),
  })),
  fault('short-tokens', 'Tokens have eight characters', () => ({
    mint: () => randomUUID().slice(0, 8),
  })),
  fault('long-tokens', 'Tokens have four thousand characters', () => ({
    mint: (state, now) => right.mint(state, now).repeat(93),
  })),
  fault('odd-tokens', 'Tokens hold every sign that a Bearer token may (RFC 6750 2.1)', () => ({
    mint: (state, now) => `v1|${right.mint(state, now)}.-~+/=`,
  })),
  fault(
    'same-token-until-its-end',
    'A client with a token that is still valid is given that one again',
    () => givingAgain(({ madeAt }, now) => now - madeAt < day),
  ),
  fault('same-token-within-a-second', 'Two tokens of the same second are the same text', () => ({
    mint(state, now) {
      const second = Math.floor(now / 1000);
      for (const { text, madeAt } of [...state.tokens.values()].reverse())
        if (Math.floor(madeAt / 1000) === second) return text;
      return right.mint(state, now);
    },
  })),
];
