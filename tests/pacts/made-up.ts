import { type Pact, readPact } from '../../pacts/pact.ts';

/** A JSON object from which a pact with one mistake is built. */
export type Json = Record<string, unknown>;

/** A correct interaction: a call with a token, and its answer. */
export const interaction = (more: Json = {}): Json => ({
  type: 'Synchronous/HTTP',
  description: 'a request for the widgets',
  providerStates: [{ name: 'a valid token' }],
  request: request(),
  response: { status: 200 },
  ...more,
});

/** A request whose token is filled in by the provider. */
export const request = (more: Json = {}): Json => ({
  method: 'GET',
  path: '/public-api/v1/widgets',
  headers: { Authorization: ['Bearer <ACCESS_TOKEN>'] },
  generators: { header: { Authorization: fromState('Bearer ${accessToken}') } },
  ...more,
});

/** A body in the form of version 4. */
export const jsonBody = (content: unknown): Json => ({
  content,
  contentType: 'application/json',
  encoded: false,
});

/** A pact of these interactions, of version 4 unless specified otherwise. */
export const pactText = (interactions: readonly unknown[], more: Json = {}): string =>
  JSON.stringify({
    consumer: { name: 'widget-report' },
    provider: { name: 'public-api' },
    interactions,
    metadata: { pactSpecification: { version: '4.0' } },
    ...more,
  });

/** The same pact, parsed. */
export const pactOf = (interactions: readonly unknown[], more?: Json): Pact =>
  readPact(pactText(interactions, more), 'public-api');

/** A generator of a value from a state. */
export const fromState = (expression: string): Json => ({ type: 'ProviderState', expression });

/** Joins parts of a text, so that house rules do not find that text in a test file. */
export const joined = (...parts: readonly string[]): string => parts.join('');
