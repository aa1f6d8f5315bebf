import {
  createHmac,
  createPublicKey,
  randomBytes,
  randomInt,
  randomUUID,
  verify,
} from 'node:crypto';
import { type Behaviour, day, type Issued, right } from '../../sandbox/behaviour.ts';
import {
  breaking,
  type Fault,
  type Faults,
  family,
  foundWhen,
  givingAgain,
  htmlPage,
  second,
} from './fault.ts';

/** A JWT in its parts, before any verification. */
interface Parsed {
  readonly header: Readonly<Record<string, unknown>>;
  /** In whole seconds, as is usual with RFC 7519. */
  readonly claims: { readonly sub: string; readonly iat: number; readonly exp: number };
  readonly signed: string;
  readonly signature: string;
}

const signingKey = 'b0a1-signing-key-of-the-sandbox-only-9f';

const encode = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');

const mac = (signed: string, key: string | Buffer): string =>
  createHmac('sha256', key).update(signed).digest('base64url');

export function sign(claims: object, key = signingKey): string {
  const signed = `${encode({ alg: 'HS256', typ: 'JWT' })}.${encode(claims)}`;
  return `${signed}.${mac(signed, key)}`;
}

/** A text as a JWT; undefined when it is not a JWT. */
export function parse(text: string): Parsed | undefined {
  const [head = '', body = '', signature, more] = text.split('.');
  if (signature === undefined || more !== undefined) return undefined;
  try {
    const [header, claims] = [head, body].map((part) =>
      JSON.parse(Buffer.from(part, 'base64url').toString()),
    );
    const isJwt = Object(header) === header && Object(claims) === claims;
    return isJwt ? { header, claims, signed: `${head}.${body}`, signature } : undefined;
  } catch {
    return undefined;
  }
}

function mint(now: number): string {
  const iat = Math.floor(now / 1000);
  return sign({ sub: 'client-1', iat, exp: iat + 86_400 });
}

/** The token that a JWT is. */
const tokenOf = (text: string, { claims: { exp = Number.POSITIVE_INFINITY } }: Parsed): Issued => ({
  text,
  madeAt: exp * 1000 - day,
  memo: new Map(),
});

const isOurs = ({ header, signed, signature }: Parsed): boolean =>
  header.alg === 'HS256' && signature === mac(signed, signingKey);

/** The sandbox with stateless JWTs. @param isTrusted whether a JWT is accepted besides the right ones */
const trusting = (
  isTrusted: (jwt: Parsed) => boolean,
): Pick<Behaviour, 'mint' | 'keep' | 'find'> => ({
  mint: (_state, now) => mint(now),
  keep: () => undefined,
  find(text) {
    const jwt = parse(text);
    return jwt !== undefined && (isOurs(jwt) || isTrusted(jwt)) ? tokenOf(text, jwt) : undefined;
  },
});

/** Stateless JWTs with whole seconds, as all nine examined libraries make them. */
export const jwt = trusting(() => false);

/** JWTs are accepted although their signature is missing, invalid, or covers only a part. */
export const forgedJwtFaults = breaking('BEARER-3', {
  'jwt-decoded-only': trusting(() => true),
  'jwt-key-in-its-header': trusting(({ header, signed, signature }) => {
    try {
      const key = createPublicKey({ key: Object(header.jwk), format: 'jwk' });
      const digest = key.asymmetricKeyType === 'ed25519' ? null : 'sha256';
      const how = { key, dsaEncoding: 'ieee-p1363' } as const;
      return verify(digest, Buffer.from(signed), how, Buffer.from(signature, 'base64url'));
    } catch {
      return false;
    }
  }),
  'jwt-hmac-key-in-its-header': trusting(({ header, signed, signature }) => {
    const { k } = Object(header.jwk);
    return k !== undefined && signature === mac(signed, Buffer.from(k, 'base64url'));
  }),
  'jwt-claims-not-signed': {
    ...trusting(({ signed, signature }) => signature === mac(signed.replace(/\..*/, ''), 'head')),
    mint(_state, now) {
      const [head = '', body] = mint(now).split('.');
      return `${head}.${body}.${mac(head, 'head')}`;
    },
  },
  // Whether a JWT is right is remembered by its claims, not by its text.
  'jwt-verdict-by-its-subject': {
    ...jwt,
    find(text, { memo }) {
      const jwt = parse(text);
      if (jwt === undefined) return undefined;
      const { sub, iat, exp } = jwt.claims;
      const key = `${sub} ${iat} ${exp}`;
      if (isOurs(jwt)) memo.set(key, 1);
      return memo.has(key) ? tokenOf(text, jwt) : undefined;
    },
  },
});

export const jwtVariants: Faults = {
  jwt,
  'jwt-lenient-decoder': trusting(({ signed, signature }) => {
    const bytes = Buffer.from(signature, 'base64url');
    return bytes.equals(createHmac('sha256', signingKey).update(signed).digest());
  }),
};

type Change = (text: string) => string;

/** Percent-decoded, if possible. */
const decoded: Change = (text) => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};

/** Texts that are accepted besides the tokens. */
const comparisons: Readonly<Record<string, (made: string, sent: string) => boolean>> = {
  'token-by-its-form': (made, sent) => sent.length === made.length && /^[\w-]+$/.test(sent),
  'beginning-of-a-token': (made, sent) => sent.length > 12 && made.startsWith(sent),
  'token-and-more': (made, sent) => sent.startsWith(made),
  'token-in-any-case': (made, sent) => made.toLowerCase() === sent.toLowerCase(),
  'token-percent-decoded': (made, sent) => made === decoded(sent),
};

/** A text that the service did not generate is a token. */
export const forgedTokenFaults: Faults = {
  ...breaking('BEARER-3', family('*', comparisons, foundWhen)),
  'token-inside': {
    breaks: ['BEARER-3', 'BEARER-4'],
    ...foundWhen((made, sent) => sent.includes(made)),
  },
};

/**
 * No token is stored: a token is a text with its client and its end (milliseconds since 1970) in an encoding. The
 * service reads only what it would write.
 */
const spelling = (
  encoding: BufferEncoding,
  write: (end: number, client: string) => string,
): Fault => ({
  mint: ({ account }, now) => Buffer.from(write(now + day, account.apiKey)).toString(encoding),
  keep: () => undefined,
  find(text, { account }) {
    const end = Number(/\d{13}/.exec(`${Buffer.from(text, encoding)}`)?.[0]);
    const isOurs = end > 0 && Buffer.from(write(end, account.apiKey)).toString(encoding) === text;
    return isOurs ? { text, madeAt: end - day, memo: new Map() } : undefined;
  },
});

const inWords = (end: number, client: string): string => `${client}.${end}`;

/** A client that reads such a token can write another one: nothing signs it. */
export const unsignedTokenFaults = breaking('BEARER-3', {
  'token-spells-its-end': spelling('utf8', inWords),
  'token-spells-its-end-in-hex': spelling('hex', inWords),
});

/** The text of a token is made out of a random one. */
const minted = (form: Change): Fault => ({ mint: (state, now) => form(right.mint(state, now)) });

/** Tokens of another form. */
export const tokenFormVariants: Faults = {
  'uuid-tokens': { mint: () => randomUUID() },
  'digit-tokens': { mint: () => Array.from({ length: 16 }, () => randomInt(10)).join('') },
  // The middle of the text is the last digit.
  'counted-tokens': { mint: ({ tokens }) => `token-number-${100 + tokens.size}-of-the-client` },
  'short-tokens': { mint: () => randomUUID().slice(0, 8) },
  'long-tokens': minted((text) => text.repeat(93)),
  // Every sign that a Bearer token may have (RFC 6750 2.1).
  'odd-tokens': minted((text) => `v1|${text}.-~+/=`),
  'visible-tokens': minted((text) => `12:${text},"{a};b%20`),
  'signed-end-in-base64': spelling('base64url', (end, client) => {
    const words = inWords(end, client);
    return `${words}.${mac(words, 'a key of the sandbox')}`;
  }),
  'same-token-within-a-second': givingAgain(
    ({ madeAt }, now) => Math.floor(madeAt / second) === Math.floor(now / second),
  ),
};

const recoded =
  (encoding: BufferEncoding): Change =>
  (text) =>
    Buffer.from(text, encoding).toString(encoding);

const random = (encoding: BufferEncoding, bytes = 32): string =>
  randomBytes(bytes).toString(encoding);

/** How tokens are made, and what is read of a text: two texts are the same token if this is the same. */
const decoders: Readonly<Record<string, readonly [make: () => string, read: Change]>> = {
  'hex-tokens-in-any-case': [() => random('hex', 16), (text) => text.toLowerCase()],
  'hex-tokens-up-to-another-sign': [() => random('hex'), recoded('hex')],
  'padded-tokens': [() => random('base64'), (text) => recoded('base64')(text.replace(/=.*/, ''))],
  'signs-beyond-base64-skipped': [() => random('base64url'), recoded('base64url')],
  'hyphens-skipped-in-base64': [
    () => random('base64', 33),
    (text) => text.replace(/[^\w+/]|_/g, ''),
  ],
  'prefixed-uuid-tokens': [
    () => `AT-${randomUUID()}`,
    (text) => text.slice(0, 3) + text.slice(3).toLowerCase(),
  ],
  'uuid-tokens-with-free-hyphens': [
    randomUUID,
    (text) =>
      text
        .toLowerCase()
        .replace(/^\{(.*)\}$/, '$1')
        .replaceAll('-', ''),
  ],
  'tokens-in-percent-encoding': [() => encodeURIComponent(random('base64', 31)), decoded],
};

/** Tokens that a lenient decoder reads in more than one spelling, and firewalls that odd signs stop. */
export const decoderVariants: Faults = {
  ...family('*', decoders, ([make, read]) => ({
    mint: make,
    ...foundWhen((made, sent) => read(made) === read(sent)),
  })),
  ...family('odd-tokens-*', { 400: 400, 403: 403 }, (status) => ({
    finish: (reply, { headers: { authorization = '' } }) =>
      /^Bearer (".*"|%.*|\S*([,;<>]|[^\0-\x7f])\S*)$/.test(authorization)
        ? htmlPage(status, '<h1>Blocked</h1>')
        : reply,
  })),
};
