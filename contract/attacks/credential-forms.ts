import { type BinaryToTextEncoding, createHash } from 'node:crypto';
import { type Account, inBase64, type Secret } from '../secrets/secret.ts';

/*
 * Wrong credentials as data: one entry for each way in which a comparison fails, so that one probe covers all of
 * them. A change that leaves a text as it is, such as another case of digits, is not sent.
 */

/** Another form of the API key or the secret key; `of` limits it to one of them. */
export interface CredentialForm {
  readonly how: string;
  readonly write: (right: Secret) => Secret;
  readonly of?: keyof Account;
}

const form = (
  how: string,
  change: (text: string) => string,
  of?: keyof Account,
): CredentialForm => ({ how, write: (right) => right.disguise(change), of });

const middle = (text: string): number => Math.floor(text.length / 2);
const withIn = (text: string, more: string): string =>
  text.slice(0, middle(text)) + more + text.slice(middle(text));
const another = (sign: string): string => (sign === 'x' ? 'y' : 'x');
const eachAs = (text: string, write: (sign: string) => string): string =>
  Array.from(text, write).join('');
const hash = (
  how: string,
  algorithm: string,
  as: BinaryToTextEncoding,
  of?: keyof Account,
): CredentialForm => form(how, (text) => createHash(algorithm).update(text).digest(as), of);

/** Parts of the right text, longer texts, and other characters. */
const cut: readonly CredentialForm[] = [
  { how: 'another text', write: (right) => right.derive(() => 'another-text-altogether') },
  form('without its last character', (text) => text.slice(0, -1)),
  form('without its first character', (text) => text.slice(1)),
  form('cut to its first half', (text) => text.slice(0, Math.ceil(text.length / 2))),
  form('one character longer', (text) => `${text}x`),
  form('one character longer in front', (text) => `x${text}`),
  form('changed in its first character', (text) => another(text.slice(0, 1)) + text.slice(1)),
  form('changed in its middle', (text) => {
    const at = middle(text);
    return text.slice(0, at) + another(text.slice(at, at + 1)) + text.slice(at + 1);
  }),
  form('changed in its last character', (text) => text.slice(0, -1) + another(text.slice(-1))),
  form('ended by a NUL', (text) => `${text}\0`),
  form('ended by a NUL and more', (text) => `${text}\0more`),
  {
    how: 'followed by many blanks and more',
    write: (right) => right.derive((text) => `${text.padEnd(300)}x`),
  },
];

/** Texts that equal the right one after a conversion of case, white space, punctuation or Unicode form. */
const normalised: readonly CredentialForm[] = [
  form('in small letters', (text) => text.toLowerCase()),
  form('in capital letters', (text) => text.toUpperCase()),
  form('with a blank before it', (text) => ` ${text}`),
  form('with a blank behind it', (text) => `${text} `),
  form('with a line feed behind it', (text) => `${text}\n`),
  form('with a tab behind it', (text) => `${text}\t`, 'secretKey'),
  form('with a no-break space behind it', (text) => `${text}\u00a0`, 'secretKey'),
  form('with a blank in it', (text) => withIn(text, ' ')),
  form('with every blank twice', (text) => text.replaceAll(' ', '  ')),
  form('with a dash in it', (text) => withIn(text, '-'), 'apiKey'),
  form('with a zero-width space in it', (text) => withIn(text, '\u200b')),
  form('with an accent', (text) => text.replace(/[a-z]/i, '$&\u0301').normalize('NFC')),
  form('in full-width letters', (text) =>
    text.replace(/[!-~]/g, (sign) => String.fromCharCode(sign.charCodeAt(0) + 0xfee0)),
  ),
  // NFC replaces only U+212A, U+037E and U+1FEF by ASCII characters.
  form('in another normal form of Unicode', (text) => {
    const singled = text.replace(
      /[K;`]/,
      (sign) => ({ K: '\u212a', ';': '\u037e' })[sign] ?? '\u1fef',
    );
    if (singled !== text) return singled;
    return text.normalize('NFD') === text ? text.normalize('NFC') : text.normalize('NFD');
  }),
];

/** The right text in another encoding, which a service may decode once too often. */
const encoded: readonly CredentialForm[] = [
  form('percent-encoded', (text) =>
    eachAs(text, (sign) => Buffer.from(sign).toString('hex').replace(/../g, '%$&')),
  ),
  { how: 'in base64', write: inBase64 },
  form('in hex', (text) => Buffer.from(text).toString('hex')),
  form(
    'in HTML entities',
    (text) => eachAs(text, (sign) => `&#${sign.codePointAt(0)};`),
    'secretKey',
  ),
  form('a JSON text in quotes', (text) => JSON.stringify(text)),
  form(
    'in escapes of JSON',
    (text) => eachAs(text, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`),
    'secretKey',
  ),
  form('with an HTML tag in it', (text) => withIn(text, '<b></b>'), 'secretKey'),
];

/**
 * What a database may store instead of the text. If the service compares what it receives with a stored hash, a
 * stolen hash is a valid credential.
 */
const hashed: readonly CredentialForm[] = [
  hash('its MD5 in hex', 'md5', 'hex', 'secretKey'),
  hash('its SHA-1 in hex', 'sha1', 'hex', 'secretKey'),
  hash('its SHA-256 in hex', 'sha256', 'hex'),
  hash('its SHA-256 in base64', 'sha256', 'base64', 'secretKey'),
  hash('its SHA-512 in hex', 'sha512', 'hex', 'secretKey'),
];

/** For a text of digits: other notations of the same number, which a numeric comparison treats as equal. */
const numeric: readonly CredentialForm[] = [
  form('with a zero before it', (text) => (/^\d+$/.test(text) ? `0${text}` : text)),
  form('with a fraction of zero', (text) => (/^\d+$/.test(text) ? `${text}.0` : text)),
];

export const wrongForms: readonly CredentialForm[] = [
  cut,
  normalised,
  encoded,
  hashed,
  numeric,
].flat();

/** Patterns, pieces of SQL or LDAP, and operators that may reach a query instead of the right text. */
export const patterns: readonly unknown[] = [
  '*',
  '%',
  '.*',
  "' OR '1'='1",
  "' OR 1=1 -- ",
  '" OR "1"="1',
  "') OR ('1'='1",
  '*)(objectClass=*',
  { $ne: '' },
  { $gt: '' },
  { $regex: '.*' },
  { $exists: true },
  { $nin: [], $gte: '', $not: { $eq: '' } },
  { not: '', contains: '', startsWith: '', gt: '' },
];

/**
 * JSON values instead of the right text, including those that a loose conversion turns into it. Those that are
 * `disguised` do not contain it as one text.
 */
export const otherTypes: readonly (readonly [
  kind: string,
  value: (text: string) => unknown,
  how?: 'disguised',
])[] = [
  ['0', () => 0],
  ['1', () => 1],
  ['true', () => true],
  ['false', () => false],
  ['an empty array', () => []],
  ['an array around the right text', (text) => [text]],
  ['an array of the right text and another', (text) => [text, 'another']],
  ['an array of another text and the right one', (text) => ['another', text]],
  ['an array of its characters', (text) => [...text], 'disguised'],
  ['an array of its bytes', (text) => [...Buffer.from(text)], 'disguised'],
  // The bytes are those of the array before, and the rest of it is public.
  ['a buffer of its bytes, as Node writes one', (text) => Buffer.from(text)],
  ['an empty object', () => ({})],
  ['an object around the right text', (text) => ({ value: text })],
  ['an object that names a column', () => ({ apiKey: 1, secretKey: 1 })],
  ['the number that it spells', (text) => (/^\d{1,15}$/.test(text) ? Number(text) : -1)],
];

/** Pairs of which one half or both are null, empty or absent (`undefined`), also for an API key that does not exist. */
export function unsetPairs({ apiKey, secretKey }: Account): readonly UnsetPair[] {
  const unset = [null, '', undefined];
  const called = (value: unknown): string =>
    value === undefined ? 'absent' : value === null ? 'null' : 'empty';
  const pair = (how: string, key: unknown, secret: unknown): UnsetPair => ({
    how,
    json: { apiKey: key, secretKey: secret },
  });
  return [
    ...unset.flatMap((one) => [
      pair(`apiKey is ${called(one)}`, one, secretKey),
      pair(`secretKey is ${called(one)}`, apiKey, one),
      pair(`apiKey is ${called(one)}, and secretKey is wrong`, one, 'wrong'),
      pair(`apiKey is unknown, and secretKey is ${called(one)}`, 'no-such-key', one),
      ...unset.map((other) =>
        pair(`apiKey is ${called(one)}, and secretKey is ${called(other)}`, one, other),
      ),
    ]),
    ...['undefined', 'null'].map((word) =>
      pair(`apiKey is unknown, and secretKey is the word ${word}`, 'no-such-key', word),
    ),
    ...['constructor', '__proto__'].map((word) =>
      pair(`apiKey is the word ${word}, and secretKey is absent`, word, undefined),
    ),
  ];
}

interface UnsetPair {
  readonly how: string;
  readonly json: Readonly<Record<keyof Account, unknown>>;
}
