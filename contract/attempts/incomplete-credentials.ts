import { basic } from '../http/client.ts';
import type { Body } from '../http/request.ts';
import { type Account, type Secret, seal } from '../secrets/secret.ts';
import { type CredentialAttempt, halves, jsonBody } from './credentials.ts';

const textBody = (description: string, text: string | Secret): CredentialAttempt => ({
  description,
  options: { body: { type: 'application/json', text } },
});

/** JSON values instead of the right text, including those that a loose conversion turns into it. */
const otherTypes: readonly (readonly [
  description: string,
  value: (text: string) => unknown,
  half?: 'secretKey',
])[] = [
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

const json = (secret: Secret): Secret => secret.derive((text) => JSON.stringify(text));

/** @param key @param secret JSON texts */
const pair = (key: Secret, secret: Secret): Secret => seal`{"apiKey":${key},"secretKey":${secret}}`;

/** The two fields, of which one is another JSON value than a text. */
const ofOtherTypes = (account: Account): CredentialAttempt[] =>
  otherTypes.flatMap(([how, value, of]) =>
    halves
      .filter((half) => half === (of ?? half))
      .map((half) => {
        // Characters and bytes are not recognised as the secret that they spell.
        const written = account[half].disguise((text) => JSON.stringify(value(text)));
        const text =
          half === 'apiKey'
            ? pair(written, json(account.secretKey))
            : pair(json(account.apiKey), written);
        return textBody(`${half} is ${how}`, text);
      }),
  );

/** Pairs of which one half or both are null, empty or absent, also for an API key that does not exist. */
function unsetPairs({ apiKey, secretKey }: Account): CredentialAttempt[] {
  const unknown = 'no-such-key';
  const absent = jsonBody('secretKey is absent', { apiKey });
  return [
    // One of several servers may not require the secret key.
    ...[absent, absent, absent],
    ...[null, ''].map((unset) =>
      jsonBody(`secretKey is ${nameOf(unset)}`, { apiKey, secretKey: unset }),
    ),
    ...[null, '', undefined].flatMap((unset) => [
      jsonBody(`apiKey is ${nameOf(unset)}`, { apiKey: unset, secretKey }),
      jsonBody(`both are ${nameOf(unset)}`, { apiKey: unset, secretKey: unset }),
      jsonBody(`apiKey is unknown, and secretKey is ${nameOf(unset)}`, {
        apiKey: unknown,
        secretKey: unset,
      }),
    ]),
    ...['undefined', 'null'].map((word) =>
      jsonBody(`apiKey is unknown, and secretKey is the word ${word}`, {
        apiKey: unknown,
        secretKey: word,
      }),
    ),
    ...['constructor', '__proto__'].map((word) =>
      jsonBody(`apiKey is the word ${word}, and secretKey is absent`, { apiKey: word }),
    ),
  ];
}

const nameOf = (value: unknown): string =>
  value === undefined ? 'absent' : value === null ? 'null' : 'empty';

/** Other texts and JSON values than an object with the two fields, and the fields under other names. */
function otherBodies(account: Account): CredentialAttempt[] {
  const { apiKey, secretKey } = account;
  return [
    { description: 'there is no body', options: {} },
    textBody('the body is empty', ''),
    textBody('the JSON ends before its end', '{"apiKey":"a","secretKey":'),
    jsonBody('the body is null', null),
    jsonBody('the body is true', true),
    jsonBody('the body is the API key', apiKey),
    jsonBody('the body is an array of the right object', [account]),
    jsonBody('the body is an array of the right texts', [apiKey, secretKey]),
    jsonBody('the JSON is a string of the right JSON', pair(json(apiKey), json(secretKey))),
    jsonBody('the fields are in snake case', { api_key: apiKey, secret_key: secretKey }),
    jsonBody('the fields are called key and secret', { key: apiKey, secret: secretKey }),
    jsonBody('secretKey is misnamed', { apiKey, secret: secretKey }),
    jsonBody('the fields are one level deeper', { data: { apiKey, secretKey } }),
  ];
}

/**
 * The right texts elsewhere in the request. The query is not tried: logs store it, and the secret key must not be
 * stored (CALLER-2).
 */
function outsideTheBody({ apiKey, secretKey }: Account): CredentialAttempt[] {
  const empty: Body = { json: {} };
  const headers = { apiKey: apiKey.derive(encodeURI), secretKey: secretKey.derive(encodeURI) };
  const authorization = basic(seal`${apiKey}:${secretKey}`);
  return [
    {
      description: 'the fields are absent, and in Basic credentials',
      options: { authorization, body: empty },
    },
    { description: 'the fields are absent, and in headers', options: { headers, body: empty } },
  ];
}

/** Requests whose body does not have both fields as texts. */
export const incompleteCredentials = (account: Account): CredentialAttempt[] => [
  ...ofOtherTypes(account),
  ...unsetPairs(account),
  ...otherBodies(account),
  ...outsideTheBody(account),
];

/** A body without the two fields, and with an old token or a refresh token as OAuth names it (RFC 6749 6). */
const refreshing = (secret: Secret): Body => ({
  json: {
    grant_type: 'refresh_token',
    refresh_token: secret,
    refreshToken: secret,
    accessToken: secret,
    token: secret,
  },
});

/** Requests for a new token that have an old one, or a text given with it, instead of the two fields. */
export const renewalsWith = (secret: Secret): readonly CredentialAttempt[] => [
  {
    description: 'after "Bearer "',
    options: { authorization: seal`Bearer ${secret}`, body: { json: {} } },
  },
  { description: 'in the body, as a refresh token', options: { body: refreshing(secret) } },
];
