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

/**
 * One character replaced at places all over the token, or at the beginning, in the middle and at the end of each
 * of its parts. The last character is replaced in bits that count in every decoding.
 */
export function altered(token: Secret): Forgery[] {
  const parts = partsOf(token);
  let start = 0;
  return parts.flatMap((text, index) => {
    const from = start;
    start += text.length + 1;
    const part = parts.length === 1 ? '' : ` of part ${index + 1}`;
    return placesIn(unpadded(text).length, parts.length === 1).map(([place, at, last]) => ({
      how: `altered at the ${place}${part}`,
      secret: token.disguise((whole) =>
        last ? lastReplaced(whole, from + at) : replacedAt(whole, from + at),
      ),
    }));
  });
}

/** The places at which a text of this length is altered, each once. */
function placesIn(length: number, alone: boolean): [place: string, at: number, last: boolean][] {
  const part = (share: number): number => Math.floor(length * share);
  const places: [string, number][] = [
    ['beginning', 0],
    ...(alone ? [['first quarter', part(1 / 4)] satisfies [string, number]] : []),
    ['middle', part(1 / 2)],
    ...(alone ? [['third quarter', part(3 / 4)] satisfies [string, number]] : []),
    ['end', length - 2],
    ['last character', length - 1],
  ];
  const known = new Set<number>();
  return places
    .filter(([, at]) => at >= 0 && at < length && !known.has(at) && known.add(at))
    .map(([place, at]) => [place, at, at === length - 1]);
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

const partsOf = (token: Secret): string[] => {
  let parts: string[] = [];
  token.is((text) => {
    parts = text.split('.');
    return true;
  });
  return parts.every((part) => part.length > 1) ? parts : [parts.join('.')];
};

/** The letters and digits of a text, each once. */
export function lettersOf(text: string): string {
  const letters = [...new Set(text.match(/[A-Za-z0-9]/g) ?? [])].join('');
  return letters.length > 1 ? letters : 'abcdef0123456789';
}

function replacedAt(text: string, at: number): string {
  const old = text[at] ?? '';
  const other =
    [...lettersOf(text)].find((sign) => sign.toLowerCase() !== old.toLowerCase()) ?? '0';
  return text.slice(0, at) + other + text.slice(at + 1);
}

/**
 * Of the last character of base64 or base32 only the first one or two bits may count; lenient decoders ignore the
 * spare bits (RFC 4648 3.5).
 */
function lastReplaced(text: string, at: number): string {
  const old = text[at] ?? '';
  const other = [...lettersOf(text), ...'AQgw'].find(
    (sign) =>
      sign.toLowerCase() !== old.toLowerCase() &&
      [base64, base32].every((alphabet) => firstBits(alphabet, old) !== firstBits(alphabet, sign)),
  );
  return text.slice(0, at) + (other ?? '0') + text.slice(at + 1);
}

/** The characters by their first two bits, and by their first bit. */
const base64 = [/[A-P]/, /[Q-Za-f]/, /[g-v]/, /[w-z0-9+/_-]/];
const base32 = [/[A-P]/i, /[Q-Z2-7]/i];

const firstBits = (alphabet: readonly RegExp[], sign: string): number =>
  alphabet.findIndex((signs) => signs.test(sign));
