import {
  breaking,
  type Fault,
  type Faults,
  family,
  foundWhen,
  mixedAtBothEnds,
  texts,
} from './fault.ts';
import {
  type Claims,
  claimsAt,
  decode,
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

/** Texts that are accepted besides the tokens, by the names of their faults. */
const words: Readonly<Record<string, string>> = {
  'word-placeholder-is-a-token': '<ACCESS_TOKEN>',
  'word-digits-is-a-token': '123456',
  'word-empty-uuid-is-a-token': '00000000-0000-0000-0000-000000000000',
  'null-is-a-token': 'null',
  'undefined-is-a-token': 'undefined',
  'like-token': '%',
};

const plainWords = ['admin', 'demo', 'guest', 'anonymous', 'false', 'token', 'debug', 'dev'];

const isWord = (word: string): Fault => foundWhen((_made, sent) => sent === word);

/** Tokens that are the same by a comparison. */
const comparisons: Readonly<Record<string, (made: string, sent: string) => boolean>> = {
  'token-by-its-form': (made, sent) => sent.length === made.length && /^[\w-]+$/.test(sent),
  'sql-token': (_made, sent) => sent.includes("'"),
  // Tokens are the members of an object, which has some that were never issued.
  'members-of-objects-are-tokens': (_made, sent) => sent in {},
  'beginning-of-a-token': (made, sent) => sent.length > 12 && made.startsWith(sent),
  'end-of-a-token': (made, sent) => sent.length > 12 && made.endsWith(sent),
  'token-and-more': (made, sent) => sent.startsWith(made),
  'token-in-any-case': (made, sent) => made.toLowerCase() === sent.toLowerCase(),
  'zeros-are-a-token': (_made, sent) => /^[0_-]{8,}$/.test(sent),
};

/** The parts of a token that count, if the length is right. */
const comparedParts: Readonly<Record<string, (text: string) => string>> = {
  'first-character-ignored': (text) => text.slice(1),
  'end-ignored': (text) => text.slice(0, -3),
  'last-character-of-a-token-ignored': (text) => text.slice(0, -1),
  'first-quarter-ignored': (text) => text.slice(0, 7) + text.slice(15),
  'third-quarter-ignored': (text) => text.slice(0, 28) + text.slice(-7),
  'middle-ignored': (text) => text.slice(0, 12) + text.slice(-12),
};

/** A text that the service did not generate is a token. */
export const forgedTokenFaults: Faults = {
  ...breaking('BEARER-3', {
    ...family('*', words, isWord),
    ...family('word-*-is-a-token', texts(...plainWords, 'default'), isWord),
    ...family('*', comparisons, foundWhen),
    ...family('*', comparedParts, (part, name) => ({
      ...foundWhen((made, sent) => made.length === sent.length && part(made) === part(sent)),
      ...(name === 'middle-ignored' ? mixedAtBothEnds : {}),
    })),
    'token-by-its-beginning': {
      ...foundWhen((made, sent) => made.slice(0, 8) === sent.slice(0, 8)),
      ...mixedAtBothEnds,
    },
    'token-by-its-end': {
      ...foundWhen((made, sent) => made.slice(-12) === sent.slice(-12)),
      ...mixedAtBothEnds,
    },
  }),
  'token-inside': {
    breaks: ['BEARER-3', 'BEARER-4'],
    ...foundWhen((made, sent) => sent.includes(made)),
  },
};

/** JWTs whose signature is missing or not looked at. */
const unverified: Readonly<Record<string, (jwt: Parsed) => boolean>> = {
  none: ({ alg }) => alg === 'none',
  'none-in-any-case': ({ alg }) => alg !== 'none' && alg.toLowerCase() === 'none',
  'none-with-a-signature': ({ alg, signature }) => alg === 'none' && signature !== '',
  'empty-signature': ({ alg, signature }) => alg === 'HS256' && signature === '',
  'decoded-only': () => true,
  'signature-by-length': ({ alg, signature }) => alg === 'HS256' && signature.length === 43,
  // CVE-2022-21449.
  'zero-signature-of-ecdsa': ({ alg, signature }) => alg === 'ES256' && /^A{86}$/.test(signature),
  'zero-signature': ({ alg, signature }) => alg === 'HS256' && /^A{43}$/.test(signature),
  'signature-in-any-case': ({ claims, signed, signature }) => {
    const [head, body, right = ''] = sign(claims).split('.');
    return signed === `${head}.${body}` && signature.toLowerCase() === right.toLowerCase();
  },
  'algorithm-left-out': ({ header }) => header.alg === undefined,
  'algorithm-null': ({ header }) => header.alg === null || header.alg === '',
  'without-an-end-not-verified': ({ claims }) => claims.exp === undefined || claims.exp === null,
  'end-in-milliseconds-not-verified': ({ claims }) => claims.exp > 1e11,
};

/** JWTs in another number of parts. */
const otherParts: Readonly<Record<string, (parts: readonly string[]) => Claims | undefined>> = {
  'jwt-in-two-parts': (parts) =>
    parts.length === 2 ? parse(`${parts.join('.')}.`)?.claims : undefined,
  'jwt-in-four-parts': (parts) =>
    parts.length === 4 ? verify(parts.slice(0, 3).join('.')) : undefined,
  'jwe-not-decrypted': ([head, , , body, tag]) =>
    tag === undefined ? undefined : parse(`${head}.${body}.${tag}`)?.claims,
};

const claimsIn = (body: string): Partial<Claims> => decode(body) ?? {};

/** What the signature of a JWT covers. */
const coveredParts: Readonly<Record<string, (head: string, body: string) => string>> = {
  claims: (head) => head,
  header: (_head, body) => body,
  subject: (head, body) => `${head} ${claimsIn(body).iat} ${claimsIn(body).exp}`,
};

/** JWTs are accepted although their signature is missing, invalid, or covers only a part. */
export const forgedJwtFaults = breaking('BEARER-3', {
  ...family('jwt-*', unverified, trusting),
  ...family('*', otherParts, (claimsOf) => verifiedBy((text) => claimsOf(text.split('.')))),
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
