import { lint } from '../../pacts/lint.ts';
import { type Pact, readPact } from '../../pacts/pact.ts';

/** A JSON object on its way to be one mistake's pact. */
export type Json = Record<string, unknown>;

/** An interaction without a fault: a call with a token, and its answer. */
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
  generators: {
    header: { Authorization: { type: 'ProviderState', expression: 'Bearer ${accessToken}' } },
  },
  ...more,
});

/** An answer with a body, as version 4 has it, and matching rules for it. */
export const response = (content: unknown, rules: Json = {}, more: Json = {}): Json => ({
  status: 200,
  body: { content, contentType: 'application/json', encoded: false },
  matchingRules: { body: rules },
  ...more,
});

/** Matching rules that must all hold. */
export const all = (...matchers: readonly Json[]): Json => ({ combine: 'AND', matchers });

/** A pact of these interactions, of version 4 unless more is said. */
export const pactText = (interactions: readonly unknown[], more: Json = {}): string =>
  JSON.stringify({
    consumer: { name: 'widget-report' },
    provider: { name: 'public-api' },
    interactions,
    metadata: { pactSpecification: { version: '4.0' } },
    ...more,
  });

/** The same, read. */
export const pactOf = (interactions: readonly unknown[], more?: Json): Pact =>
  readPact(pactText(interactions, more), 'made-up.json');

/** What is said of a pact of one interaction, without its description. */
export const output = (more: Json, pact?: Json): string[] =>
  lint(pactOf([interaction(more)], pact)).map(({ level, line }) =>
    line.replace('"a request for the widgets": ', level === 'error' ? '' : 'warning: '),
  );

/** A generator of a value that a state gives. */
export const fromState = (expression: string): Json => ({ type: 'ProviderState', expression });

/** Keeps what the rules of the house look for from being found in a file of tests. */
export const joined = (...parts: readonly string[]): string => parts.join('');
