import { type Call, type Credentials, right } from '../behaviour.ts';
import { type Mutant, matching, same } from './fault.ts';

/** Reads the credentials from any place in a JSON value. */
const readingAs = (read: (value: never) => Credentials | undefined) => ({
  credentials(call: Call) {
    try {
      return read(JSON.parse(call.body) as never) ?? undefined;
    } catch {
      return undefined;
    }
  },
});

/** A body that lacks a field, or has something else than a text in it, gets a token. */
export const bodyMutants: readonly Mutant[] = [
  {
    name: 'true-equals-anything',
    means: 'true in place of the secret key is right, because it equals any text',
    make: () => matching(same, (sent, right) => sent === right || sent === true),
  },
  {
    name: 'absent-secret-of-nobody',
    means: 'The secret key of an unknown key is absent, and equal to an absent one',
    make: () => ({
      valid: ({ apiKey, secretKey }, { account }) =>
        typeof apiKey === 'string' &&
        (apiKey === account.apiKey ? account.secretKey : undefined) === secretKey,
    }),
  },
  {
    name: 'array-equals-its-text',
    means: 'An array around the right text is right, because it reads the same',
    make: () => matching(same, (sent, right) => String(sent) === right),
  },
  {
    name: 'null-secret',
    means: 'null in place of the secret key is right',
    make: () => matching(same, (sent, right) => sent === right || sent === null),
  },
  {
    name: 'zero-secret',
    means: '0 in place of the secret key is right, as in loose comparisons of PHP 7',
    make: () => matching(same, (sent, right) => sent === right || sent === 0),
  },
  {
    name: 'empty-secret',
    means: 'An empty secret key is right',
    make: () => matching(same, (sent, right) => sent === right || sent === ''),
  },
  {
    name: 'absent-secret',
    means: 'Without a secret key only the API key is checked',
    make: () => matching(same, (sent, right) => sent === right || sent === undefined),
  },
  {
    name: 'absent-key',
    means: 'Without an API key only the secret key is checked',
    make: () => matching((sent, right) => sent === right || sent === undefined, same),
  },
  {
    name: 'snake-case-fields',
    means: 'The fields may be called api_key and secret_key',
    make: () =>
      readingAs(
        (value: {
          apiKey?: unknown;
          secretKey?: unknown;
          api_key?: unknown;
          secret_key?: unknown;
        }) => ({
          apiKey: value.apiKey ?? value.api_key,
          secretKey: value.secretKey ?? value.secret_key,
        }),
      ),
  },
  {
    name: 'nested-fields',
    means: 'The fields are also found one level deeper',
    make: () =>
      readingAs((value: Partial<Credentials> & { data?: Partial<Credentials> }) => ({
        apiKey: value.apiKey ?? value.data?.apiKey,
        secretKey: value.secretKey ?? value.data?.secretKey,
      })),
  },
  {
    name: 'array-body',
    means: 'An array of credentials is read as its first element',
    make: () => readingAs((value: Credentials | Credentials[]) => [value].flat()[0]),
  },
  {
    name: 'json-in-json',
    means: 'A JSON text inside the JSON is parsed too',
    make: () =>
      readingAs(
        (value: unknown) => (typeof value === 'string' ? JSON.parse(value) : value) as Credentials,
      ),
  },
  {
    name: 'no-body-is-a-guest',
    means: 'Without a body a token is given to a guest',
    make: () => ({
      credentials: (call) =>
        call.body === '' ? { apiKey: null, secretKey: null } : right.credentials(call),
      valid: (sent, state) => sent.apiKey === null || right.valid(sent, state),
    }),
  },
  {
    name: 'empty-object-gets-a-token',
    means: 'The fields of an empty object are not checked',
    make: () => ({
      valid: (sent, state) =>
        (sent.apiKey === undefined && sent.secretKey === undefined) || right.valid(sent, state),
    }),
  },
];
