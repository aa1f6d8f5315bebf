import {
  generateKeyPairSync,
  randomBytes,
  randomInt,
  randomUUID,
  sign as signWith,
  verify as verifyWith,
} from 'node:crypto';
import { type Behaviour, day, right } from '../../behaviour.ts';
import { encode, parse, sign, verify } from '../../jwt.ts';
import { givingAgain, type Variant } from '../fault.ts';
import { claimsAt } from '../forgery.ts';

/** Stateless JWTs with whole seconds, as all nine examined libraries make them. */
const jwt: Partial<Behaviour> = {
  mint: (_state, now) => sign(claimsAt(now)),
  find(text) {
    const claims = verify(text);
    return claims && { text, madeAt: (claims.exp - 86_400) * 1000, memo: new Map() };
  },
};

/** JWTs of ES256 with their public key in the header, which a correct verifier ignores. */
const ecdsa = (): Partial<Behaviour> => {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const header = encode({ alg: 'ES256', jwk: publicKey.export({ format: 'jwk' }) });
  const raw = { dsaEncoding: 'ieee-p1363' } as const;
  return {
    mint(_state, now) {
      const signed = `${header}.${encode(claimsAt(now))}`;
      const signature = signWith('sha256', Buffer.from(signed), { key: privateKey, ...raw });
      return `${signed}.${signature.toString('base64url')}`;
    },
    find(text) {
      const jwt = parse(text);
      if (jwt?.alg !== 'ES256') return undefined;
      const signature = Buffer.from(jwt.signature, 'base64url');
      const right = verifyWith(
        'sha256',
        Buffer.from(jwt.signed),
        { key: publicKey, ...raw },
        signature,
      );
      const madeAt = (jwt.claims.exp - 86_400) * 1000;
      return right ? { text, madeAt, memo: new Map() } : undefined;
    },
  };
};

/** Tokens of another form. */
export const tokenVariants: readonly Variant[] = [
  { name: 'jwt', means: 'Tokens are JWTs of whole seconds', make: () => jwt },
  {
    name: 'jwt-es256',
    means: 'Tokens are JWTs of ES256 that name their public key',
    make: ecdsa,
  },
  {
    name: 'jwt-lenient-decoder',
    means: 'Signs that are no base64, and spare bits, in a JWT are passed over',
    make: () => ({
      ...jwt,
      find(text, state, call) {
        const [header, claims, ...rest] = text.split('.');
        const decoded = Buffer.from(rest.join('.'), 'base64url').toString('base64url');
        return jwt.find?.(`${header}.${claims}.${decoded}`, state, call);
      },
    }),
  },
  { name: 'uuid-tokens', means: 'Tokens are UUIDs', make: () => ({ mint: () => randomUUID() }) },
  {
    name: 'hex-tokens-in-any-case',
    means: 'Tokens are hexadecimal numbers, whose case means nothing',
    make: () => ({
      mint: () => randomUUID().replaceAll('-', ''),
      find: (text, state, call) => right.find(text.toLowerCase(), state, call),
    }),
  },
  {
    name: 'padded-tokens',
    means:
      'Tokens are base64 with padding, and looked up by the bytes that a lenient decoder finds',
    make: () => ({
      mint: () => randomBytes(32).toString('base64'),
      find(text, state, call) {
        const [letters = ''] = text.split('=');
        return right.find(Buffer.from(letters, 'base64').toString('base64'), state, call);
      },
    }),
  },
  {
    name: 'prefixed-uuid-tokens',
    means: 'Tokens are UUIDs, in which case means nothing, behind a prefix in capitals',
    make: () => ({
      mint: () => `AT-${randomUUID()}`,
      find: (text, state, call) =>
        right.find(text.slice(0, 3) + text.slice(3).toLowerCase(), state, call),
    }),
  },
  {
    name: 'digit-tokens',
    means: 'Tokens are sixteen digits',
    make: () => ({ mint: () => Array.from({ length: 16 }, () => randomInt(10)).join('') }),
  },
  {
    name: 'short-tokens',
    means: 'Tokens have eight characters',
    make: () => ({ mint: () => randomUUID().slice(0, 8) }),
  },
  {
    name: 'long-tokens',
    means: 'Tokens have four thousand characters',
    make: () => ({ mint: (state, now) => right.mint(state, now).repeat(93) }),
  },
  {
    name: 'odd-tokens',
    means: 'Tokens hold every sign that a Bearer token may (RFC 6750 2.1)',
    make: () => ({ mint: (state, now) => `v1|${right.mint(state, now)}.-~+/=` }),
  },
  {
    name: 'same-token-until-its-end',
    means: 'A client with a token that is still valid is given that one again',
    make: () => givingAgain(({ madeAt }, now) => now - madeAt < day),
  },
  {
    name: 'same-token-within-a-second',
    means: 'Two tokens of the same second are the same text',
    make: () => ({
      mint(state, now) {
        const second = Math.floor(now / 1000);
        for (const { text, madeAt } of [...state.tokens.values()].reverse())
          if (Math.floor(madeAt / 1000) === second) return text;
        return right.mint(state, now);
      },
    }),
  },
];
