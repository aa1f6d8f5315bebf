import { createHash } from 'node:crypto';
import type { CallOptions } from '../http/request.ts';
import { type Account, seal } from '../secrets/secret.ts';

/** A request to the token endpoint that must get no token. */
export interface CredentialAttempt {
  /** `secretKey is in small letters`. */
  readonly description: string;
  readonly options: CallOptions;
}

/** A request to the token endpoint with a JSON body. */
export const jsonBody = (description: string, json: unknown): CredentialAttempt => ({
  description,
  options: { body: { json } },
});

type Half = keyof Account;

/** What one half becomes. It is tried in both halves of the pair unless one is named. */
export type Row<Value> = readonly [how: string, change: (text: string) => Value, half?: Half];

export const halvesOf = (half?: Half): readonly Half[] =>
  half === undefined ? ['apiKey', 'secretKey'] : [half];

const middle = (text: string): number => Math.floor(text.length / 2);
const insert = (text: string, more: string): string =>
  text.slice(0, middle(text)) + more + text.slice(middle(text));
const replaceAt = (text: string, at: number): string =>
  text.slice(0, at) + (text[at] === 'x' ? 'y' : 'x') + text.slice(at + 1);
const hex = (text: string): string => Buffer.from(text).toString('hex');
const toEntity = (sign: string): string => `&#${sign.codePointAt(0)};`;
const toEscape = (sign: string): string => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`;
const toFullWidth = (sign: string): string => String.fromCharCode(sign.charCodeAt(0) + 0xfee0);
const hash = (algorithm: string) => (text: string) =>
  createHash(algorithm).update(text).digest('hex');
const ifDigits = (change: (text: string) => string) => (text: string) =>
  /^\d+$/.test(text) ? change(text) : text;

/** Each way in which a comparison fails. A change that leaves a text as it is, such as another case of digits, is not sent. */
const changes: readonly Row<string>[] = [
  // Parts of the text, longer texts, and other characters.
  ['another text', () => 'another-text-altogether'],
  ['without its last character', (text) => text.slice(0, -1)],
  ['without its first character', (text) => text.slice(1), 'secretKey'],
  ['cut to its first half', (text) => text.slice(0, Math.ceil(text.length / 2)), 'secretKey'],
  ['one character longer', (text) => `${text}x`],
  ['one character longer in front', (text) => `x${text}`, 'secretKey'],
  ['changed in its first character', (text) => replaceAt(text, 0), 'secretKey'],
  ['changed in its middle', (text) => replaceAt(text, middle(text)), 'secretKey'],
  ['changed in its last character', (text) => replaceAt(text, text.length - 1)],
  ['ended by a NUL and more', (text) => `${text}\0more`, 'secretKey'],
  ['followed by many blanks and more', (text) => `${text.padEnd(300)}x`],
  // Texts that are equal after a conversion of case, white space, punctuation or Unicode form.
  ['in small letters', (text) => text.toLowerCase()],
  ['in capital letters', (text) => text.toUpperCase()],
  ['with a blank behind it', (text) => `${text} `],
  ['with white space around it', (text) => ` \t${text}\r\n`, 'secretKey'],
  ['with a blank in it', (text) => insert(text, ' '), 'secretKey'],
  ['with every blank twice', (text) => text.replaceAll(' ', '  '), 'secretKey'],
  ['with a dash in it', (text) => insert(text, '-'), 'apiKey'],
  ['with a zero-width space in it', (text) => insert(text, '\u200b'), 'secretKey'],
  ['with an accent', (text) => text.replace(/[a-z]/i, '$&\u0301').normalize('NFC'), 'apiKey'],
  ['in full-width letters', (text) => text.replace(/[!-~]/g, toFullWidth), 'secretKey'],
  ['in another normal form of Unicode', toOtherNormalForm],
  // Encodings that a service may decode once too often.
  ['percent-encoded', (text) => hex(text).replace(/../g, '%$&'), 'secretKey'],
  ['in base64', (text) => Buffer.from(text).toString('base64'), 'secretKey'],
  ['in hex', hex, 'secretKey'],
  ['in HTML entities', (text) => text.replace(/./gsu, toEntity), 'secretKey'],
  ['a JSON text in quotes', (text) => JSON.stringify(text), 'secretKey'],
  ['in escapes of JSON', (text) => text.replace(/./gs, toEscape), 'secretKey'],
  ['with an HTML tag in it', (text) => insert(text, '<b></b>'), 'secretKey'],
  // What a database may store. If the service compares it with what it receives, a stolen hash is a valid credential.
  ['its MD5 in hex', hash('md5'), 'secretKey'],
  ['its SHA-1 in hex', hash('sha1'), 'secretKey'],
  ['its SHA-256 in hex', hash('sha256'), 'secretKey'],
  ['its SHA-512 in hex', hash('sha512'), 'secretKey'],
  // Other notations of the same number.
  ['with a zero before it', ifDigits((text) => `0${text}`)],
  ['with a fraction of zero', ifDigits((text) => `${text}.0`)],
];

/** NFC replaces only U+212A, U+037E and U+1FEF by ASCII characters. */
function toOtherNormalForm(text: string): string {
  const singles: Record<string, string> = { K: '\u212a', ';': '\u037e', '`': '\u1fef' };
  const singled = text.replace(/[K;`]/, (sign) => singles[sign] ?? sign);
  if (singled !== text) return singled;
  return text.normalize(text.normalize('NFD') === text ? 'NFC' : 'NFD');
}

/** Patterns, pieces of SQL and operators that may reach a query instead of the right text. */
const patterns: readonly unknown[] = [...['*', '%', "' OR '1'='1"], { $ne: '' }];

/** The same, also of LDAP, for the secret key alone. */
const secretPatterns: readonly unknown[] = [
  ...['.*', "' OR 1=1 -- ", '" OR "1"="1', "') OR ('1'='1", '*)(objectClass=*'],
  { $gt: '', $regex: '.*', $exists: true, $nin: [], $not: { $eq: '' } },
  { not: '', contains: '', startsWith: '', gt: '' },
];

/** Pairs of texts of which at most one is right, and patterns in place of one of them. */
export function wrongPairs(account: Account): CredentialAttempt[] {
  const { apiKey, secretKey } = account;
  const pair = (description: string, key: unknown, secret: unknown): CredentialAttempt =>
    jsonBody(description, { apiKey: key, secretKey: secret });
  const replaced = (half: Half, how: string, value: unknown): CredentialAttempt =>
    jsonBody(`${half} is ${how}`, { ...account, [half]: value });
  const matching = (pattern: unknown, half?: Half): CredentialAttempt[] =>
    halvesOf(half).map((of) => replaced(of, `the pattern ${JSON.stringify(pattern)}`, pattern));
  const changed = ([how, change, only]: Row<string>): CredentialAttempt[] =>
    halvesOf(only)
      .map((half) => [half, account[half].disguise(change)] as const)
      .filter(([half, text]) => !text.equals(account[half]))
      .map(([half, text]) => replaced(half, how, text));
  const shorter = apiKey.derive((key) => key.slice(0, -1));
  const longer = seal`${apiKey.derive((key) => key.slice(-1))}${secretKey}`;
  const both = seal`${apiKey}:${secretKey}`;
  return [
    ...changes.flatMap(changed),
    ...patterns.flatMap((pattern) => matching(pattern)),
    ...secretPatterns.flatMap((pattern) => matching(pattern, 'secretKey')),
    pair('the rest of a query is a comment behind apiKey', seal`${apiKey}' -- `, 'wrong'),
    pair('key and secret are swapped', secretKey, apiKey),
    pair('the API key is in both places', apiKey, apiKey),
    pair('the secret key is in both places', secretKey, secretKey),
    pair('key and secret are both in apiKey, with a colon between', both, 'wrong'),
    pair('the last character of the key is the first of the secret', shorter, longer),
    pair('both are made up', 'no-such-key', 'no-such-secret'),
  ];
}
