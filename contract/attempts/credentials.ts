import { basic } from '../http/client.ts';
import type { CallOptions } from '../http/request.ts';
import { type Account, type Secret, seal } from '../secrets/secret.ts';
import { fillIn, inPercents } from './deviation.ts';

/** A request to the token endpoint that must get no token, and its description: `secretKey is in small letters`. */
export type CredentialAttempt = readonly [description: string, options: CallOptions];

/** How each half of the pair, or the named one, is changed. */
type Row = readonly [how: string, change: (text: string) => string, half?: keyof Account];

/**
 * Each way in which a comparison fails; `--quick` sends the first. A change that leaves a text as it is is not sent:
 * digits have no case.
 */
const texts: readonly Row[] = [
  // Parts of the text, longer texts, and other characters.
  ['another text', () => 'another-text-altogether'],
  ['without its last character', (text) => text.slice(0, -1)],
  ['without its first character', (text) => text.slice(1), 'secretKey'],
  ['cut to its first half', (text) => text.slice(0, Math.ceil(text.length / 2)), 'secretKey'],
  ['one character longer', (text) => `${text}x`],
  ['one character longer in front', (text) => `x${text}`, 'secretKey'],
  [
    'changed in its last character',
    (text) => text.replace(/.$/s, (sign) => (sign === 'x' ? 'y' : 'x')),
  ],
  ['ended by a NUL and more', (text) => `${text}\0more`, 'secretKey'],
  ['followed by many blanks and more', (text) => `${text.padEnd(300)}x`],
  // Texts that are equal after a conversion of case, white space or accents.
  ['in small letters', (text) => text.toLowerCase()],
  ['in capital letters', (text) => text.toUpperCase()],
  ['with a blank behind it', (text) => `${text} `],
  ['with white space around it', (text) => ` \t${text}\r\n`, 'secretKey'],
  ['with an accent', (text) => text.replace(/[a-z]/i, '$&\u0301').normalize('NFC')],
  // Encodings that a service may decode once too often.
  ['percent-encoded', inPercents],
  ['in base64', (text) => Buffer.from(text).toString('base64'), 'secretKey'],
];

/** Texts of JSON, with a sign between them. */
const splitList = (texts: string): string[] => texts.split('·').map((text) => text.trim());

const right = '{"apiKey":"KEY","secretKey":"SECRET"}';

/** The right body with JSON in place of each half, in which TEXT is the right text. */
const instead = (texts: string): string[] =>
  splitList(texts).flatMap((json) =>
    ['KEY', 'SECRET'].map((name) => right.replace(`"${name}"`, () => json.replace('TEXT', name))),
  );

/** KEY and SECRET are the right texts. Patterns, pieces of SQL and LDAP, and operators may reach a query instead. */
const wrongBodies = [
  ...instead(`
    "*" · "%" · ".*" · "' OR '1'='1" · "' OR 1=1 -- " · "*)(objectClass=*" · {"$ne":""} · {"$gt":""} ·
    {"$regex":".*","$exists":true,"$nin":[]} · {"contains":"","startsWith":""}`),
  ...splitList(`
    {"apiKey":"KEY' -- ","secretKey":"wrong"} · {"apiKey":"SECRET","secretKey":"KEY"} ·
    {"apiKey":"KEY","secretKey":"KEY"} · {"apiKey":"SECRET","secretKey":"SECRET"}`),
];

/** Pairs of texts of which at most one is right, and patterns in place of one of them. */
export const wrongPairs = (account: Account): CredentialAttempt[] => [
  ...changeAccount(account, texts),
  ...withBodies(account, wrongBodies),
];

/** Without both fields as texts. The first three times: one of several servers may not require the secret key. */
const incompleteBodies = [
  ...Array<string>(3).fill('{"apiKey":"KEY"}'),
  ...splitList(`
    {"secretKey":"SECRET"} · {} · {"apiKey":"no-such-key"} · {"apiKey":"no-such-key","secretKey":null} ·
    {"apiKey":"constructor"} · {"apiKey":"__proto__"} · · {"apiKey":"a","secretKey": · null · "KEY" ·
    [${right}] · ["KEY","SECRET"] · {"api_key":"KEY","secret_key":"SECRET"} · {"key":"KEY","secret":"SECRET"} ·
    {"apiKey":"KEY","secret":"SECRET"} · {"data":${right}}`),
  ...instead(`
    null · "" · 0 · true · {} · ["TEXT"] · ["TEXT","another"] · ["another","TEXT"] · {"value":"TEXT"}`),
];

/** Requests whose body does not have both fields as texts. */
export function incompleteCredentials(account: Account): CredentialAttempt[] {
  const { apiKey, secretKey } = account;
  const authorization = basic(seal`${apiKey}:${secretKey}`);
  const headers = { apiKey: apiKey.derive(encodeURI), secretKey: secretKey.derive(encodeURI) };
  return [
    ...withBodies(account, incompleteBodies),
    ['there is no body', {}],
    ['the JSON is a string of the right JSON', { body: { json: fillAccount(right, account) } }],
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

const withBodies = (account: Account, bodies: readonly string[]): CredentialAttempt[] =>
  bodies.map((json) => [`the body is ${json || 'empty'}`, asJson(fillAccount(json, account))]);

/** A half that would stay as it is, such as digits in another case, is not sent. */
const changeAccount = (account: Account, rows: readonly Row[]): CredentialAttempt[] =>
  rows.flatMap(([how, change, only]) =>
    (only ? [only] : (['secretKey', 'apiKey'] as const))
      .filter((half) => !account[half].is((text) => change(text) === text))
      .map((half) => {
        const changed = { ...account, [half]: account[half].derive(change, 'itself') };
        return [`${half} is ${how}`, asJson(fillAccount(right, changed))];
      }),
  );

const asJson = (text: string | Secret): CallOptions => ({
  body: { type: 'application/json', text },
});

/** JSON with the right texts in place of KEY and SECRET. */
function fillAccount(json: string, { apiKey, secretKey }: Account): string | Secret {
  const inJson = (half: Secret) => half.derive((text) => JSON.stringify(text).slice(1, -1));
  return fillIn(json, { KEY: inJson(apiKey), SECRET: inJson(secretKey) });
}
