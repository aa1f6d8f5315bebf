import { createPublicKey } from 'node:crypto';
import { breaking, type Faults, family, foundWhen } from './fault.ts';
import {
  type Claims,
  claimsAt,
  decode,
  isSigned,
  jwt,
  mac,
  type Parsed,
  parse,
  sign,
  tokenWith,
  trusting,
  verifiedBy,
  verify,
} from './jwt.ts';

/** Texts that are accepted besides the tokens. */
const comparisons: Readonly<Record<string, (made: string, sent: string) => boolean>> = {
  'null-is-a-token': (_made, sent) => sent === 'null',
  'token-by-its-form': (made, sent) => sent.length === made.length && /^[\w-]+$/.test(sent),
  'beginning-of-a-token': (made, sent) => sent.length > 12 && made.startsWith(sent),
  'token-and-more': (made, sent) => sent.startsWith(made),
  'token-in-any-case': (made, sent) => made.toLowerCase() === sent.toLowerCase(),
  'third-quarter-ignored': (made, sent) =>
    made.slice(0, 28) === sent.slice(0, 28) && made.slice(-7) === sent.slice(36),
};

/** A text that the service did not generate is a token. */
export const forgedTokenFaults: Faults = {
  ...breaking('BEARER-3', family('*', comparisons, foundWhen)),
  'token-inside': {
    breaks: ['BEARER-3', 'BEARER-4'],
    ...foundWhen((made, sent) => sent.includes(made)),
  },
};

/** JWTs that are accepted although the service's key did not sign them. */
const unverified: Readonly<Record<string, (jwt: Parsed) => boolean>> = {
  none: ({ alg }) => alg === 'none',
  'decoded-only': () => true,
  'signature-by-length': ({ alg, signature }) => alg === 'HS256' && signature.length === 43,
  'asymmetric-not-verified': ({ alg }) => alg === 'RS256',
  'key-in-its-header': ({ header, signed, signature }) => {
    try {
      const key = createPublicKey({ key: Object(header.jwk), format: 'jwk' });
      return isSigned(key, signed, signature);
    } catch {
      return false;
    }
  },
  'hmac-key-in-its-header': ({ header, signed, signature }) => {
    const { k } = Object(header.jwk);
    return k !== undefined && signature === mac(signed, Buffer.from(k, 'base64url'));
  },
};

const claimsIn = (body: string): Partial<Claims> => decode(body) ?? {};

/** What the signature of a JWT covers. */
const coveredParts: Readonly<Record<string, (head: string, body: string) => string>> = {
  claims: (head) => head,
  subject: (head, body) => `${head} ${claimsIn(body).iat} ${claimsIn(body).exp}`,
};

/** JWTs are accepted although their signature is missing, invalid, or covers only a part. */
export const forgedJwtFaults = breaking('BEARER-3', {
  ...family('jwt-*', unverified, trusting),
  'jwt-key-secret': verifiedBy((text) => verify(text, 'secret')),
  ...family('jwt-*-not-signed', coveredParts, (part) => ({
    ...verifiedBy((text) => {
      const [head = '', body = '', signature] = text.split('.');
      return signature === mac(part(head, body), 'in part') ? parse(text)?.claims : undefined;
    }),
    mint(_state, now) {
      const [head = '', body = ''] = sign(claimsAt(now)).split('.');
      return `${head}.${body}.${mac(part(head, body), 'in part')}`;
    },
  })),
  // Whether a JWT is right is remembered by its claims, not by its text.
  'jwt-verdict-by-its-subject': {
    ...jwt,
    find(text, state, call) {
      const claims = parse(text)?.claims;
      const key = `${claims?.sub} ${claims?.iat} ${claims?.exp}`;
      const found = jwt.find(text, state, call);
      if (found !== undefined) state.memo.set(key, 1);
      if (found !== undefined || claims === undefined || !state.memo.has(key)) return found;
      return tokenWith(text, claims);
    },
  },
});
