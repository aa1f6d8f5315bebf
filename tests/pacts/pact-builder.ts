import { readPact } from '../../pacts/pact.ts';
import type { Source } from '../../pacts/verification.ts';

/** A part of a pact, which a test may make wrong. */
export type Json = Readonly<Record<string, unknown>>;

type State = string | { readonly name: string; readonly params: object };

/** The text of a pact, of version 4 unless specified otherwise. */
export const textOf = (interactions: readonly unknown[], more: Json = {}): string =>
  JSON.stringify({
    consumer: { name: 'a-consumer' },
    provider: { name: 'public-api' },
    interactions,
    metadata: { pactSpecification: { version: '4.0' } },
    ...more,
  });

export function sourceOf(text: string): Source {
  return { pact: readPact(text, 'public-api'), from: 'a test', pending: false };
}

export const pactOf = (...interactions: readonly unknown[]): Source =>
  sourceOf(textOf(interactions));

/** The same pact, which a broker reports as pending. */
export const pending = (source: Source): Source => ({ ...source, pending: true });

/** An interaction: a GET of the sandbox's first endpoint with the answer 200, unless specified otherwise. */
export const interaction = (
  description: string,
  states: readonly State[],
  { request = {}, response = {} }: { request?: object; response?: object } = {},
): Json => ({
  type: 'Synchronous/HTTP',
  description,
  providerStates: states.map((state) => (typeof state === 'string' ? { name: state } : state)),
  request: { method: 'GET', path: '/public-api/v1/widgets', ...request },
  response: { status: 200, ...response },
});

/** A rule that accepts any status of the class, such as `clientError`, or of the list. */
export const ofClass = (status: string | readonly number[]): Json => ({
  matchingRules: { status: { $: { matchers: [{ match: 'statusCode', status }] } } },
});

/** A generator of a value from a state. */
export const fromState = (expression: string): Json => ({ type: 'ProviderState', expression });

/** A request with the token from a state. */
export const withToken = {
  headers: { Authorization: ['Bearer <ACCESS_TOKEN>'] },
  generators: { header: { Authorization: fromState('Bearer ${accessToken}') } },
};

/** A call with the token that one of the states gives. */
export const callWithToken = (
  description = 'a call',
  states: readonly State[] = ['a valid token'],
  response: object = {},
): Json => interaction(description, states, { request: withToken, response });

/** A body in the form of version 4. */
export const jsonBody = (content: unknown): Json => ({
  content,
  contentType: 'application/json',
  encoded: false,
});

/** A request for a token with the credentials from a state. */
export const forToken = {
  method: 'POST',
  path: '/public-api/v1/auth/token',
  headers: { 'Content-Type': ['application/json'] },
  body: jsonBody({ apiKey: '<API_KEY>', secretKey: '<SECRET_KEY>' }),
  generators: {
    body: { '$.apiKey': fromState('${apiKey}'), '$.secretKey': fromState('${secretKey}') },
  },
};

export const aged = (hours: unknown) => ({
  name: 'a token made some hours ago',
  params: { hours },
});

/** A call with a token of 24 hours, which is refused. */
export const expired = callWithToken('an expired token', [aged(24)], { status: 401 });
