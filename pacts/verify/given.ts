import { randomUUID } from 'node:crypto';
import { NoToken } from '../../contract/http/client.ts';
import { tokenPath } from '../../contract/http/request.ts';
import { Secret, type Token } from '../../contract/secrets/secret.ts';
import { hours } from '../../contract/time/clock.ts';
import { madeUpLike } from '../../contract/token-form.ts';
import type { GivenState, Interaction } from '../pact.ts';
import { type StateName, states, type ValueName } from '../states.ts';
import { admits, endpointOf, holdsToken, type Provider, pathOf } from './provider.ts';

/** What a state gives: secrets, and where a protected endpoint is. */
export type Values = Readonly<Partial<Record<ValueName, Secret | string>>>;

/** A state cannot be had, so that the interaction is not asked at all. The message says why, in one line. */
export class StateSetupError extends Error {
  override readonly name = 'NotGiven';
}

/** Brings the provider into the states of an interaction. */
export type Give = (interaction: Interaction, provider: Provider) => Promise<Values>;

/**
 * Brings the provider into every state that an interaction asks for, each of which proves itself.
 * @throws NotGiven, and what the provider throws when it cannot be judged
 */
export const give: Give = async (interaction, provider) => {
  const due = interaction.states.map((state) => ({ state, name: known(state) }));
  const given: Partial<Record<ValueName, Secret | string>> = {};
  for (const { state, name } of due) {
    const values = await noTokenMessage(() => makers[name](provider, interaction, state));
    for (const value of states[name].gives) {
      if (values[value] === undefined) throw new Error(`the state "${name}" gave no ${value}`);
      if (given[value] !== undefined) throw new StateSetupError(`two of its states give ${value}`);
      given[value] = values[value];
    }
  }
  return given;
};

function known({ name }: GivenState): StateName {
  if (!isKnown(name))
    throw new StateSetupError(`there is no state of the name ${JSON.stringify(name)}`);
  return name;
}

const isKnown = (name: string): name is StateName => Object.hasOwn(states, name);

/** An answer to valid credentials without a token is a breach of TOKEN-1. @throws NotGiven which says so */
export async function noTokenMessage<Result>(make: () => Promise<Result>): Promise<Result> {
  try {
    return await make();
  } catch (error) {
    if (!(error instanceof NoToken)) throw error;
    const { status } = error.answer;
    throw new StateSetupError(
      `no state can be made: the answer to valid credentials was ${status} without ${error.expected}`,
    );
  }
}

type Maker = (provider: Provider, interaction: Interaction, state: GivenState) => Promise<Values>;

const makers: Readonly<Record<StateName, Maker>> = {
  'an account': async ({ account }) => account,
  'credentials of nobody': async (provider) => {
    const unknown = { apiKey: new Secret(randomUUID()), secretKey: new Secret(randomUUID()) };
    const answer = await provider.client.exchange({ json: unknown });
    if (await holdsToken(provider, answer))
      throw new StateSetupError(
        `credentials of nobody were answered by ${answer.status} with a token`,
      );
    return unknown;
  },
  'a protected endpoint': async (provider, interaction) => {
    await admitted(provider, interaction);
    return { path: pathOf(endpointOf(interaction, provider)) };
  },
  'a valid token': async (provider, interaction) => {
    const { secret } = await admitted(provider, interaction);
    return { accessToken: secret };
  },
  'a token of nobody': async (provider, interaction) => {
    const { secret } = await admitted(provider, interaction);
    const other = madeUpLike(secret).secret;
    return { accessToken: other.equals(secret) ? other.derive((text) => text + text) : other };
  },
  'a token made {hours} hours ago': async (provider, interaction, { parameters }) => {
    const age = parameters.hours;
    if (typeof age !== 'number' || !(age >= 0))
      throw new StateSetupError(
        'the parameter hours of "a token made {hours} hours ago" is no number',
      );
    const { secret } = await provider.aged(() => admitted(provider, interaction), hours(age));
    return { accessToken: secret };
  },
};

/** A new token, which was seen to be admitted where the interaction goes. */
async function admitted(provider: Provider, interaction: Interaction): Promise<Token> {
  const { client, account } = provider;
  const token = await client.issue(account);
  const endpoint = endpointOf(interaction, provider);
  if (await admits(client, endpoint, token)) return token;
  throw new StateSetupError(
    `a token that was just made is refused by ${endpoint.method} ${pathOf(endpoint)} (401)`,
  );
}

/** Whether a 401 of an interaction is about its token, so that another one is to be admitted there. */
export const refusesToken = ({ status, path }: Interaction): boolean =>
  status === 401 && path !== tokenPath;
