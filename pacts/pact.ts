import { at, field, isObject } from '../contract/json-value.ts';
import { UserError } from '../contract/user-error.ts';
import { exactOrUndefined } from './exact.ts';
import { canonicalState, type GivenState } from './states.ts';

/** A pact: the expectations of one consumer of one provider, in any version of the specification. */
export interface Pact {
  readonly consumer: string;
  readonly provider: string;
  /** 1 to 4. */
  readonly specification: number;
  readonly interactions: readonly [Interaction, ...Interaction[]];
  /** The whole document, whose numbers keep their spelling. */
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
  /** Another type than `Synchronous/HTTP`: a message, which is not verified. */
  readonly otherType?: string;
  readonly method: string;
  readonly path: string;
  /** The status of the example answer. */
  readonly status: number;
  /** The interaction's part of the document. */
  readonly document: Readonly<Record<string, unknown>>;
}

/** A pact cannot be used: one line with its origin and the reason. */
export class PactError extends UserError {
  override readonly name = 'PactError';
}

/** Stands for an unreadable pact in reports: one interaction for the whole pact. */
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
 * Reads a pact of specification 1 to 4: what this project needs of it. Pact's core judges the rest.
 * @param from its origin, for error messages
 * @throws PactError
 */
export function readPact(text: string, from: string): Pact {
  try {
    return pactOf(exactOrUndefined(withoutMark(text)));
  } catch (error) {
    if (!(error instanceof PactError)) throw error;
    throw new PactError(`${from}: ${error.message}`.replace(/\s+/g, ' '));
  }
}

/** PowerShell and some editors write a byte order mark before the text. */
export const withoutMark = (text: string): string => text.replace(/^\uFEFF/, '');

function pactOf(document: unknown): Pact {
  if (document === undefined) throw new PactError('it is not JSON');
  if (!isObject(document)) throw new PactError('it is no pact: a pact is a JSON object');
  const consumer = field(document.consumer, 'name');
  if (!isText(consumer)) throw new PactError('it names no consumer: consumer.name is missing');
  const provider = field(document.provider, 'name');
  if (!isText(provider)) throw new PactError('it names no provider: provider.name is missing');
  const specification = specificationOf(document.metadata);
  const [plugin] = list(field(document.metadata, 'plugins'));
  if (plugin !== undefined)
    throw new PactError(
      `it needs the plugin ${field(plugin, 'name')}: write it with Pact's own matchers`,
    );
  if (list(document.messages).length > 0)
    throw new PactError('it holds messages: only Synchronous/HTTP can be verified here');
  const [first, ...rest] = list(document.interactions).map((one, index) =>
    interactionOf(one, `interaction ${index + 1}`, specification),
  );
  if (first === undefined) throw new PactError('it is empty: it has no interactions');
  return { consumer, provider, specification, interactions: [first, ...rest], document };
}

/** Without a version a pact counts as version 3, as in the core. */
function specificationOf(metadata: unknown): number {
  const declared = field(metadata, 'pact-specification') ?? field(metadata, 'pactSpecification');
  const version = field(declared, 'version') ?? field(metadata, 'pactSpecificationVersion') ?? '3';
  const major = Number(/^[1-9]\d*(?=$|\.)/.exec(String(version))?.[0]);
  if (!(major <= 4))
    throw new PactError(`it is of specification ${version}: 1 to 4 can be verified here`);
  return major;
}

function interactionOf(document: unknown, where: string, specification: number): Interaction {
  const fail = (what: string): PactError => new PactError(`${where} ${what}`);
  if (!isObject(document)) throw fail('is no JSON object');
  const { type, description, request, response, pending } = document;
  if (!isText(description)) throw fail('has no description');
  const general = {
    description,
    states: statesOf(document, fail),
    clauses: [at(document, 'comments', 'references', 'spec', 'clause') ?? []].flat().map(String),
    pending: specification >= 4 && pending === true,
    document,
  };
  if (specification === 4 && type !== 'Synchronous/HTTP')
    return { ...general, otherType: String(type), method: '', path: '', status: 0 };
  const [method, path] = [field(request, 'method'), field(request, 'path')];
  if (!isText(method)) throw fail('has a request without a method');
  if (!isText(path)) throw fail('has a request without a path');
  const status = field(response, 'status');
  if (typeof status !== 'number') throw fail('has a response without a status');
  return { ...general, method: method.toUpperCase(), path, status };
}

/** `providerStates` since version 3; before, `providerState` or `provider_state`, where empty means no state. */
function statesOf(
  document: Record<string, unknown>,
  fail: (what: string) => PactError,
): GivenState[] {
  const { providerStates, providerState = document.provider_state } = document;
  const given = providerStates ?? (providerState ? [{ name: providerState }] : []);
  if (!Array.isArray(given)) throw fail('has providerStates that are no list');
  return given.map((state: unknown) => {
    const [name, parameters] = [field(state, 'name'), field(state, 'params') ?? {}];
    if (!isText(name)) throw fail('has a state without a name');
    if (!isObject(parameters)) throw fail(`has a state whose params are no object: ${name}`);
    return canonicalState({ name, parameters });
  });
}

const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';

export const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
