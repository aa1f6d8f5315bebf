import { randomInt } from 'node:crypto';
import { isJwt } from './attempts/jwt.ts';
import { under } from './http/client.ts';
import type { CallOptions } from './http/request.ts';
import { unpadded } from './secrets/masked.ts';
import type { Secret, Token } from './secrets/secret.ts';

/*
 * Tokens that the service did not generate, derived from one that it did. Every change alters the bytes of the
 * text: base64 has spare bits in its last character and padding after it, hexadecimal has no case, and a lenient
 * decoder is not a fault (OPEN-4 leaves the form open).
 */

/** A token derived from another, with the kind of change. */
export interface Forgery {
  readonly how: string;
  readonly secret: Secret;
  /** A firewall may refuse it before the service sees it, so only an admission counts. */
  readonly odd?: true;
  /** The same change with another sign: a service that does not refuse it may have a lenient decoder. */
  readonly likewise?: Secret;
}

/** A place in a text, by its length; some only in a token of one part. */
const places: readonly (readonly [place: string, at: (length: number) => number, whole?: true])[] =
  [
    ['beginning', () => 0],
    ['first quarter', (length) => Math.floor(length / 4), true],
    ['middle', (length) => Math.floor(length / 2)],
    ['third quarter', (length) => Math.floor((length * 3) / 4), true],
    ['end', (length) => length - 2],
    ['last character', (length) => length - 1],
  ];

/**
 * One character replaced at places all over the token, or at the beginning, in the middle and at the end of each
 * of its parts. The last character is replaced in bits that count in every decoding.
 */
export function altered(token: Secret): Forgery[] {
  const parts = partsOf(token);
  const isWhole = parts.length === 1;
  return parts.flatMap((part, index) => {
    const start = parts.slice(0, index).reduce((sum, { length }) => sum + length + 1, 0);
    const { length } = unpadded(part);
    const known = new Map<number, string>();
    for (const [place, at, ofWhole] of places)
      if (!known.has(at(length)) && (isWhole || !ofWhole)) known.set(at(length), place);
    return [...known]
      .filter(([at]) => at >= 0 && at < length)
      .map(([at, place]) => ({
        how: `altered at the ${place}${isWhole ? '' : ` of part ${index + 1}`}`,
        secret: token.disguise((text) => replacedAt(text, start + at, at === length - 1)),
      }));
  });
}

/** The words of a token, without the signs between them. */
export const tokenWords = /[A-Za-z0-9]+/g;

const mixed = (word: string): boolean => /[a-z]/.test(word) && /[A-Z]/.test(word);

/** Whether letters of both cases are in one word of a token, as in base64; hex and base32 have one case. */
export const hasTwoCases = (text: string): boolean => (text.match(tokenWords) ?? []).some(mixed);

/**
 * A random text of the same form: the same length and separators, letters and digits from the token's own. It differs
 * from the token, which may be short. If that has neither letters nor digits, every character is replaced.
 */
export function madeUpLike(token: Secret): Forgery {
  const secret = token.derive((text) => {
    const letters = lettersOf(text);
    const signs = /[A-Za-z0-9]/.test(text) ? /[A-Za-z0-9]/g : /./gs;
    for (;;) {
      const random = text.replace(signs, () => letters[randomInt(letters.length)] ?? '');
      if (random !== text || text === '') return random;
    }
  });
  return { how: 'random, of the same form', secret };
}

/** A request with a made-up token of the form of another, a different one each time. */
export const bearerMadeUp = (token: Token): CallOptions => madeUpUnder('Bearer', token);

export const madeUpUnder = (scheme: string, token: Token): CallOptions =>
  under(scheme, { ...token, secret: madeUpLike(token.secret).secret });

/** A text of the same form in which every letter and digit is 0: the encoding of an empty or zeroed value. */
export const zerosLike = (token: Secret): Forgery => ({
  how: 'of the same form, all zeros',
  secret: token.derive((text) => text.replace(/[A-Za-z0-9]/g, '0')),
});

/**
 * `jwt`, `uuid`, `hex`, … : the alphabet of a token for the observations, which does not reveal the token
 * (OPEN-4).
 */
export function formOf(token: Secret): string {
  if (isJwt(token)) return 'JWT';
  const forms: [string, RegExp][] = [
    ['UUID', /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i],
    ['digits', /^\d+$/],
    ['hexadecimal', /^[0-9a-f]+$/i],
    // Many base64url texts contain neither - nor _ by chance, and must not look like another form.
    ['letters, digits, - and _', /^[A-Za-z0-9_-]+$/],
    ['base64', /^[A-Za-z0-9+/]+=*$/],
  ];
  const form = forms.find(([, pattern]) => token.is((text) => pattern.test(text)));
  return `${form?.[0] ?? 'other characters'}, ${token.length} long`;
}

function partsOf(token: Secret): string[] {
  const parts: string[] = [];
  token.is((text) => parts.push(...text.split('.')) > 0);
  return parts.every((part) => part.length > 1) ? parts : [parts.join('.')];
}

/** The letters and digits of a text, each once. */
export function lettersOf(text: string): string {
  const letters = [...new Set(text.match(/[A-Za-z0-9]/g) ?? [])].join('');
  return letters.length > 1 ? letters : 'abcdef0123456789';
}

/**
 * Another letter of the same alphabet at a place. Of the last character of base64 or base32 only the first one or two
 * bits may count; lenient decoders ignore the spare bits (RFC 4648 3.5).
 */
function replacedAt(text: string, at: number, isLast: boolean): string {
  const old = text[at] ?? '';
  const other = [...lettersOf(text), ...'AQgw'].find(
    (sign) =>
      sign.toLowerCase() !== old.toLowerCase() &&
      (!isLast || [base64, base32].every((bits) => firstBits(bits, old) !== firstBits(bits, sign))),
  );
  return text.slice(0, at) + (other ?? '0') + text.slice(at + 1);
}

/** The characters by their first two bits, and by their first bit. */
const base64 = [/[A-P]/, /[Q-Za-f]/, /[g-v]/, /[w-z0-9+/_-]/];
const base32 = [/[A-P]/i, /[Q-Z2-7]/i];

const firstBits = (alphabet: readonly RegExp[], sign: string): number =>
  alphabet.findIndex((signs) => signs.test(sign));
