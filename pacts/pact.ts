import { fitsHeader, isHeaderName } from '../contract/http/http-request.ts';
import { at, field, isObject } from '../contract/json-value.ts';
import { UserError } from '../contract/user-error.ts';
import { parsedExactly } from './exact.ts';
import { canonicalState, type GivenState } from './states.ts';

/** A pact: the expectations of one consumer of one provider, in any version of the specification. */
export interface Pact {
  readonly consumer: string;
  readonly provider: string;
  /** 1 to 4. */
  readonly specification: number;
  readonly interactions: readonly [Interaction, ...Interaction[]];
  /** The whole document, as it was parsed by `parsedExactly`. */
  readonly document: Readonly<Record<string, unknown>>;
}

/** One request, and the expected answer. */
export interface Interaction {
  readonly description: string;
  readonly states: readonly GivenState[];
  /** The clauses that it refers to: `references.spec.clause` of its comments, such as `BEARER-1`. */
  readonly clauses: readonly string[];
  /** The consumer declared that a failure must not fail the verification yet (since version 4). */
  readonly pending: boolean;
  readonly method: string;
  readonly path: string;
  /** The status of the example answer. */
  readonly status: number;
  /** The interaction's part of the document, as it was parsed by `parsedExactly`. */
  readonly document: Readonly<Record<string, unknown>>;
}

/** A pact cannot be used: one line with its origin and the reason. */
export class PactError extends UserError {
  override readonly name = 'PactError';
}

/** Represents an unreadable pact in reports: one interaction for the whole pact. */
export const unreadPact = (consumer: string, provider: string): Pact => ({
  consumer,
  provider,
  specification: 4,
  interactions: [
    {
      description: 'the whole pact',
      states: [],
      clauses: [],
      pending: false,
      method: '',
      path: '',
      status: 0,
      document: {},
    },
  ],
  document: {},
});

/**
 * Reads a pact of specification 1 to 4, as Pact's core does. Refuses parts that the core would guess or ignore.
 * @param from its origin, for error messages
 * @throws PactError
 */
export function readPact(text: string, from: string): Pact {
  try {
    return pactOf(parsed(text, JSON.parse), parsed(text, parsedExactly));
  } catch (error) {
    if (!(error instanceof PactError)) throw error;
    throw new PactError(`${from}: ${error.message}`.replace(/\s+/g, ' '));
  }
}

/** PowerShell and some editors write a byte order mark before the text. */
export const withoutMark = (text: string): string => text.replace(/^\uFEFF/, '');

function parsed(text: string, parse: (json: string) => unknown): Record<string, unknown> {
  let document: unknown;
  try {
    document = parse(withoutMark(text));
  } catch {
    throw new PactError('it is not JSON');
  }
  if (!isObject(document)) throw new PactError('it is no pact: a pact is a JSON object');
  return document;
}

/** @param exact the same document, whose numbers keep their spelling */
function pactOf(document: Record<string, unknown>, exact: Record<string, unknown>): Pact {
  const consumer = field(document.consumer, 'name');
  if (!isText(consumer)) throw new PactError('it names no consumer: consumer.name is missing');
  const provider = field(document.provider, 'name');
  if (!isText(provider)) throw new PactError('it names no provider: provider.name is missing');
  const specification = specificationOf(document.metadata);
  const [plugin] = list(field(document.metadata, 'plugins'));
  if (plugin !== undefined)
    throw new PactError(
      `it needs ${named('the plugin', field(plugin, 'name'))}: write it with Pact's own matchers`,
    );
  if (list(document.messages).length > 0) throw new PactError(`it holds messages: ${onlyHttp}`);
  const exactly = list(exact.interactions).map((one): Record<string, unknown> => Object(one));
  const interactions = list(document.interactions).map((one, index) =>
    interactionOf(one, exactly[index] ?? {}, `interaction ${index + 1}`, specification),
  );
  const [first, ...rest] = interactions;
  if (first === undefined) throw new PactError('it is empty: it has no interactions');
  return { consumer, provider, specification, interactions: [first, ...rest], document: exact };
}

const onlyHttp = 'only Synchronous/HTTP can be verified here';

/** Without a version a pact counts as version 3, as in the core. */
function specificationOf(metadata: unknown): number {
  const declared = field(metadata, 'pact-specification') ?? field(metadata, 'pactSpecification');
  const version = field(declared, 'version') ?? field(metadata, 'pactSpecificationVersion') ?? '3';
  const major = Number(/^[1-9]\d*(?=$|\.)/.exec(String(version))?.[0]);
  if (Number.isNaN(major)) throw new PactError('the version of its specification is no version');
  if (major > 4)
    throw new PactError(`it is of specification ${version}: 1 to 4 can be verified here`);
  return major;
}

/** @param exact the same interaction, whose numbers keep their spelling */
function interactionOf(
  document: unknown,
  exact: Record<string, unknown>,
  where: string,
  specification: number,
): Interaction {
  const fail = (what: string): PactError => new PactError(`${where} ${what}`);
  if (!isObject(document)) throw fail('is no JSON object');
  const { type, description, request, response } = document;
  if (specification === 4 && type !== 'Synchronous/HTTP')
    throw fail(`is of ${named('the type', type)}: ${onlyHttp}`);
  if (!isText(description)) throw fail('has no description');
  if (!isObject(request)) throw fail('has no request');
  if (!isObject(response)) throw fail('has no response');
  const { method, path } = request;
  if (!isText(method)) throw fail('has a request without a method');
  if (!isText(path)) throw fail('has a request without a path');
  const { status } = response;
  if (typeof status !== 'number') throw fail('has a response without a status');
  if (!Number.isInteger(status) || status < 100 || status > 599)
    throw fail('has a response whose status is no whole number from 100 to 599');
  checkHeaders(request.headers, 'request', fail);
  checkHeaders(response.headers, 'response', fail);
  checkQuery(request.query, fail);
  return {
    description,
    states: statesOf(document, exact, fail),
    clauses: clausesOf(document, fail),
    pending: specification >= 4 && document.pending === true,
    method: method.toUpperCase(),
    path,
    status,
    document: exact,
  };
}

type Fail = (what: string) => PactError;

/** Refuses unreadable headers. The core ignores them, so it would neither send nor expect them. */
function checkHeaders(headers: unknown, side: 'request' | 'response', fail: Fail): void {
  if (headers === undefined || headers === null) return;
  if (!isObject(headers)) throw fail(`has a ${side} whose headers are no object`);
  for (const [name, values] of Object.entries(headers)) {
    if (!isHeaderName(name)) throw fail(`has a ${side} with a header of no name`);
    if (!isOneOrMore(values, isHeaderValue))
      throw fail(`has a ${side} whose header ${name} is no text that a header can hold`);
  }
}

/** Refuses unreadable query parameters. A parameter may have no value. Before version 3 a query is one text. */
function checkQuery(query: unknown, fail: Fail): void {
  if (query === undefined || query === null || typeof query === 'string') return;
  if (!isObject(query)) throw fail('has a request whose query is neither a text nor an object');
  for (const [name, values] of Object.entries(query))
    if (!isOneOrMore(values, (value) => typeof value === 'string' || value === null))
      throw fail(`has a request whose query has no text for ${name}`);
}

/** Whether it is one such value, or a list of at least one. */
function isOneOrMore(values: unknown, isSuch: (value: unknown) => boolean): boolean {
  const list = [values].flat();
  return list.length > 0 && list.every(isSuch);
}

/** Numbers and booleans count as text. */
const isHeaderValue = (value: unknown): boolean =>
  ['string', 'number', 'boolean'].includes(typeof value) && fitsHeader(String(value));

/** `providerStates` since version 3; before, `providerState` or `provider_state`, where empty means no state. */
function statesOf(
  document: Record<string, unknown>,
  exact: Record<string, unknown>,
  fail: Fail,
): GivenState[] {
  const { providerStates, providerState = document.provider_state } = document;
  if (providerStates === undefined || providerStates === null) {
    if (providerState === undefined || providerState === null || providerState === '') return [];
    if (!isText(providerState)) throw fail('has a providerState that is no text');
    return [canonicalState({ name: providerState, parameters: {} })];
  }
  if (!Array.isArray(providerStates)) throw fail('has providerStates that are no list');
  return providerStates.map((state, index) => {
    const name = field(state, 'name');
    const parameters = field(state, 'params') ?? {};
    if (!isText(name)) throw fail('has a state without a name');
    if (!isObject(parameters)) throw fail(`has a state whose params are no object: ${name}`);
    const spelled = field(list(exact.providerStates)[index], 'params') ?? {};
    return canonicalState({ name, parameters: Object(spelled) });
  });
}

/** One clause, or a list of them. */
function clausesOf({ comments }: Record<string, unknown>, fail: Fail): string[] {
  const clause = at(comments, 'references', 'spec', 'clause') ?? [];
  const clauses = [clause].flat();
  if (!clauses.every(isText)) throw fail('has a reference spec.clause that is no text');
  return clauses;
}

const named = (what: string, name: unknown): string =>
  isText(name) ? `${what} ${name}` : `${what} without a name`;

const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';

export const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
