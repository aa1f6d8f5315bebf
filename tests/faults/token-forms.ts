import { randomBytes, randomInt, randomUUID } from 'node:crypto';
import { type Behaviour, day, right } from '../../sandbox/behaviour.ts';
import {
  breaking,
  type Fault,
  type Faults,
  family,
  foundWhen,
  givingAgain,
  htmlPage,
} from './fault.ts';
import { decode, es256, isSigned, jwt, mac, parse, tokenWith } from './jwt.ts';
import { decodedBy } from './request-parts.ts';

type Change = (text: string) => string;

/** The text of a token is made out of a random one. */
const minted = (form: Change): Fault => ({ mint: (state, now) => form(right.mint(state, now)) });

/** A token is looked up after a change of the text. */
const foundAfter = (change: Change): Pick<Behaviour, 'find'> => ({
  find: (text, state, call) => right.find(change(text), state, call),
});

const recoded = (encoding: BufferEncoding) => (text: string) =>
  Buffer.from(text, encoding).toString(encoding);

const decoded = decodedBy(decodeURIComponent);
const withoutHyphens: Change = (text) => text.replaceAll('-', '');

/** Forms that a request cannot carry behind `Bearer `. */
const unsendable: Readonly<Record<string, Change>> = {
  'token-ends-with-a-line-break': (text) => `${text}\n`,
  'token-in-two-lines': (text) => `${text.slice(0, 20)}\r\n${text.slice(20)}`,
  'token-with-a-blank': (text) => `${text.slice(0, 20)} ${text.slice(20)}`,
  'token-ends-with-a-blank': (text) => text.padEnd(64),
  'token-begins-with-a-tab': (text) => `\t${text}`,
  'token-with-a-nul': (text) => `${text}\0\0`,
};

export const unsendableTokenFaults = breaking('TOKEN-1', family('*', unsendable, minted));

/** A part of what a request sends is cut off, or decoded. */
const unwrapped: Readonly<Record<string, Change>> = {
  // Of a list the first element, as in Laravel.
  'cut-at-a-comma': (sent) => sent.split(',')[0] ?? '',
  'percent-decoded': decoded,
};

export const wrappedTokenFaults = breaking(
  'BEARER-3',
  family('token-*', unwrapped, (change) => foundWhen((made, sent) => change(sent) === made)),
);

/**
 * No token is stored: a token is an encoded text with its client and its end (milliseconds since 1970). The encoding
 * does not forgive what it does not write itself.
 */
const storing = (
  encoding: BufferEncoding,
  write: (end: number, client: string) => string,
  read: (text: string) => { readonly end: number; readonly client: string },
): Fault => ({
  mint: ({ account }, now) => Buffer.from(write(now + day, account.apiKey)).toString(encoding),
  keep: () => undefined,
  find(text, { account }) {
    const decoded = Buffer.from(text, encoding);
    const { end, client } = read(decoded.toString());
    const isValid = client === account.apiKey && decoded.toString(encoding) === text;
    return isValid && end > 0 ? { text, madeAt: end - day, memo: new Map() } : undefined;
  },
});

/** @param signature of the other words, with the dot before it */
const inWords = (encoding: BufferEncoding, signature = (_text: string) => ''): Fault =>
  storing(
    encoding,
    (end, client) => `${client}.${end}${signature(`${client}.${end}`)}`,
    (text) => {
      const [client = '', end] = text.split('.');
      const isSigned = text === `${client}.${end}${signature(`${client}.${end}`)}`;
      return { client, end: isSigned ? Number(end) : Number.NaN };
    },
  );

const inJson = (encoding: BufferEncoding, timeOf: (end: number) => string | number): Fault =>
  storing(
    encoding,
    (end, client) => JSON.stringify({ client, scope: 'all', expires: timeOf(end) }),
    (text) => {
      const { client, expires } = Object(decode(Buffer.from(text).toString('base64url')));
      return { client, end: new Date(expires).getTime() };
    },
  );

/** A client that reads such a token can write another one: nothing signs it. */
export const unsignedTokenFaults = breaking('BEARER-3', {
  'token-spells-its-end': inWords('utf8'),
  'token-spells-its-end-in-hex': inWords('hex'),
  'token-is-json-in-base64': inJson('base64', Number),
  'token-is-json-with-a-date': inJson('base64url', (end) => new Date(end).toISOString()),
});

/** Tokens of another form. */
export const tokenFormVariants: Faults = {
  jwt,
  'jwt-es256'() {
    const { publicKey, mint } = es256();
    return {
      mint,
      find(text) {
        const jwt = parse(text);
        if (jwt?.alg !== 'ES256' || !isSigned(publicKey, jwt.signed, jwt.signature))
          return undefined;
        return tokenWith(text, jwt.claims);
      },
    };
  },
  'uuid-tokens': { mint: () => randomUUID() },
  'digit-tokens': { mint: () => Array.from({ length: 16 }, () => randomInt(10)).join('') },
  'short-tokens': { mint: () => randomUUID().slice(0, 8) },
  'long-tokens': minted((text) => text.repeat(93)),
  // Every sign that a Bearer token may have (RFC 6750 2.1).
  'odd-tokens': minted((text) => `v1|${text}.-~+/=`),
  'visible-tokens': minted((text) => `12:${text},"{a};b%20`),
  'signed-end-in-base64': inWords('base64url', (text) => `.${mac(text, 'a key of the sandbox')}`),
  'same-token-until-its-end': givingAgain(({ madeAt }, now) => now - madeAt < day),
  'same-token-within-a-second': {
    mint(state, now) {
      const second = Math.floor(now / 1000);
      for (const { text, madeAt } of [...state.tokens.values()].reverse())
        if (Math.floor(madeAt / 1000) === second) return text;
      return right.mint(state, now);
    },
  },
  // On its first day a client gets the token "demo", as stubs have it.
  'first-token-is-a-word': givingAgain(
    ({ madeAt }, now) => now - madeAt < day,
    (state, now) => (state.tokens.size === 0 ? 'demo' : right.mint(state, now)),
  ),
};

/** Tokens that a lenient decoder reads in more than one spelling, and firewalls that odd signs stop. */
export const decoderVariants: Faults = {
  'jwt-lenient-decoder': {
    ...jwt,
    find(text, state, call) {
      const [header, claims, ...rest] = text.split('.');
      return jwt.find(`${header}.${claims}.${recoded('base64url')(rest.join('.'))}`, state, call);
    },
  },
  'hex-tokens-in-any-case': {
    mint: () => withoutHyphens(randomUUID()),
    ...foundAfter((text) => text.toLowerCase()),
  },
  'padded-tokens': {
    mint: () => randomBytes(32).toString('base64'),
    ...foundAfter((text) => recoded('base64')(text.split('=')[0] ?? '')),
  },
  'prefixed-uuid-tokens': {
    mint: () => `AT-${randomUUID()}`,
    ...foundAfter((text) => text.slice(0, 3) + text.slice(3).toLowerCase()),
  },
  'signs-beyond-base64-skipped': foundAfter(recoded('base64url')),
  'hyphens-skipped-in-base64': {
    mint: () => randomBytes(33).toString('base64'),
    ...foundAfter((text) => text.replace(/[^A-Za-z0-9+/]/g, '')),
  },
  'hex-tokens-up-to-another-sign': {
    mint: () => randomBytes(32).toString('hex'),
    ...foundAfter(recoded('hex')),
  },
  'uuid-tokens-with-free-hyphens': {
    mint: () => randomUUID(),
    ...foundAfter((text) => {
      const digits = withoutHyphens(text.toLowerCase().replace(/^\{(.*)\}$/, '$1'));
      return digits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
    }),
  },
  'tokens-in-percent-encoding': {
    mint: () => encodeURIComponent(randomBytes(31).toString('base64')),
    find: (text, { tokens }) =>
      [...tokens.values()].find((issued) => decoded(issued.text) === decoded(text)),
  },
  ...family('odd-tokens-*', { 400: 400, 403: 403 }, (status) => ({
    finish: (reply, { headers: { authorization = '' } }) =>
      /^Bearer (".*"|%.*|\S*([,;<>]|[^\0-\x7f])\S*)$/.test(authorization)
        ? htmlPage(status, '<h1>Blocked</h1>')
        : reply,
  })),
};
