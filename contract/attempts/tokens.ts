import { unpadded } from '../secrets/masked.ts';
import { Secret, type Token } from '../secrets/secret.ts';
import { halves, lettersOf, madeUp, madeUpLike, partsOf } from '../token-form.ts';

/*
 * Tokens that the service did not generate: one row for each way in which a comparison, a look-up or a decoder fails.
 * A lenient decoder is not a fault (OPEN-4), so every change alters the bytes of the text: base64 has spare bits in its
 * last character and padding after it, hexadecimal has no case, and decoders skip signs that are not their own.
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

/** A change that leaves the token as it is, or nothing of it, makes no forgery. Only a row with a sign has `likewise`. */
type Row = readonly [how: string, change: Change, sign?: string];
type Change = (text: string, sign: string) => string;

/** All of these tokens. */
export const otherTokens = (token: Secret): readonly Forgery[] =>
  [
    ...[1, 2].map(() => ({ how: 'random, of the same form', secret: madeUpLike(token) })),
    { how: 'of the same form, all zeros', secret: token.derive(toZeros) },
    ...altered(token),
    ...rows.map((row) => forged(token, row)),
    ...words.map(theWord),
    ...[...oddRows.map((row) => forged(token, row)), ...oddWords.map(theWord)].map(
      (forgery): Forgery => ({ ...forgery, odd: true }),
    ),
  ].filter(({ secret }) => secret.length > 0 && !secret.equals(token));

const theWord = (word: string): Forgery => ({ how: `the word ${word}`, secret: new Secret(word) });

/** The encoding of an empty or zeroed value. */
const toZeros = (text: string): string => text.replace(/[A-Za-z0-9]/g, '0');

/** A sign of RFC 6750's `b64token` that belongs to no encoding, and that no one removes. */
const otherSign = '~';

function forged(token: Secret, [how, change, sign]: Row): Forgery {
  const changed = (by = '') => token.disguise((text) => change(text, by));
  const other = sign === undefined ? token : changed(otherSign);
  return { how, secret: changed(sign), likewise: other.equals(token) ? undefined : other };
}

/**
 * One character replaced at places all over the token, or at the beginning, in the middle and at the end of each
 * of its parts. The last character is replaced in bits that count in every decoding.
 */
export function altered(token: Secret): Forgery[] {
  const dotted = partsOf(token);
  const parts = dotted.every(({ length }) => length > 1) ? dotted : [dotted.join('.')];
  return parts.flatMap((part, index) => {
    const { length } = unpadded(part);
    const [of, quarter] = parts.length > 1 ? [` of part ${index + 1}`, 0] : ['', length / 4];
    const places = {
      beginning: 0,
      'first quarter': quarter,
      middle: length / 2,
      'third quarter': quarter * 3,
      end: length - 2,
      'last character': length - 1,
    };
    return Object.entries(places)
      .map(([place, at]) => [Math.floor(at), place] as const)
      .filter(([at], one, all) => at >= 0 && one === all.findIndex(([other]) => other === at))
      .map(([at, place]) => ({
        how: `altered at the ${place}${of}`,
        secret: token.disguise((text) =>
          parts.with(index, replacedAt(part, at, at === length - 1, lettersOf(text))).join('.'),
        ),
      }));
  });
}

/** The token with its last character altered, and how. */
export function spoilt(token: Token): { readonly how: string; readonly token: Token } {
  const { how, secret } = altered(token.secret).at(-1) ?? { how: 'made up', ...madeUp(token) };
  return { how, token: { ...token, secret } };
}

/**
 * Another letter of the same alphabet at a place. Of the last character of base64 or base32 only the first one or two
 * bits may count; lenient decoders ignore the spare bits (RFC 4648 3.5).
 */
function replacedAt(text: string, at: number, isLast: boolean, letters: string): string {
  const old = text[at] ?? '';
  const other = [...letters, ...'AQgw'].find(
    (sign) =>
      sign.toLowerCase() !== old.toLowerCase() &&
      !(isLast && sameFirstBits.some((signs) => signs.test(old) && signs.test(sign))),
  );
  return text.slice(0, at) + (other ?? '0') + text.slice(at + 1);
}

/** The characters of base64 by their first two bits, and those of base32 by their first bit. */
const sameFirstBits = [/[A-P]/, /[Q-Za-f]/, /[g-v]/, /[w-z0-9+/_-]/, /[A-P]/i, /[Q-Z2-7]/i];

/** Whether letters of both cases are in one word of a token, as in base64; hex and base32 have one case. */
const hasTwoCases = (text: string): boolean => /[a-z]\d*[A-Z]|[A-Z]\d*[a-z]/.test(text);

/** A word with only one case stays as it is, because such alphabets are often case-insensitive. */
const recased = (text: string, change: (word: string) => string): string =>
  text.replace(/[A-Za-z0-9]+/g, (word) => (hasTwoCases(word) ? change(word) : word));

const otherCase = (word: string): string =>
  word.replace(/([a-z]+)|[A-Z]+/g, (run, small) => (small ? run.toUpperCase() : run.toLowerCase()));

const ifTwoCases =
  (change: Change): Change =>
  (text, sign) =>
    hasTwoCases(text) ? change(text, sign) : text;

/** Four characters of its own alphabet are whole bytes in base64 and in hex. */
const four = (text: string): string => lettersOf(text).slice(0, 4).padEnd(4, 'a');

const inMiddle: Change = (text, sign) => halves(text).join(sign);

/** A letter or digit in the middle replaced. */
function replacedBy(text: string, sign: string): string {
  const [first, second] = halves(text);
  return first + second.replace(/[A-Za-z0-9]/, sign);
}

/** Every hyphen and underscore exchanged; a token without any gets a hyphen. */
const swapped = (text: string): string => {
  const other = text.replace(/[-_]/g, (sign) => (sign === '-' ? '_' : '-'));
  return other === text ? replacedBy(text, '-') : other;
};

const rows: readonly Row[] = [
  ['without its first character', (text) => text.slice(1)],
  ['without its last character', (text) => unpadded(text).slice(0, -1)],
  ['without its second half', (text) => text.slice(0, Math.ceil(text.length / 2))],
  // Signs between the parts of tokens: `63|text`, `ghp_text`, `xoxb-1-2-text`.
  ...[...'|:_-~.'].flatMap((sign): Row[] => [
    [`cut to what follows its first ${sign}`, (text) => text.slice(text.indexOf(sign) + 1)],
    [`cut to what follows its last ${sign}`, (text) => text.slice(text.lastIndexOf(sign) + 1)],
    [`without what follows its last ${sign}`, (text) => text.split(sign).slice(0, -1).join(sign)],
  ]),
  ['with four characters behind it', (text) => text.replace(/=*$/, (end) => four(text) + end)],
  ['with four characters before it', (text) => four(text) + text],
  ['twice', (text) => unpadded(text) + text],
  ['in small letters', (text) => recased(text, (word) => word.toLowerCase())],
  ['in capital letters', (text) => recased(text, (word) => word.toUpperCase())],
  ['with every letter in the other case', (text) => recased(text, otherCase)],
  // In base64url hyphen and underscore count, and in a LIKE of SQL an underscore fits any character. What reads UUIDs
  // or Crockford's base32 ignores hyphens, so a token of one case stays as it is.
  ['with an underscore for its middle character', (text) => replacedBy(text, '_')],
  ['with other hyphens and underscores', ifTwoCases(swapped)],
  ['with a hyphen in its middle', ifTwoCases(inMiddle), '-'],
  ['the same with a later time in it', withLaterTime],
];

/** Decoders of hex may ignore everything after another sign, and those of base64 everything after the padding. */
const followed: Change = (text, sign) =>
  sign === otherSign && hasTwoCases(text) && !text.endsWith('=') ? text : text + sign + four(text);

const around: Change = (text, signs) => `${signs.at(0)}${text}${signs.at(-1)}`;

const percent = (sign: string): string => `%${Buffer.from(sign).toString('hex').toUpperCase()}`;

/**
 * Signs that careless code cuts off, removes or decodes: Laravel cuts a list off at its first comma. A firewall may
 * refuse these before the service sees them, and the odd words too.
 */
const oddRows: readonly Row[] = [
  ['followed by a comma and more', followed, ','],
  ['followed by a semicolon and more', followed, ';'],
  ['in quotes', around, '"'],
  ['in angle brackets', around, '<>'],
  ['with a zero-width space in its middle', inMiddle, '\u200b'],
  // A token that has a percent sign may itself be percent-encoded.
  [
    'percent-encoded in its first character',
    (text) => text.replace(/^[!-$&-~](?=[^%]*$)/, percent),
  ],
  ['in base64', (text) => Buffer.from(text).toString('base64')],
];

/** Words that careless code treats as a token: for an unset value, of tests and examples, names that objects have. */
const words =
  `null undefined None NaN true false 0 1 123456 test dev debug demo default token admin guest anonymous
  00000000-0000-0000-0000-000000000000`.split(/\s+/);

/** The last is the contract's own placeholder. */
const oddWords = [
  ...['*', '%', '[object Object]', 'constructor', '__proto__', "'OR'1'='1", '<ACCESS_TOKEN>'],
];

/**
 * The token with later times in it; the same if it does not spell a time. A service that stores no tokens reads their
 * end from them, and must sign what it reads. A single altered character makes such a text unreadable.
 */
export function withLaterTime(token: string): string {
  const own = unpadded(token);
  for (const encoding of ['utf8', 'hex', 'base64', 'base64url'] as const) {
    const spelt = Buffer.from(own, encoding).toString();
    const changed = spelt.replace(times, laterTime);
    const write = (text: string): string => unpadded(Buffer.from(text).toString(encoding));
    if (changed !== spelt && write(spelt) === own) return write(changed) + token.slice(own.length);
  }
  return token;
}

/** Seconds or milliseconds since 1970, and the year of a date with a time. */
const times = /(?<!\d)[12]\d{9}(?:\d{3})?(?!\d)|\d{4}(?=-\d\d-\d\d[T ]\d\d:\d\d)/g;

/** A year later, or an hour later: no other probe was given a token of that time. */
const laterTime = (time: string): string =>
  String(Number(time) + ({ 4: 1, 10: 3600 }[time.length] ?? 3_600_000));
