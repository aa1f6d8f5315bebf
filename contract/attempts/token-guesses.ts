import { basic } from '../http/client.ts';
import type { Secret } from '../secrets/secret.ts';
import { type Guess, type Item, joined, type Part } from './items.ts';

/** A text made from a secret, such as `Bearer ` before it, and its description in a finding. */
export interface TokenForm {
  readonly how: string;
  readonly of: (secret: Secret) => Secret;
}

/** A text with the token in place of TOKEN, of which only the token is hidden. */
export const asWritten =
  (pattern: string) =>
  (token: Secret): Secret =>
    joined(pattern.split('TOKEN'), token);

export const form = (how: string, pattern: string): TokenForm => ({ how, of: asWritten(pattern) });

export const bare = form('', 'TOKEN');
export const withScheme = form(', behind "Bearer "', 'Bearer TOKEN');

/** What a finding calls a part of a request. */
const called: Record<Part, string> = {
  header: 'header',
  path: 'path as',
  query: 'query as',
  cookie: 'cookie',
  json: 'JSON body as',
  form: 'form as',
  multipart: 'multipart form as',
};

/** Guesses that a server takes the token from each of these names. */
export const tokenIn = (
  part: Part,
  names: readonly string[],
  form: TokenForm,
  beside: readonly Item[] = [],
): Guess<Secret>[] =>
  names.map((name) => ({
    reason: `the token is in the ${called[part]} ${name}${form.how}`,
    put: (token) => [...beside, { part, name, value: form.of(token) }],
  }));

/** Marks a guess as plain, so that its refusal is judged completely. */
export const plain = <From>(guess: Guess<From>): Guess<From> => ({ ...guess, plain: true });

/** One Authorization header, alone in its request. */
export const authorization = <From>(reason: string, of: (from: From) => Secret): Guess<From> => ({
  reason,
  put: (from) => [{ part: 'header', name: 'Authorization', value: of(from) }],
});

/** Basic credentials (RFC 7617). */
export const basicCredentials = <From>(
  reason: string,
  userAndPassword: (from: From) => Secret,
): Guess<From> => authorization(reason, (from: From) => basic(userAndPassword(from)));
