import { unpad } from '../secrets/masked.ts';
import { Secret, type Token } from '../secrets/secret.ts';
import { listLetters, randomLike, randomToken, splitToken } from '../token-form.ts';
import { expand, inPercents } from './deviation.ts';

/*
 * Tokens that the service did not generate: a row for each way in which a comparison, a look-up or a decoder fails. A
 * lenient decoder is not a fault (OPEN-4): base64 has spare bits and padding, hexadecimal has no case.
 */

/** A token derived from another, with the kind of change. */
export interface Forgery {
  readonly how: string;
  readonly secret: Secret;
  /** A firewall may refuse it before the service sees it, so a refusal in other words does not count. */
  readonly odd?: true;
}

/** How a token is changed. A change that returns the same token, or an empty text, is skipped. */
type Row = readonly [how: string, change: (text: string) => string, odd?: true];

/** Every forgery of a token: random ones, altered ones, those of the rows, and words. */
export function forgeTokens(token: Secret): readonly Forgery[] {
  return [
    ...[1, 2].map(() => ({ how: 'random, of the same form', secret: randomLike(token) })),
    ...alter(token),
    ...rows.map(([how, change, odd]) => ({ how, secret: token.derive(change, 'itself'), odd })),
    ...words.map((word): Forgery => {
      return { how: `the word ${word}`, secret: new Secret(word), odd: true };
    }),
  ].filter(({ secret }) => secret.length > 0 && !secret.equals(token));
}

/**
 * One character replaced, at places all over the token. The last one before another sign is left: a lenient decoder
 * ignores its spare bits (RFC 4648 3.5).
 */
export function alter(token: Secret): Forgery[] {
  const text = splitToken(token).join('.');
  const places = [...text.matchAll(/[A-Za-z0-9](?=[A-Za-z0-9])/g)].map(({ index }) => index);
  const chosen = shares.flatMap((share) => places[Math.floor((places.length - 1) * share)] ?? []);
  return [...new Set(chosen)].map((at) => ({
    how: `altered at character ${at + 1}`,
    secret: token.derive(() => replacedAt(text, at), 'itself'),
  }));
}

/** Parts of its length: some are in the header, the claims and the signature of a JWT. */
const shares = [0, 0.12, 0.25, 0.5, 0.75, 0.88, 1];

/** The token with its last character but one altered, and how. */
export function alterLast(token: Token): { readonly how: string; readonly token: Token } {
  const { how, secret } = alter(token.secret).at(-1) ?? { how: 'made up', ...randomToken(token) };
  return { how, token: { ...token, secret } };
}

/**
 * Another letter of the same alphabet at a place; for a digit of a long number another digit, as nothing may sign the time
 * that it is. With another digit of a short number, or at the end of one, it might be the token of somebody else.
 */
function replacedAt(text: string, at: number): string {
  const old = text[at] ?? '';
  const isOfTime = /^\d{6}/.test(text.slice(at));
  const other = [...(isOfTime ? '0123456789' : ''), ...listLetters(text), ...'ab'].find(
    (sign) => sign.toLowerCase() !== old.toLowerCase(),
  );
  return text.slice(0, at) + other + text.slice(at + 1);
}

/** Whether letters of both cases are in one word of a token, as in base64; hex and base32 have one case. */
const hasTwoCases = (text: string): boolean => /[a-z]\d*[A-Z]|[A-Z]\d*[a-z]/.test(text);

/** A word with only one case stays as it is, because such alphabets are often case-insensitive. */
const changeCase = (text: string, change: (word: string) => string): string =>
  text.replace(/[A-Za-z0-9]+/g, (word) => (hasTwoCases(word) ? change(word) : word));

/** Four characters of its own alphabet are whole bytes in base64 and in hex. */
const four = (text: string): string => listLetters(text).slice(0, 4).padEnd(4, 'a');

/** A token that has a percent sign may itself be percent-encoded, and is left. */
const percentEncode = (text: string): string => (text.includes('%') ? text : inPercents(text));

const rows: readonly Row[] = [
  // The encoding of an empty or zeroed value.
  ['of the same form, all zeros', (text) => text.replace(/[A-Za-z0-9]/g, '0')],
  ['without its first character', (text) => text.slice(1)],
  ['without its last character', (text) => unpad(text).slice(0, -1)],
  ['without its second half', (text) => text.slice(0, Math.ceil(text.length / 2))],
  // Signs between the parts of tokens: `63|text`, `ghp_text`, `xoxb-1-2-text`.
  ...[...'|:_-~.'].flatMap((sign): Row[] => [
    [`cut to what follows its first ${sign}`, (text) => text.slice(text.indexOf(sign) + 1)],
    [`cut to what follows its last ${sign}`, (text) => text.slice(text.lastIndexOf(sign) + 1)],
    [`without what follows its last ${sign}`, (text) => text.split(sign).slice(0, -1).join(sign)],
  ]),
  ['with four characters behind it', (text) => text.replace(/=*$/, (end) => four(text) + end)],
  ['with four characters before it', (text) => four(text) + text],
  ['twice', (text) => unpad(text) + text],
  ['in small letters', (text) => changeCase(text, (word) => word.toLowerCase())],
  ['in capital letters', (text) => changeCase(text, (word) => word.toUpperCase())],
  // In a LIKE of SQL an underscore fits any character.
  ['with an underscore near its end', (text) => text.replace(/\w(?=.{4}$)/, '_')],
  ['percent-encoded', percentEncode, true],
  ['in base64', (text) => Buffer.from(text).toString('base64'), true],
];

/** Words that careless code treats as a token: unset values, examples, names that objects have, the contract's placeholder. */
const words = [
  ...expand(`
    null undefined None NaN true false 0 1 123456 test dev debug demo default token admin guest anonymous
    00000000-0000-0000-0000-000000000000
    constructor __proto__ * % <ACCESS_TOKEN>
  `),
  '[object Object]',
];
