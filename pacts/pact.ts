import { UserError } from '../contract/command.ts';
import { at, field, isObject } from '../contract/json-value.ts';
import { mask } from '../contract/secrets/masked.ts';
import { exactOrUndefined } from './exact.ts';
import { canonicalState, type GivenState } from './states.ts';

/** A pact: the expectations of one consumer of one provider, in any version of the specification. */
export interface Pact {
  readonly consumer: string;
  readonly provider: string;
  /** 1 to 4. */
  readonly specification: number;
  readonly interactions: readonly Interaction[];
  /** The descriptions of its messages, which are not verified. */
  readonly messages: readonly string[];
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
  /** Its part of the document, whose numbers keep their spelling. */
  readonly document: Readonly<Record<string, unknown>>;
  /** Its id at the broker. */
  readonly id?: string;
  /** Why it cannot be read. A pact that cannot be read has one such interaction. */
  readonly problem?: string;
}

/** A pact cannot be used: one line with its origin and the reason. */
export class PactError extends UserError {
  override readonly name = 'PactError';
}

export const blank: Interaction = {
  description: 'the whole pact',
  states: [],
  clauses: [],
  pending: false,
  method: '',
  path: '',
  status: 0,
  document: {},
};

/**
 * Reads a pact of specification 1 to 4: what this project needs of it. Pact's core judges the rest. What cannot be read
 * is an interaction with the reason.
 * @param providerName the provider, if the pact does not name one
 */
export function readPact(text: string, providerName = ''): Pact {
  // PowerShell and some editors write a byte order mark before the text.
  const document = exactOrUndefined(text.replace(/^\uFEFF/, ''));
  const consumer = at(document, 'consumer', 'name');
  const provider = at(document, 'provider', 'name');
  const names = {
    consumer: isText(consumer) ? consumer : 'a consumer without a name',
    provider: isText(provider) ? provider : providerName,
  };
  try {
    if (!isObject(document)) throw new PactError('it is no pact: a pact is a JSON object');
    if (!isText(consumer)) throw new PactError('it names no consumer: consumer.name is missing');
    if (!isText(provider)) throw new PactError('it names no provider: provider.name is missing');
    return { ...names, ...parseContent(document) };
  } catch (error) {
    const whole = { ...blank, problem: describeProblem(error) };
    return { ...names, specification: 4, interactions: [whole], messages: [] };
  }
}

function describeProblem(error: unknown): string {
  if (!(error instanceof PactError)) throw error;
  return mask(error.message.replace(/\s+/g, ' '));
}

function parseContent(document: Record<string, unknown>) {
  const specification = readSpecification(document.metadata);
  const [plugin] = list(field(document.metadata, 'plugins'));
  if (plugin !== undefined)
    throw new PactError(
      `it needs the plugin ${field(plugin, 'name')}: write it with Pact's own matchers`,
    );
  const all = list(document.interactions);
  const isMessage = (interaction: unknown): boolean =>
    specification === 4 && /message/i.test(String(field(interaction, 'type')));
  const messages = [...list(document.messages), ...all.filter(isMessage)].map((message) =>
    String(field(message, 'description')),
  );
  const interactions = all
    .filter((interaction) => !isMessage(interaction))
    .map((interaction, index) =>
      parseInteraction(interaction, `interaction ${index + 1}`, specification),
    );
  if (interactions.length === 0)
    throw new PactError('it has no interactions of the type Synchronous/HTTP');
  return { specification, interactions, messages };
}

/** Without a version a pact counts as version 3, as in the core. */
function readSpecification(metadata: unknown): number {
  const declared = field(metadata, 'pact-specification') ?? field(metadata, 'pactSpecification');
  const version = field(declared, 'version') ?? field(metadata, 'pactSpecificationVersion') ?? '3';
  const major = Number(/^[1-9]\d*(?=$|\.)/.exec(String(version))?.[0]);
  if (!(major <= 4))
    throw new PactError(`it is of specification ${version}: 1 to 4 can be verified here`);
  return major;
}

function parseInteraction(document: unknown, name: string, specification: number): Interaction {
  if (!isObject(document)) return { ...blank, description: name, problem: 'it is no JSON object' };
  const { _id: id, ...own } = document;
  const { type, description, request, response, pending } = own;
  const general = {
    ...blank,
    description: isText(description) ? description : name,
    clauses: [at(own, 'comments', 'references', 'spec', 'clause') ?? []].flat().map(String),
    pending: specification >= 4 && pending === true,
    document: own,
    ...(isText(id) ? { id } : {}),
  };
  const { method, path } = Object(request);
  const { status } = Object(response);
  try {
    if (!isText(description)) throw new PactError('it has no description');
    if (specification === 4 && type !== 'Synchronous/HTTP')
      throw new PactError(`it is of the type ${type}: only Synchronous/HTTP can be verified here`);
    if (!isText(method)) throw new PactError('it has a request without a method');
    if (!isText(path)) throw new PactError('it has a request without a path');
    if (typeof status !== 'number') throw new PactError('it has a response without a status');
    return { ...general, states: parseStates(own), method: method.toUpperCase(), path, status };
  } catch (error) {
    return { ...general, problem: describeProblem(error) };
  }
}

/** `providerStates` since version 3; before, `providerState` or `provider_state`, where empty means no state. */
function parseStates(document: Record<string, unknown>): GivenState[] {
  const { providerStates, providerState = document.provider_state } = document;
  const stateList = providerStates ?? (providerState ? [{ name: providerState }] : []);
  if (!Array.isArray(stateList)) throw new PactError('it has providerStates that are no list');
  return stateList.map((state: unknown) => {
    const [name, parameters] = [field(state, 'name'), field(state, 'params') ?? {}];
    if (!isText(name) || !isObject(parameters))
      throw new PactError('it has a state without a name, or whose params are no object');
    return canonicalState({ name, parameters });
  });
}

const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';

export const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** The matching rules about the status of the answer. */
function statusRules({ document }: Interaction): readonly unknown[] {
  const rules = at(document, 'response', 'matchingRules', 'status');
  return list(field(field(rules, '$') ?? rules, 'matchers'));
}

/** Other rules, such as `type`, match every status. */
export const acceptsAnyStatus = (interaction: Interaction): boolean =>
  statusRules(interaction).some(
    (rule) => !/^(equality|status-?code)$/i.test(String(field(rule, 'match'))),
  );

/** Whether a status is that of the example, or one of a rule for statuses. */
export const acceptsStatus = (interaction: Interaction, wanted: number): boolean =>
  interaction.status === wanted ||
  statusRules(interaction).some((rule) => {
    if (field(rule, 'match') === 'equality') return false;
    const status = field(rule, 'status');
    if (Array.isArray(status)) return status.includes(wanted);
    const [from, to] = classes[String(status)] ?? [100, 599];
    return from <= wanted && wanted <= to;
  });

const classes: Readonly<Record<string, readonly [from: number, to: number]>> = {
  info: [100, 199],
  success: [200, 299],
  redirect: [300, 399],
  clientError: [400, 499],
  serverError: [500, 599],
  nonError: [100, 399],
  error: [400, 599],
};

/** The names of the state values that the generators of a request use. */
export function valuesUsed({ document }: Interaction): string[] {
  const names: string[] = [];
  JSON.stringify(at(document, 'request', 'generators') ?? null, (_, inner: unknown) => {
    if (field(inner, 'type') !== 'ProviderState') return inner;
    const expression = String(field(inner, 'expression') ?? '');
    const found = Array.from(expression.matchAll(/\$\{([^}]*)\}/g), ([, name = '']) => name);
    // An expression may be a bare name, without `${}`.
    names.push(...(found.length === 0 ? [expression] : found));
    return inner;
  });
  return names;
}
