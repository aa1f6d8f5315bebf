import { basic } from '../http/client.ts';
import type { CallOptions } from '../http/request.ts';
import { type Account, type Secret, seal } from '../secrets/secret.ts';
import { type CredentialAttempt, halvesOf, jsonBody, type Row } from './credentials.ts';

/** JSON values instead of the right text, including those that a loose conversion turns into it. */
const otherTypes: readonly Row<unknown>[] = [
  ['0', () => 0],
  ['true', () => true],
  ['an array around the right text', (text) => [text]],
  ['an object that names a column', () => ({ apiKey: 1, secretKey: 1 })],
  ['the number that it spells', (text) => (/^\d{1,15}$/.test(text) ? Number(text) : -1)],
  ['an array of the right text and another', (text) => [text, 'another'], 'secretKey'],
  ['an array of another text and the right one', (text) => ['another', text], 'secretKey'],
  ['an array of its characters', (text) => [...text], 'secretKey'],
  ['an array of its bytes', (text) => [...Buffer.from(text)], 'secretKey'],
  ['an empty object', () => ({}), 'secretKey'],
  ['an object around the right text', (text) => ({ value: text }), 'secretKey'],
];

const textBody = (description: string, text: string | Secret): CredentialAttempt => ({
  description,
  options: { body: { type: 'application/json', text } },
});

const json = (secret: Secret): Secret => secret.derive((text) => JSON.stringify(text));

/** The JSON text of a body. @param texts JSON texts themselves */
const written = ({ apiKey, secretKey }: Account): Secret =>
  seal`{"apiKey":${apiKey},"secretKey":${secretKey}}`;

/** Requests whose body does not have both fields as texts. */
export function incompleteCredentials(account: Account): CredentialAttempt[] {
  const { apiKey, secretKey } = account;
  const right = { apiKey: json(apiKey), secretKey: json(secretKey) };
  const ofOtherType = ([how, value, only]: Row<unknown>): CredentialAttempt[] =>
    halvesOf(only).map((half) => {
      // Characters and bytes are not recognised as the secret that they spell.
      const other = account[half].disguise((text) => JSON.stringify(value(text)));
      return textBody(`${half} is ${how}`, written({ ...right, [half]: other }));
    });
  return [
    ...otherTypes.flatMap(ofOtherType),
    ...unset(account),
    { description: 'there is no body', options: {} },
    textBody('the body is empty', ''),
    textBody('the JSON ends before its end', '{"apiKey":"a","secretKey":'),
    jsonBody('the body is null', null),
    jsonBody('the body is true', true),
    jsonBody('the body is the API key', apiKey),
    jsonBody('the body is an array of the right object', [account]),
    jsonBody('the body is an array of the right texts', [apiKey, secretKey]),
    jsonBody('the JSON is a string of the right JSON', written(right)),
    jsonBody('the fields are in snake case', { api_key: apiKey, secret_key: secretKey }),
    jsonBody('the fields are called key and secret', { key: apiKey, secret: secretKey }),
    jsonBody('secretKey is misnamed', { apiKey, secret: secretKey }),
    jsonBody('the fields are one level deeper', { data: { apiKey, secretKey } }),
    // The query is not tried: logs store it, and the secret key must not be stored (CALLER-2).
    emptyBody('the fields are absent, and in Basic credentials', {
      authorization: basic(seal`${apiKey}:${secretKey}`),
    }),
    emptyBody('the fields are absent, and in headers', {
      headers: { apiKey: apiKey.derive(encodeURI), secretKey: secretKey.derive(encodeURI) },
    }),
  ];
}

const emptyBody = (description: string, options: CallOptions): CredentialAttempt => ({
  description,
  options: { ...options, body: { json: {} } },
});

/** Pairs of which one half or both are null, empty or absent, also for an API key that does not exist. */
function unset({ apiKey, secretKey }: Account): CredentialAttempt[] {
  const values = { null: null, empty: '', absent: undefined };
  const absent = jsonBody('secretKey is absent', { apiKey });
  return [
    // One of several servers may not require the secret key.
    ...[absent, absent],
    ...Object.entries(values).flatMap(([name, value]) => [
      jsonBody(`secretKey is ${name}`, { apiKey, secretKey: value }),
      jsonBody(`apiKey is ${name}`, { apiKey: value, secretKey }),
      jsonBody(`both are ${name}`, { apiKey: value, secretKey: value }),
      ofUnknownKey(name, value),
    ]),
    ...['undefined', 'null'].map((word) => ofUnknownKey(`the word ${word}`, word)),
    ...['constructor', '__proto__'].map((word) =>
      jsonBody(`apiKey is the word ${word}, and secretKey is absent`, { apiKey: word }),
    ),
  ];
}

const ofUnknownKey = (how: string, secretKey: unknown): CredentialAttempt =>
  jsonBody(`apiKey is unknown, and secretKey is ${how}`, { apiKey: 'no-such-key', secretKey });

/** Requests for a new token that have an old one, or a text given with it, instead of the two fields. */
export const renewalsWith = (token: Secret): readonly CredentialAttempt[] => [
  emptyBody('after "Bearer "', { authorization: seal`Bearer ${token}` }),
  jsonBody('in the body, as a refresh token', {
    // As OAuth names it (RFC 6749 6), and as others do.
    grant_type: 'refresh_token',
    refresh_token: token,
    refreshToken: token,
    accessToken: token,
    token,
  }),
];
