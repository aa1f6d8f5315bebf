import { randomUUID } from 'node:crypto';
import type { Answer } from '../../contract/http/answer.ts';
import { type ApiClient, bearer, NoToken } from '../../contract/http/client.ts';
import type { Endpoint } from '../../contract/http/request.ts';
import { tokenOf } from '../../contract/schema.ts';
import { open, Secret, type Token } from '../../contract/secrets/secret.ts';
import { hours } from '../../contract/time/clock.ts';
import { madeUpLike } from '../../contract/token-form.ts';
import { valuesUsed } from '../expectation.ts';
import type { Interaction } from '../pact.ts';
import { type GivenState, isCredential, type StateName, stateOf, unknownState } from '../states.ts';
import { endpointOf, type Provider, pathOf } from './provider.ts';
import { InteractionEnd } from './visit.ts';

/** The values of states, with credentials and tokens in plain text. The client knows those, and so hides them. */
type Values = Readonly<Record<string, unknown>>;

/**
 * Sets up every state that an interaction requires. This project's own states come first: their setup tests the
 * provider, and the state handler must not have changed it yet. As in Pact's own verifiers, parameters are values too,
 * and values that states return replace them.
 * @throws InteractionEnd, and other errors when the provider cannot be judged
 */
export async function setUpStates(interaction: Interaction, provider: Provider): Promise<Values> {
  const given = interaction.states;
  const values: Record<string, unknown> = Object.assign({}, ...given.map((one) => one.parameters));
  const rank = ({ name }: GivenState): number => (isOwn(name) ? 0 : 1);
  const credentials = new Set<string>();
  for (const state of given.toSorted((one, other) => rank(one) - rank(other))) {
    for (const [name, value] of Object.entries(await stateValues(state, interaction, provider))) {
      if (credentials.has(name)) throw setUpEnd(interaction, `two of its states give ${name}`);
      if (isCredential(name)) credentials.add(name);
      values[name] = value instanceof Secret ? revealed(value, provider) : value;
    }
  }
  // Without a value, Pact's core would send the example.
  const missing = valuesUsed(interaction).find((name) => values[name] === undefined);
  if (missing !== undefined) throw setUpEnd(interaction, `no state gave ${missing}`);
  return values;
}

/** The text of a secret, whose encoded forms the client learns too: Pact's core may send and compare them. */
function revealed(secret: Secret, { client }: Provider): string {
  const text = open(secret);
  for (const form of formsOf(text)) client.learn(new Secret(form));
  return text;
}

/** A text, and how it is written in JSON and in a URL. */
export const formsOf = (text: string): string[] => [
  text,
  JSON.stringify(text).slice(1, -1),
  encodeURIComponent(text.toWellFormed()),
];

/** With a state of the state handler the interaction is unverified, because the handler may be the cause. */
const setUpEnd = ({ states: given }: Interaction, reason: string): InteractionEnd =>
  given.every(({ name }) => isOwn(name))
    ? InteractionEnd.failed(reason)
    : InteractionEnd.unverified(reason);

/** @throws InteractionEnd, and other errors when the provider cannot be judged */
async function stateValues(
  state: GivenState,
  interaction: Interaction,
  provider: Provider,
): Promise<Values> {
  const endpoint = endpointOf(interaction, provider);
  const { name, parameters } = state;
  if (isOwn(name) && !isOfHandler(state, provider))
    return orNoToken(provider, () => makers[name](provider, endpoint, parameters));
  if (provider.stateHandler === undefined) throw InteractionEnd.unverified(unknownState(name));
  return provider.stateHandler.setUp(state);
}

const isOwn = (name: string): name is StateName => Object.hasOwn(makers, name);

/**
 * The result of work that issues tokens. Valid credentials that get none are a failure, unless the account may have
 * ended in simulated time.
 * @throws InteractionEnd
 */
export async function orNoToken<Result>(
  provider: Provider,
  make: () => Promise<Result>,
): Promise<Result> {
  try {
    return await make();
  } catch (error) {
    if (!(error instanceof NoToken)) throw error;
    const ended = provider.accountEnded();
    if (ended !== undefined) throw InteractionEnd.unverified(ended);
    const { status } = error.answer;
    throw InteractionEnd.failed(
      `no state can be made: the answer to valid credentials was ${status} without ${error.expected}`,
    );
  }
}

type Maker = (
  provider: Provider,
  endpoint: Endpoint,
  parameters: GivenState['parameters'],
) => Promise<Values>;

const makers: Readonly<Record<StateName, Maker>> = {
  'an account': async ({ account }) => ({ ...account }),
  'credentials of nobody': async (provider) => {
    const unknown = { apiKey: new Secret(randomUUID()), secretKey: new Secret(randomUUID()) };
    await refuseToken(await provider.client.exchange({ json: unknown }), provider);
    return unknown;
  },
  'a protected endpoint': async (provider, endpoint) => {
    await admitted(provider, endpoint);
    return { path: pathOf(endpoint) };
  },
  'a valid token': async (provider, endpoint) => {
    const { secret } = await admitted(provider, endpoint);
    return { accessToken: secret };
  },
  'a token of nobody': async (provider, endpoint) => {
    const { secret } = await admitted(provider, endpoint);
    const other = madeUpLike(secret);
    return { accessToken: other.equals(secret) ? other.derive((text) => text + text) : other };
  },
  'a token made some hours ago': async (provider, endpoint, { hours: given }) => {
    // Some libraries have texts only.
    const age = Number(/^\d+(\.\d+)?$/.exec(String(given))?.[0]);
    if (!(age >= 0 && age <= mostHours))
      throw InteractionEnd.unverified(
        `the parameter hours of "a token made some hours ago" is not a number from 0 to ${mostHours}`,
      );
    // Clocks count milliseconds. Rounding up could end the token too early.
    const ageMs = Math.floor(hours(age));
    const { secret } = await provider.aged(() => admitted(provider, endpoint), ageMs);
    return { accessToken: secret };
  },
};

/** @throws InteractionEnd when the answer to unknown credentials holds a token that an endpoint accepts */
export async function refuseToken(answer: Answer, { client, endpoints }: Provider): Promise<void> {
  const secret = tokenOf(answer);
  if (secret !== undefined && (await admits(client, endpoints[0], { secret, madeAt: 0 })))
    throw InteractionEnd.failed(
      `credentials of nobody were answered by ${answer.status} with a token`,
    );
}

/** The hours of a leap year. */
const mostHours = 8784;

/** Whether an endpoint responds to a token with a status other than 401. */
const admits = async (client: ApiClient, endpoint: Endpoint, token: Token): Promise<boolean> =>
  (await client.call(endpoint, bearer(token))).status !== 401;

/** Issues a token, and checks that the interaction's endpoint admits it. @throws InteractionEnd */
async function admitted({ client, account }: Provider, endpoint: Endpoint): Promise<Token> {
  const token = await client.issue(account);
  if (await admits(client, endpoint, token)) return token;
  throw InteractionEnd.failed(
    `a token that was just made is refused by ${endpoint.method} ${pathOf(endpoint)} (401)`,
  );
}

/** Whether the provider's own state handler sets a state up: also a state of ours for which there is no clock. */
export const isOfHandler = (
  { name }: Pick<GivenState, 'name'>,
  { time }: Pick<Provider, 'time'>,
): boolean => {
  const state = stateOf(name);
  return state === undefined || (state.needs === 'clock' && time === undefined);
};

/** Why an interaction cannot be verified at the provider; undefined when it can. */
export function obstacleTo(
  { states: given, method, problem }: Interaction,
  { time, endpoints, stateHandler }: Provider,
): string | undefined {
  if (problem !== undefined) return problem;
  const obstacles = given.map(({ name, parameters }) => {
    if (isOfHandler({ name }, { time })) {
      if (stateHandler !== undefined) return undefined;
      return stateOf(name) === undefined
        ? unknownState(name)
        : 'no test clock: set PUBLIC_API_CLOCK_URL or PUBLIC_API_CLOCK_FILE';
    }
    const wanted = String(parameters.method ?? method).toUpperCase();
    return name !== 'a protected endpoint' || endpoints.some((one) => one.method === wanted)
      ? undefined
      : `no protected endpoint of the method ${wanted} is known: name one in PUBLIC_API_ENDPOINTS`;
  });
  return obstacles.find((reason) => reason !== undefined);
}
