import { hash } from 'node:crypto';
import { basic } from '../http/client.ts';
import type { CallOptions } from '../http/request.ts';
import { type Account, joinParts, type Secret, seal } from '../secrets/secret.ts';
import { written } from './deviation.ts';

/** A request to the token endpoint that must get no token, and its description: `secretKey is in small letters`. */
export type CredentialAttempt = readonly [description: string, options: CallOptions];

/** A body, in which KEY and SECRET are the right texts. */
type BodyRow = readonly [description: string, json: string];

/** What each half of the pair, or the named one, becomes: JSON in which TEXT is the right text, or a value made of it. */
type Row = readonly [how: string, becomes: string | Change, half?: keyof Account];
type Change = (text: string) => unknown;

const replaceAt = (text: string, at: number): string =>
  text.slice(0, at) + (text[at] === 'x' ? 'y' : 'x') + text.slice(at + 1);

/** Each way in which a comparison fails. A change that leaves a text as it is, such as another case of digits, is not sent. */
const texts: readonly Row[] = [
  // Parts of the text, longer texts, and other characters.
  ['another text', () => 'another-text-altogether'],
  ['without its last character', (text) => text.slice(0, -1)],
  ['without its first character', (text) => text.slice(1), 'secretKey'],
  ['cut to its first half', (text) => text.slice(0, Math.ceil(text.length / 2)), 'secretKey'],
  ['one character longer', (text) => `${text}x`],
  ['one character longer in front', (text) => `x${text}`, 'secretKey'],
  ['changed in its first character', (text) => replaceAt(text, 0), 'secretKey'],
  ['changed in its middle', (text) => replaceAt(text, Math.floor(text.length / 2)), 'secretKey'],
  ['changed in its last character', (text) => replaceAt(text, text.length - 1)],
  ['ended by a NUL and more', (text) => `${text}\0more`, 'secretKey'],
  ['followed by many blanks and more', (text) => `${text.padEnd(300)}x`],
  // Texts that are equal after a conversion of case, white space or accents.
  ['in small letters', (text) => text.toLowerCase()],
  ['in capital letters', (text) => text.toUpperCase()],
  ['with a blank behind it', (text) => `${text} `],
  ['with white space around it', (text) => ` \t${text}\r\n`, 'secretKey'],
  ['with an accent', (text) => text.replace(/[a-z]/i, '$&\u0301').normalize('NFC')],
  // Encodings that a service may decode once too often.
  ['percent-encoded', (text) => Buffer.from(text).toString('hex').replace(/../g, '%$&')],
  ['in base64', (text) => Buffer.from(text).toString('base64'), 'secretKey'],
  // What a database may store. If the service compares it with what it receives, a stolen hash is a valid credential.
  ...['md5', 'sha1', 'sha256', 'sha512'].map((name): Row => {
    return [`its ${name} in hex`, (text) => hash(name, text), 'secretKey'];
  }),
  // Another notation of the same number.
  ['with a zero before it', (text) => text.replace(/^\d+$/, '0$&')],
];

/** Patterns, pieces of SQL and of LDAP, and operators that may reach a query instead of the right text. */
const patterns = [
  ...['*', '%', "' OR '1'='1", { $ne: '' }, '.*', "' OR 1=1 -- ", '*)(objectClass=*', { $gt: '' }],
  ...[
    { contains: '', startsWith: '' },
    { $regex: '.*', $exists: true, $nin: [] },
  ],
]
  .map((pattern) => JSON.stringify(pattern))
  // The first four are tried in both halves.
  .map((json, index): Row => [`the pattern ${json}`, json, index < 4 ? undefined : 'secretKey']);

const right = '{"apiKey":"KEY","secretKey":"SECRET"}';

const wrongBodies: readonly BodyRow[] = [
  ['the rest of a query is a comment behind apiKey', `{"apiKey":"KEY' -- ","secretKey":"wrong"}`],
  ['key and secret are swapped', '{"apiKey":"SECRET","secretKey":"KEY"}'],
  ['the API key is in both places', '{"apiKey":"KEY","secretKey":"KEY"}'],
  ['the secret key is in both places', '{"apiKey":"SECRET","secretKey":"SECRET"}'],
];

/** Pairs of texts of which at most one is right, and patterns in place of one of them. */
export function wrongPairs(account: Account): CredentialAttempt[] {
  return [...replaced(account, [...texts, ...patterns]), ...withBodies(account, wrongBodies)];
}

/** JSON values instead of the right text, including those that a loose conversion turns into it. */
const values: readonly Row[] = [
  ['null', 'null'],
  ['empty', '""'],
  ['0', '0'],
  ['true', 'true'],
  ['an array around the right text', '["TEXT"]'],
  ['the number that it spells', (text) => (/^\d{1,15}$/.test(text) ? Number(text) : -1)],
  ['an array of the right text and another', '["TEXT","another"]', 'secretKey'],
  ['an array of another text and the right one', '["another","TEXT"]', 'secretKey'],
  ['an empty object', '{}', 'secretKey'],
  ['an object around the right text', '{"value":"TEXT"}', 'secretKey'],
];

const incompleteBodies: readonly BodyRow[] = [
  // Three times, because one of several servers may not require the secret key.
  ...Array<BodyRow>(3).fill(['secretKey is absent', '{"apiKey":"KEY"}']),
  ['apiKey is absent', '{"secretKey":"SECRET"}'],
  ['both are absent', '{}'],
  ['apiKey is unknown, and secretKey is absent', '{"apiKey":"no-such-key"}'],
  ['apiKey is unknown, and secretKey is null', '{"apiKey":"no-such-key","secretKey":null}'],
  ['apiKey is the word constructor, and secretKey is absent', '{"apiKey":"constructor"}'],
  ['apiKey is the word __proto__, and secretKey is absent', '{"apiKey":"__proto__"}'],
  ['the body is empty', ''],
  ['the JSON ends before its end', '{"apiKey":"a","secretKey":'],
  ['the body is null', 'null'],
  ['the body is the API key', '"KEY"'],
  ['the body is an array of the right object', `[${right}]`],
  ['the body is an array of the right texts', '["KEY","SECRET"]'],
  ['the fields are in snake case', '{"api_key":"KEY","secret_key":"SECRET"}'],
  ['the fields are called key and secret', '{"key":"KEY","secret":"SECRET"}'],
  ['secretKey is misnamed', '{"apiKey":"KEY","secret":"SECRET"}'],
  ['the fields are one level deeper', `{"data":${right}}`],
];

/** Requests whose body does not have both fields as texts. */
export function incompleteCredentials(account: Account): CredentialAttempt[] {
  const { apiKey, secretKey } = account;
  const authorization = basic(seal`${apiKey}:${secretKey}`);
  const headers = { apiKey: apiKey.derive(encodeURI), secretKey: secretKey.derive(encodeURI) };
  return [
    ...withBodies(account, incompleteBodies),
    ...replaced(account, values),
    ['there is no body', {}],
    ['the JSON is a string of the right JSON', { body: { json: filled(right, account) } }],
    // The query is not tried: logs store it, and the secret key must not be stored (CALLER-2).
    ['the fields are absent, and in Basic credentials', { authorization, body: { json: {} } }],
    ['the fields are absent, and in headers', { headers, body: { json: {} } }],
  ];
}

/** Requests for a new token that have an old one, or a text given with it, instead of the two fields. */
export function renewalsWith(token: Secret): readonly CredentialAttempt[] {
  // As OAuth names it (RFC 6749 6), and as others do.
  const names = ['refresh_token', 'refreshToken', 'accessToken', 'token'];
  const fields = Object.fromEntries(names.map((name) => [name, token]));
  const json = { grant_type: 'refresh_token', ...fields };
  return [
    ['after "Bearer "', { authorization: seal`Bearer ${token}`, body: { json: {} } }],
    ['in the body, as a refresh token', { body: { json } }],
  ];
}

const withBodies = (account: Account, rows: readonly BodyRow[]): CredentialAttempt[] =>
  rows.map(([description, json]) => [description, asJson(filled(json, account))]);

/** A half that would stay as it is, such as digits in another case, is not sent. */
const replaced = (account: Account, rows: readonly Row[]): CredentialAttempt[] =>
  rows.flatMap(([how, becomes, only]) =>
    (only ? [only] : (['apiKey', 'secretKey'] as const)).flatMap((half) => {
      const name = half === 'apiKey' ? 'KEY' : 'SECRET';
      const isText = typeof becomes === 'string';
      if (!isText && account[half].is((text) => becomes(text) === text)) return [];
      const value = isText
        ? filled(becomes.replace('TEXT', name), account)
        : account[half].disguise((text) => JSON.stringify(becomes(text)));
      const [before, after] = right.split(`"${name}"`).map((part) => filled(part, account));
      const text = joinParts([before ?? '', value, after ?? '']);
      return [[`${half} is ${how}`, asJson(text)] as const];
    }),
  );

const asJson = (text: string | Secret): CallOptions => ({
  body: { type: 'application/json', text },
});

/** JSON with the right texts in place of KEY and SECRET. */
function filled(json: string, { apiKey, secretKey }: Account): string | Secret {
  const inJson = (half: Secret) => half.derive((text) => JSON.stringify(text).slice(1, -1));
  return written(json, { KEY: inJson(apiKey), SECRET: inJson(secretKey) });
}
