import { unpadded } from '../secrets/masked.ts';
import { Secret } from '../secrets/secret.ts';
import {
  altered,
  type Forgery,
  hasTwoCases,
  lettersOf,
  madeUpLike,
  tokenWords,
  zerosLike,
} from '../token-form.ts';
import { withLaterTime } from './spelt-times.ts';

/*
 * Tokens that the service did not generate, derived from one that it did: one row for each way in which a comparison, a
 * look-up or a decoder fails. The form of a token is open (OPEN-4), so a service may have a lenient decoder, which
 * skips any sign that is not its own: such a row has `likewise`, the same change with another sign.
 */

type Change = (text: string) => string;

/** A change that leaves the token as it is makes no forgery. */
type Row = readonly [how: string, change: Change, likewise?: Change];

/** All of these tokens. */
export const otherTokens = (token: Secret): readonly Forgery[] =>
  [
    ...[madeUpLike, madeUpLike, zerosLike].map((like) => like(token)),
    ...altered(token),
    ...forgedForms(token),
    ...words.map((word) => ({ how: `the word ${word}`, secret: new Secret(word) })),
    ...oddWords.map(
      (word): Forgery => ({ how: `the word ${word}`, secret: new Secret(word), odd: true }),
    ),
  ].filter(({ secret }) => !secret.equals(token));

/** The token in all of these forms; altered forms are in token-form.ts. */
export const forgedForms = (token: Secret): Forgery[] => [
  ...rows.flatMap((row) => forged(token, row)),
  ...oddRows.flatMap((row) => forged(token, row, true)),
];

function forged(token: Secret, [how, change, likewise]: Row, odd?: true): Forgery[] {
  const secret = token.disguise(change);
  if (secret.equals(token)) return [];
  const other = likewise && token.disguise(likewise);
  return [{ how, secret, odd, likewise: other?.equals(token) === true ? undefined : other }];
}

/** Signs between the parts of tokens: `63|text`, `ghp_text`, `xoxb-1-2-text`. */
const separators = ['|', ':', '_', '-', '~', '.'];

// A token without the sign is left as it is.
const after = (text: string, at: number): string => (at < 0 ? text : text.slice(at + 1));
const before = (text: string, at: number): string => (at < 0 ? text : text.slice(0, at));

/** Four characters of its own alphabet are whole bytes in base64 and in hex. */
const four = (text: string): string => lettersOf(text).slice(0, 4).padEnd(4, 'a');

/** A word with only one case stays as it is, because such alphabets are often case-insensitive. */
const recased = (text: string, change: Change): string =>
  text.replace(tokenWords, (word) => (hasTwoCases(word) ? change(word) : word));

const otherCase: Change = (word) =>
  word.replace(/[a-z]/gi, (sign) => (/[a-z]/.test(sign) ? sign.toUpperCase() : sign.toLowerCase()));

const inMiddle = (text: string, sign: string): string => {
  const middle = Math.floor(text.length / 2);
  return text.slice(0, middle) + sign + text.slice(middle);
};

/** A letter or digit in the middle replaced. */
const replacedBy = (text: string, sign: string): string => {
  const middle = Math.floor(text.length / 2);
  return text.slice(0, middle) + text.slice(middle).replace(/[A-Za-z0-9]/, sign);
};

/** Every hyphen and underscore exchanged; a token without any gets a hyphen. */
const swapped: Change = (text) =>
  /[-_]/.test(text)
    ? text.replace(/[-_]/g, (sign) => (sign === '-' ? '_' : '-'))
    : replacedBy(text, '-');

/** A sign of RFC 6750's `b64token` that belongs to no encoding, and that no one removes. */
const otherSign = '~';

const inMiddleLikewise: Change = (text) => inMiddle(text, otherSign);
const hyphenated: Change = (text) => (hasTwoCases(text) ? inMiddle(text, '-') : text);

const rows: readonly Row[] = [
  ['without its first character', (text) => text.slice(1)],
  ['without its last character', (text) => unpadded(text).slice(0, -1)],
  ['without its second half', (text) => text.slice(0, Math.ceil(text.length / 2))],
  ...separators.flatMap((sign): Row[] => [
    [`cut to what follows its first ${sign}`, (text) => after(text, text.indexOf(sign))],
    [`cut to what follows its last ${sign}`, (text) => after(text, text.lastIndexOf(sign))],
    [`without what follows its last ${sign}`, (text) => before(text, text.lastIndexOf(sign))],
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
  ['with other hyphens and underscores', (text) => (hasTwoCases(text) ? swapped(text) : text)],
  ['with a hyphen in its middle', hyphenated, inMiddleLikewise],
  ['the same with a later time in it', withLaterTime],
];

const more = (text: string, sign: string): string => text + sign + four(text);

/** Decoders of hex may ignore everything after another sign, and those of base64 everything after the padding. */
const moreLikewise: Change = (text) =>
  !hasTwoCases(text) || text.endsWith('=') ? more(text, otherSign) : text;

/** A token that has a percent sign may itself be percent-encoded. It is left as it is. */
const percentEncoded: Change = (text) =>
  text.includes('%')
    ? text
    : text.replace(/^[!-~]/, (sign) => `%${Buffer.from(sign).toString('hex').toUpperCase()}`);

const around: Change = (text) => otherSign + text + otherSign;

/**
 * Signs that careless code cuts off, removes or decodes: Laravel cuts a list off at its first comma. A firewall may
 * refuse these before the service sees them, and the odd words too.
 */
const oddRows: readonly Row[] = [
  ['followed by a comma and more', (text) => more(text, ','), moreLikewise],
  ['followed by a semicolon and more', (text) => more(text, ';'), moreLikewise],
  ['in quotes', (text) => `"${text}"`, around],
  ['in angle brackets', (text) => `<${text}>`, around],
  ['with a zero-width space in its middle', (text) => inMiddle(text, '\u200b'), inMiddleLikewise],
  ['percent-encoded in its first character', percentEncoded],
  ['in base64', (text) => Buffer.from(text).toString('base64')],
];

/** Words that careless code treats as a token: for an unset value, of tests and examples, names that objects have. */
const words = [
  ...['null', 'undefined', 'None', 'NaN', 'true', 'false', '0', '1', '123456'],
  ...['test', 'dev', 'debug', 'demo', 'default', 'token', 'admin', 'guest', 'anonymous'],
  '00000000-0000-0000-0000-000000000000',
];

/** The last is the contract's own placeholder. */
const oddWords = [
  ...['*', '%', '[object Object]', 'constructor', '__proto__', "'OR'1'='1", '<ACCESS_TOKEN>'],
];
