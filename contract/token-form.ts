import { createHmac, randomInt } from 'node:crypto';
import { isObject } from './answer.ts';
import { open, Secret } from './secret.ts';

/*
 * Tokens that the service did not generate, made from one that it did. Every change alters the bytes that the text
 * stands for: base64 has spare bits in its last character and padding behind it, hexadecimal knows no case, and a
 * lenient decoder is no fault (OPEN-4 leaves the form open).
 */

/** A token made from another, and in which way. */
export interface Forgery {
  readonly how: string;
  readonly secret: Secret;
}

/** One character replaced at the beginning, in the middle and at the end of the token, or of each of its parts. */
export function altered(token: Secret): Forgery[] {
  const parts = partsOf(token);
  let start = 0;
  return parts.flatMap((text, index) => {
    const from = start;
    start += text.length + 1;
    const length = unpadded(text).length;
    const part = parts.length === 1 ? '' : ` of part ${index + 1}`;
    const places = { beginning: 0, middle: Math.floor(length / 2), end: length - 2 };
    return Object.entries(places)
      .filter(([, at]) => at >= 0 && at < length)
      .map(([place, at]) => ({
        how: `altered at the ${place}${part}`,
        secret: token.derive((text) => replacedAt(text, from + at)),
      }));
  });
}

/** Less of the token than there was: at either end, and only half of it. */
export function shortened(token: Secret): Forgery[] {
  return [
    { how: 'without its first character', secret: token.derive((text) => text.slice(1)) },
    {
      how: 'without its last character',
      secret: token.derive((text) => unpadded(text).slice(0, -1)),
    },
    {
      how: 'without its second half',
      secret: token.derive((text) => text.slice(0, Math.ceil(text.length / 2))),
    },
  ];
}

/** More than the token: characters of its own alphabet, four of them, which are whole bytes in base64 and in hex. */
export function lengthened(token: Secret): Forgery[] {
  const four = (text: string): string => lettersOf(text).slice(0, 4).padEnd(4, 'a');
  const followedBy = (more: string, text: string): string =>
    unpadded(text) + more + text.slice(unpadded(text).length);
  return [
    {
      how: 'with four characters behind it',
      secret: token.derive((text) => followedBy(four(text), text)),
    },
    { how: 'with four characters before it', secret: token.derive((text) => four(text) + text) },
    { how: 'twice', secret: token.derive((text) => unpadded(text) + text) },
  ];
}

/**
 * The token in other letters. A word of it in which only one case occurs stays as it is, because such alphabets are
 * often read without regard to it; the prefix of a token may be in another case. None where that is every word.
 */
export function recased(token: Secret): Forgery[] {
  const mixed = (word: string): boolean => /[a-z]/.test(word) && /[A-Z]/.test(word);
  const words = /[A-Za-z0-9]+/g;
  if (!token.is((text) => (text.match(words) ?? []).some(mixed))) return [];
  const inWords = (change: (word: string) => string): Secret =>
    token.derive((text) => text.replace(words, (word) => (mixed(word) ? change(word) : word)));
  return [
    { how: 'in small letters', secret: inWords((word) => word.toLowerCase()) },
    { how: 'in capital letters', secret: inWords((word) => word.toUpperCase()) },
    {
      how: 'with every letter in the other case',
      secret: inWords((word) =>
        word.replace(/[a-z]/gi, (sign) =>
          sign === sign.toLowerCase() ? sign.toUpperCase() : sign.toLowerCase(),
        ),
      ),
    },
  ];
}

/** A random text of the same form: as long, the same signs between, letters and digits drawn from the token's own. */
export function madeUpLike(token: Secret): Forgery {
  const secret = token.derive((text) => {
    const letters = lettersOf(text);
    return text.replace(/[A-Za-z0-9]/g, () => letters[randomInt(letters.length)] ?? '');
  });
  return { how: 'random, of the same form', secret };
}

/** A text of the same form in which every letter and digit is 0: what an empty or a zeroed value encodes to. */
export const zerosLike = (token: Secret): Forgery => ({
  how: 'of the same form, all zeros',
  secret: token.derive((text) => text.replace(/[A-Za-z0-9]/g, '0')),
});

/** Whether the token is a signed JWT (RFC 7519, in the compact form of RFC 7515). */
export const isJwt = (token: Secret): boolean => token.is((text) => headerOf(text) !== undefined);

/**
 * When a JWT says that it was issued (`iat` of RFC 7519, here in milliseconds since 1970); undefined when it does not
 * say.
 */
export function issuedAt(token: Secret): number | undefined {
  let iat: unknown;
  token.is((text) => {
    iat = headerOf(text) && decoded(text.split('.')[1] ?? '')?.iat;
    return true;
  });
  return typeof iat === 'number' ? iat * 1000 : undefined;
}

/**
 * The JWT without a signature, its algorithm `none` in every spelling (RFC 8725 2.1), and as it was with an empty
 * signature.
 */
export function unsigned(token: Secret): Forgery[] {
  const none = ['none', 'None', 'NONE', 'nOnE'].map((alg) => ({
    how: `unsigned, with the algorithm ${alg}`,
    secret: token.derive((text) => `${withHeader(text, { alg })}.`),
  }));
  return [
    ...none,
    {
      how: 'with an empty signature',
      secret: token.derive((text) => `${text.split('.').slice(0, 2).join('.')}.`),
    },
  ];
}

/** The JWT's own claims, signed with HMAC under a key that an attacker may have or guess. */
export function resigned(token: Secret, key: Secret | string, how: string): Forgery {
  const secret = token.derive((text) => {
    const signed = withHeader(text, { alg: 'HS256' });
    const mac = createHmac('sha256', key instanceof Secret ? open(key) : key).update(signed);
    return `${signed}.${mac.digest('base64url')}`;
  });
  return { how, secret };
}

/** The JWT with its end a year later, under the signature of the old claims. */
export function prolonged(token: Secret): Forgery {
  const secret = token.derive((text) => {
    const [header = '', claims = '', signature = ''] = text.split('.');
    const old = decoded(claims) ?? {};
    const exp =
      (typeof old.exp === 'number' ? old.exp : Math.floor(Date.now() / 1000)) + 365 * 86_400;
    return [header, encoded({ ...old, exp }), signature].join('.');
  });
  return { how: 'with a later end', secret };
}

/** `jwt`, `uuid`, `hex`, … : the alphabet of a token for the ledger, which gives nothing of it away (OPEN-4). */
export function formOf(token: Secret): string {
  if (isJwt(token)) return 'JWT';
  const forms: [string, RegExp][] = [
    ['UUID', /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i],
    ['digits', /^\d+$/],
    ['hexadecimal', /^[0-9a-f]+$/i],
    // Many a base64url text holds neither - nor _ by chance, and must not look like another form.
    ['letters, digits, - and _', /^[A-Za-z0-9_-]+$/],
    ['base64', /^[A-Za-z0-9+/]+=*$/],
  ];
  const form = forms.find(([, pattern]) => token.is((text) => pattern.test(text)));
  return `${form?.[0] ?? 'other characters'}, ${token.length} long`;
}

const partsOf = (token: Secret): string[] => {
  const parts: string[] = [];
  token.is((text) => parts.push(...text.split('.')) > 0);
  return parts.every((part) => part.length > 1) ? parts : [parts.join('.')];
};

/**
 * A text without the padding of base64: lenient decoders do without it, and read nothing behind it. One that is nothing
 * else has none.
 */
const unpadded = (text: string): string => text.replace(/(?<=[^=])=+$/, '');

/** The letters and digits of a text, each once. */
function lettersOf(text: string): string {
  const letters = [...new Set(text.match(/[A-Za-z0-9]/g) ?? [])].join('');
  return letters.length > 1 ? letters : 'abcdef0123456789';
}

function replacedAt(text: string, at: number): string {
  const old = text[at] ?? '';
  const other =
    [...lettersOf(text)].find((sign) => sign.toLowerCase() !== old.toLowerCase()) ?? '0';
  return text.slice(0, at) + other + text.slice(at + 1);
}

function headerOf(text: string): Record<string, unknown> | undefined {
  const [header = '', claims = '', signature, ...more] = text.split('.');
  if (signature === undefined || more.length > 0 || decoded(claims) === undefined) return undefined;
  const value = decoded(header);
  return typeof value?.alg === 'string' ? value : undefined;
}

function withHeader(text: string, change: object): string {
  const [header = '', claims = ''] = text.split('.');
  return `${encoded({ ...decoded(header), ...change })}.${claims}`;
}

const encoded = (value: unknown): string =>
  Buffer.from(JSON.stringify(value)).toString('base64url');

function decoded(part: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(Buffer.from(part, 'base64url').toString());
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
