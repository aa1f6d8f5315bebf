import { randomUUID } from 'node:crypto';
import { hours } from '../../contract/durations.ts';
import type { Answer } from '../../contract/http/answer.ts';
import { type ApiClient, bearer, NoTokenError } from '../../contract/http/client.ts';
import { type Endpoint, tokenEndpoint } from '../../contract/http/request.ts';
import { readToken } from '../../contract/schema.ts';
import { open, Secret, type Token } from '../../contract/secrets/secret.ts';
import { randomLike } from '../../contract/token-form.ts';
import { type Interaction, valuesUsed } from '../pact.ts';
import { agedToken, findState, type GivenState, type StateName, unknownState } from '../states.ts';
import { InteractionEnd } from '../verification.ts';
import { findEndpoint, type Provider, stripQuery } from './provider.ts';

/** The values of states, with credentials and tokens in plain text. The client knows those, and so hides them. */
type Values = Readonly<Record<string, unknown>>;

/**
 * Sets up every state that an interaction requires. This project's own states come first: their setup tests the
 * provider, and the state handler must not have changed it yet. As in Pact's own verifiers, parameters are values too,
 * and values that states return replace them.
 * @throws InteractionEnd, and other errors when the provider cannot be judged
 */
export async function setUpStates(interaction: Interaction, provider: Provider): Promise<Values> {
  const others = interaction.states.filter((state) => isOfHandler(state, provider));
  const ours = interaction.states.filter((state) => !others.includes(state));
  const values: Record<string, unknown> = {};
  for (const { parameters } of interaction.states) Object.assign(values, parameters);
  for (const state of [...ours, ...others])
    for (const [name, value] of Object.entries(await stateValues(state, interaction, provider)))
      values[name] = value instanceof Secret ? hideText(open(value), provider.client) : value;
  // Without a value, Pact's core would send the example.
  const missing = valuesUsed(interaction).find((name) => values[name] === undefined);
  if (missing === undefined) return values;
  const reason = `no state gave ${missing}`;
  // The state handler may be the cause.
  throw others.length > 0 ? InteractionEnd.unverified(reason) : InteractionEnd.failed(reason);
}

/** Hides a text in its encoded forms too: Pact's core may send and compare them. @returns the text */
export function hideText(text: string, client: ApiClient): string {
  for (const form of encodeForms(text)) client.learn(new Secret(form));
  return text;
}

/** A text, and how it is written in JSON and in a URL. */
export const encodeForms = (text: string): string[] => [
  text,
  JSON.stringify(text).slice(1, -1),
  encodeURIComponent(text.toWellFormed()),
];

/** @throws InteractionEnd, and other errors when the provider cannot be judged */
async function stateValues(state: GivenState, interaction: Interaction, provider: Provider) {
  const { name, parameters } = state;
  if (isOfHandler(state, provider)) {
    if (provider.stateHandler !== undefined) return provider.stateHandler.setUp(state);
    throw InteractionEnd.unverified(findState(name) === undefined ? unknownState(name) : noClock);
  }
  const endpoint = findEndpoint(interaction, provider);
  return orNoToken(provider, () => makers[name as StateName](provider, endpoint, parameters));
}

const noClock = 'no test clock: set PUBLIC_API_CLOCK_URL or PUBLIC_API_CLOCK_FILE';

/**
 * The result of work that issues tokens. Valid credentials that get none are a failure, unless the account may have
 * ended in simulated time.
 * @throws InteractionEnd
 */
async function orNoToken<Result>(provider: Provider, make: () => Promise<Result>) {
  try {
    return await make();
  } catch (error) {
    if (!(error instanceof NoTokenError)) throw error;
    const ended = provider.accountEnded();
    if (ended !== undefined) throw InteractionEnd.unverified(ended);
    throw InteractionEnd.failed(
      `no state can be made: the answer to valid credentials was ${error.answer.status} without a usable token`,
    );
  }
}

/** A token, for an endpoint that need not admit it. @throws InteractionEnd */
export const issueToken = (provider: Provider): Promise<Token> =>
  orNoToken(provider, () => provider.client.issue(provider.account));

type Maker = (provider: Provider, endpoint: Endpoint, parameters: Values) => Promise<Values>;

const makers: Readonly<Record<StateName, Maker>> = {
  'an account': async ({ account }) => ({ ...account }),
  'credentials of nobody': async (provider) => {
    const unknown = { apiKey: new Secret(randomUUID()), secretKey: new Secret(randomUUID()) };
    const answer = await provider.client.call(tokenEndpoint, { body: { json: unknown } });
    await refuseToken(answer, provider);
    return unknown;
  },
  'a protected endpoint': async (provider, endpoint) => {
    await issueAdmitted(provider, endpoint);
    return { path: stripQuery(endpoint) };
  },
  'a valid token': async (provider, endpoint) => {
    const { secret } = await issueAdmitted(provider, endpoint);
    return { accessToken: secret };
  },
  'a token of nobody': async (provider, endpoint) => {
    const { secret } = await issueAdmitted(provider, endpoint);
    return { accessToken: randomLike(secret) };
  },
  'a token made some hours ago': async (provider, endpoint, { hours: given }) => {
    // Some libraries have texts only, and a number that was read may keep its spelling.
    const age = Number(/^"?(\d+(\.\d+)?)"?$/.exec(JSON.stringify(given ?? ''))?.[1]);
    if (!(age >= 0 && age <= maxHours))
      throw InteractionEnd.unverified(
        `the parameter hours of "a token made some hours ago" is not a number from 0 to ${maxHours}`,
      );
    // Clocks count milliseconds. Rounding up could end the token too early.
    const ageMs = Math.floor(hours(age));
    const { secret } = await provider.aged(() => issueAdmitted(provider, endpoint), ageMs);
    return { accessToken: secret };
  },
};

/** @throws InteractionEnd when the answer to unknown credentials holds a token that an endpoint accepts */
export async function refuseToken(answer: Answer, { client, endpoints }: Provider): Promise<void> {
  const secret = readToken(answer);
  if (secret !== undefined && (await admits(client, endpoints[0], { secret, madeAt: 0 })))
    throw InteractionEnd.failed(
      `credentials of nobody were answered by ${answer.status} with a token`,
    );
}

/** The hours of a leap year. */
const maxHours = 8784;

/** Whether an endpoint responds to a token with a status other than 401. */
const admits = async (client: ApiClient, endpoint: Endpoint, token: Token): Promise<boolean> =>
  (await client.call(endpoint, bearer(token))).status !== 401;

/** Issues a token, and checks that the interaction's endpoint admits it. @throws InteractionEnd */
async function issueAdmitted({ client, account }: Provider, endpoint: Endpoint): Promise<Token> {
  const token = await client.issue(account);
  if (await admits(client, endpoint, token)) return token;
  throw InteractionEnd.failed(
    `a token that was just made is refused by ${endpoint.method} ${stripQuery(endpoint)} (401)`,
  );
}

/** Whether the provider's own state handler sets a state up: also a state of ours for which there is no clock. */
export const isOfHandler = ({ name }: GivenState, { time }: Provider): boolean =>
  findState(name) === undefined || (name === agedToken && time === undefined);
