import { type BinaryToTextEncoding, createHash } from 'node:crypto';
import type { CallOptions } from '../http/request.ts';
import { type Account, seal } from '../secrets/secret.ts';

/** A request to the token endpoint that must get no token. */
export interface CredentialAttempt {
  /** `secretKey is in small letters`. */
  readonly description: string;
  readonly options: CallOptions;
}

/** What a text becomes, and in which half of the pair that is tried: in both unless one is named. */
type Change = readonly [
  description: string,
  change: (text: string) => string,
  half?: keyof Account,
];

const middle = (text: string): number => Math.floor(text.length / 2);
const insert = (text: string, more: string): string =>
  text.slice(0, middle(text)) + more + text.slice(middle(text));
const replaceAt = (text: string, at: number): string =>
  text.slice(0, at) + (text[at] === 'x' ? 'y' : 'x') + text.slice(at + 1);
const eachCharacter = (text: string, write: (sign: string) => string): string =>
  Array.from(text, write).join('');
const hash = (algorithm: string, encoding: BinaryToTextEncoding) => (text: string) =>
  createHash(algorithm).update(text).digest(encoding);
const ifDigits = (change: (text: string) => string) => (text: string) =>
  /^\d+$/.test(text) ? change(text) : text;

/** Each way in which a comparison fails. A change that leaves a text as it is, such as another case of digits, is not sent. */
const changes: readonly Change[] = [
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
  ['in full-width letters', toFullWidth, 'secretKey'],
  ['in another normal form of Unicode', toOtherNormalForm],
  // Encodings that a service may decode once too often.
  ['percent-encoded', (text) => eachCharacter(text, toPercent), 'secretKey'],
  ['in base64', (text) => Buffer.from(text).toString('base64'), 'secretKey'],
  ['in hex', (text) => Buffer.from(text).toString('hex'), 'secretKey'],
  ['in HTML entities', (text) => eachCharacter(text, toEntity), 'secretKey'],
  ['a JSON text in quotes', (text) => JSON.stringify(text), 'secretKey'],
  ['in escapes of JSON', (text) => eachCharacter(text, toEscape), 'secretKey'],
  ['with an HTML tag in it', (text) => insert(text, '<b></b>'), 'secretKey'],
  // What a database may store. If the service compares it with what it receives, a stolen hash is a valid credential.
  ['its MD5 in hex', hash('md5', 'hex'), 'secretKey'],
  ['its SHA-1 in hex', hash('sha1', 'hex'), 'secretKey'],
  ['its SHA-256 in hex', hash('sha256', 'hex'), 'secretKey'],
  ['its SHA-512 in hex', hash('sha512', 'hex'), 'secretKey'],
  // Other notations of the same number.
  ['with a zero before it', ifDigits((text) => `0${text}`)],
  ['with a fraction of zero', ifDigits((text) => `${text}.0`)],
];

function toFullWidth(text: string): string {
  return text.replace(/[!-~]/g, (sign) => String.fromCharCode(sign.charCodeAt(0) + 0xfee0));
}

/** NFC replaces only U+212A, U+037E and U+1FEF by ASCII characters. */
function toOtherNormalForm(text: string): string {
  const singled = text.replace(
    /[K;`]/,
    (sign) => ({ K: '\u212a', ';': '\u037e' })[sign] ?? '\u1fef',
  );
  if (singled !== text) return singled;
  return text.normalize('NFD') === text ? text.normalize('NFC') : text.normalize('NFD');
}

function toPercent(sign: string): string {
  return Buffer.from(sign).toString('hex').replace(/../g, '%$&');
}

function toEntity(sign: string): string {
  return `&#${sign.codePointAt(0)};`;
}

function toEscape(sign: string): string {
  return `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

/** Patterns, pieces of SQL or LDAP, and operators that may reach a query instead of the right text. */
const patterns: readonly (readonly [pattern: unknown, half?: 'secretKey'])[] = [
  ['*'],
  ['%'],
  ["' OR '1'='1"],
  [{ $ne: '' }],
  ['.*', 'secretKey'],
  ["' OR 1=1 -- ", 'secretKey'],
  ['" OR "1"="1', 'secretKey'],
  ["') OR ('1'='1", 'secretKey'],
  ['*)(objectClass=*', 'secretKey'],
  [{ $gt: '', $regex: '.*', $exists: true, $nin: [], $not: { $eq: '' } }, 'secretKey'],
  [{ not: '', contains: '', startsWith: '', gt: '' }, 'secretKey'],
];

/** The two fields. */
export const halves = ['apiKey', 'secretKey'] as const;

/** A request to the token endpoint with a JSON body. */
export const jsonBody = (description: string, json: unknown): CredentialAttempt => ({
  description,
  options: { body: { json } },
});

/** Pairs of texts of which at most one is right, and patterns in place of one of them. */
export function wrongPairs(account: Account): CredentialAttempt[] {
  const { apiKey, secretKey } = account;
  const changed = changes.flatMap(([how, change, of]) =>
    halves
      .filter((half) => half === (of ?? half))
      .map((half) => [half, how, account[half].disguise(change)] as const)
      .filter(([half, , text]) => !text.equals(account[half]))
      .map(([half, , text]) => jsonBody(`${half} is ${how}`, { ...account, [half]: text })),
  );
  const matching = patterns.flatMap(([pattern, of]) =>
    halves
      .filter((half) => half === (of ?? half))
      .map((half) =>
        jsonBody(`${half} is the pattern ${JSON.stringify(pattern)}`, {
          ...account,
          [half]: pattern,
        }),
      ),
  );
  const end = apiKey.derive((key) => key.slice(-1));
  return [
    ...changed,
    ...matching,
    jsonBody('the rest of a query is a comment behind apiKey', {
      apiKey: seal`${apiKey}' -- `,
      secretKey: 'wrong',
    }),
    jsonBody('key and secret are swapped', { apiKey: secretKey, secretKey: apiKey }),
    jsonBody('the API key is in both places', { apiKey, secretKey: apiKey }),
    jsonBody('the secret key is in both places', { apiKey: secretKey, secretKey }),
    jsonBody('key and secret are both in apiKey, with a colon between', {
      apiKey: seal`${apiKey}:${secretKey}`,
      secretKey: 'wrong',
    }),
    jsonBody('the last character of the key is the first of the secret', {
      apiKey: apiKey.derive((key) => key.slice(0, -1)),
      secretKey: seal`${end}${secretKey}`,
    }),
    jsonBody('both are made up', { apiKey: 'no-such-key', secretKey: 'no-such-secret' }),
  ];
}
