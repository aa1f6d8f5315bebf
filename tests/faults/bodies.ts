import { type Call, type Credentials, right } from '../../sandbox/behaviour.ts';
import { fault, type Mutant, matching, same } from './fault.ts';

/** The secret key may also be another value. */
const secretOr = (value: unknown) =>
  matching(same, (sent, right) => sent === right || sent === value);

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
  fault(
    'true-equals-anything',
    'true in place of the secret key is right, because it equals any text',
    () => secretOr(true),
  ),
  fault(
    'absent-secret-of-nobody',
    'The secret key of an unknown key is absent, and equal to an absent one',
    () => ({
      valid: ({ apiKey, secretKey }, { account }) =>
        typeof apiKey === 'string' &&
        (apiKey === account.apiKey ? account.secretKey : undefined) === secretKey,
    }),
  ),
  fault(
    'array-equals-its-text',
    'An array around the right text is right, because it reads the same',
    () => matching(same, (sent, right) => String(sent) === right),
  ),
  fault('null-secret', 'null in place of the secret key is right', () => secretOr(null)),
  fault(
    'zero-secret',
    '0 in place of the secret key is right, as in loose comparisons of PHP 7',
    () => secretOr(0),
  ),
  fault('empty-secret', 'An empty secret key is right', () => secretOr('')),
  fault('absent-secret', 'Without a secret key only the API key is checked', () =>
    secretOr(undefined),
  ),
  fault('absent-key', 'Without an API key only the secret key is checked', () =>
    matching((sent, right) => sent === right || sent === undefined, same),
  ),
  fault('snake-case-fields', 'The fields may be called api_key and secret_key', () =>
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
  ),
  fault('nested-fields', 'The fields are also found one level deeper', () =>
    readingAs((value: Partial<Credentials> & { data?: Partial<Credentials> }) => ({
      apiKey: value.apiKey ?? value.data?.apiKey,
      secretKey: value.secretKey ?? value.data?.secretKey,
    })),
  ),
  fault('array-body', 'An array of credentials is read as its first element', () =>
    readingAs((value: Credentials | Credentials[]) => [value].flat()[0]),
  ),
  fault('json-in-json', 'A JSON text inside the JSON is parsed too', () =>
    readingAs(
      (value: unknown) => (typeof value === 'string' ? JSON.parse(value) : value) as Credentials,
    ),
  ),
  fault('no-body-is-a-guest', 'Without a body a token is given to a guest', () => ({
    credentials: (call) =>
      call.body === '' ? { apiKey: null, secretKey: null } : right.credentials(call),
    valid: (sent, state) => sent.apiKey === null || right.valid(sent, state),
  })),
  fault('empty-object-gets-a-token', 'The fields of an empty object are not checked', () => ({
    valid: (sent, state) =>
      (sent.apiKey === undefined && sent.secretKey === undefined) || right.valid(sent, state),
  })),
];
