import { inBase64, Secret } from '../secrets/secret.ts';
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

interface Row {
  readonly how: string;
  /** A change that leaves the token as it is makes no forgery. */
  readonly change: Change;
  readonly odd?: true;
  readonly likewise?: Change;
}

/** All of these tokens. */
export const otherTokens = (token: Secret): readonly Forgery[] => [
  ...[madeUpLike, madeUpLike, zerosLike].map((like) => like(token)),
  ...altered(token),
  ...forgedForms(token),
  ...words.flatMap((word) => named(word, token)),
  ...oddWords.flatMap((word) => named(word, token, true)),
];

function named(word: string, token: Secret, odd?: true): Forgery[] {
  const secret = new Secret(word);
  return token.equals(secret) ? [] : [{ how: `the word ${word}`, secret, odd }];
}

/** The token in all of these forms; altered forms are in token-form.ts. */
export const forgedForms = (token: Secret): Forgery[] => [
  ...[...cutRows, ...lengthenedRows, ...recasedRows, ...exchangedRows, ...wrappedRows].flatMap(
    ({ how, change, odd, likewise }): Forgery[] => {
      const secret = token.disguise(change);
      if (secret.equals(token)) return [];
      const other = likewise && token.disguise(likewise);
      return [{ how, secret, odd, likewise: other?.equals(token) === true ? undefined : other }];
    },
  ),
  { how: 'in base64', secret: inBase64(token), odd: true },
];

const row = (how: string, change: Change): Row => ({ how, change });

/** The part after a sign: of its first, or of its last place. A token without the sign is left as it is. */
const after =
  (sign: string, last = false): Change =>
  (text) => {
    const at = last ? text.lastIndexOf(sign) : text.indexOf(sign);
    return at < 0 ? text : text.slice(at + 1);
  };

const before =
  (sign: string): Change =>
  (text) => {
    const at = text.lastIndexOf(sign);
    return at < 0 ? text : text.slice(0, at);
  };

/** Signs between the parts of tokens: `63|text`, `ghp_text`, `xoxb-1-2-text`. */
const separators = ['|', ':', '_', '-', '~', '.'];

const cutRows: readonly Row[] = [
  row('without its first character', (text) => text.slice(1)),
  row('without its last character', (text) => withoutPadding(text).slice(0, -1)),
  row('without its second half', (text) => text.slice(0, Math.ceil(text.length / 2))),
  ...separators.flatMap((sign) => [
    row(`cut to what follows its first ${sign}`, after(sign)),
    row(`cut to what follows its last ${sign}`, after(sign, true)),
    row(`without what follows its last ${sign}`, before(sign)),
  ]),
];

/** Four characters of its own alphabet are whole bytes in base64 and in hex. */
const four = (text: string): string => lettersOf(text).slice(0, 4).padEnd(4, 'a');

const withoutPadding = (text: string): string => text.replace(/=+$/, '');

const lengthenedRows: readonly Row[] = [
  row(
    'with four characters behind it',
    (text) => withoutPadding(text) + four(text) + text.slice(withoutPadding(text).length),
  ),
  row('with four characters before it', (text) => four(text) + text),
  row('twice', (text) => withoutPadding(text) + text),
];

/** A word with only one case stays as it is, because such alphabets are often case-insensitive. */
const recased = (how: string, change: Change): Row =>
  row(how, (text) => text.replace(tokenWords, (word) => (hasTwoCases(word) ? change(word) : word)));

const otherCase = (sign: string): string =>
  sign === sign.toLowerCase() ? sign.toUpperCase() : sign.toLowerCase();

const recasedRows: readonly Row[] = [
  recased('in small letters', (word) => word.toLowerCase()),
  recased('in capital letters', (word) => word.toUpperCase()),
  recased('with every letter in the other case', (word) => word.replace(/[a-z]/gi, otherCase)),
];

/** A letter or digit in the middle replaced. */
const replacedBy =
  (sign: string): Change =>
  (text) => {
    const middle = Math.floor(text.length / 2);
    return text.slice(0, middle) + text.slice(middle).replace(/[A-Za-z0-9]/, sign);
  };

/** Every hyphen and underscore exchanged; a token without any gets a hyphen. */
const swapped: Change = (text) =>
  /[-_]/.test(text)
    ? text.replace(/[-_]/g, (sign) => (sign === '-' ? '_' : '-'))
    : replacedBy('-')(text);

const inMiddle =
  (sign: string): Change =>
  (text) => {
    const middle = Math.floor(text.length / 2);
    return text.slice(0, middle) + sign + text.slice(middle);
  };

/** What reads UUIDs or Crockford's base32 ignores hyphens, so a token of one case stays as it is. */
const ifMixed =
  (change: Change): Change =>
  (text) =>
    hasTwoCases(text) ? change(text) : text;

/** A sign of RFC 6750's `b64token` that belongs to no encoding, and that no one removes. */
const otherSign = '~';

/** In base64url hyphen and underscore count, and in a LIKE of SQL an underscore fits any character. */
const exchangedRows: readonly Row[] = [
  row('with an underscore for its middle character', replacedBy('_')),
  row('with other hyphens and underscores', ifMixed(swapped)),
  {
    how: 'with a hyphen in its middle',
    change: ifMixed(inMiddle('-')),
    likewise: inMiddle(otherSign),
  },
  row('the same with a later time in it', withLaterTime),
];

const withMore =
  (sign: string): Change =>
  (text) =>
    text + sign + four(text);

const around =
  (opening: string, closing = opening): Change =>
  (text) =>
    opening + text + closing;

/** Decoders of hex may ignore everything after another sign, and those of base64 everything after the padding. */
const moreLikewise: Change = (text) =>
  !hasTwoCases(text) || text.endsWith('=') ? withMore(otherSign)(text) : text;

/** A token that has a percent sign may itself be percent-encoded. It is left as it is. */
const percentEncoded: Change = (text) =>
  text.includes('%')
    ? text
    : text.replace(/^[!-~]/, (sign) => `%${Buffer.from(sign).toString('hex').toUpperCase()}`);

const wrapped = (how: string, change: Change, likewise?: Change): Row => ({
  how,
  change,
  odd: true,
  likewise,
});

/** Signs that careless code cuts off, removes or decodes: Laravel cuts a list off at its first comma. */
const wrappedRows: readonly Row[] = [
  wrapped('followed by a comma and more', withMore(','), moreLikewise),
  wrapped('followed by a semicolon and more', withMore(';'), moreLikewise),
  wrapped('in quotes', around('"'), around(otherSign)),
  wrapped('in angle brackets', around('<', '>'), around(otherSign)),
  wrapped('with a zero-width space in its middle', inMiddle('\u200b'), inMiddle(otherSign)),
  wrapped('percent-encoded in its first character', percentEncoded),
];

/** Words that careless code treats as a token: for an unset value, of tests and examples, names that objects have. */
const words = [
  ...['null', 'undefined', 'None', 'NaN', 'true', 'false', '0', '1', '123456'],
  ...['test', 'dev', 'debug', 'demo', 'default', 'token', 'admin', 'guest', 'anonymous'],
  '00000000-0000-0000-0000-000000000000',
];

/** A firewall may refuse these before the service sees them. The last is the contract's own placeholder. */
const oddWords = [
  ...['*', '%', '[object Object]', 'constructor', '__proto__', "'OR'1'='1", '<ACCESS_TOKEN>'],
];
