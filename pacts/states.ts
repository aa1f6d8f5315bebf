/** A provider state that an interaction requires. */
export interface GivenState {
  readonly name: string;
  readonly parameters: Readonly<Record<string, unknown>>;
}

export interface ProviderState {
  readonly means: string;
  /** The names of its values, for `fromProviderState`. */
  readonly gives: readonly ValueName[];
  /** The names of its parameters. */
  readonly parameters: readonly string[];
}

/** The values that a pact may use: credentials, a token, and the path of a protected endpoint. */
export type ValueName = 'apiKey' | 'secretKey' | 'accessToken' | 'path';

/** The texts that a pact holds in place of the values: the contract's placeholders, and an example path. */
export const placeholders: Readonly<Record<ValueName, string>> = {
  apiKey: '<API_KEY>',
  secretKey: '<SECRET_KEY>',
  accessToken: '<ACCESS_TOKEN>',
  path: '/public-api/v1/widgets',
};

export const credentialNames = ['apiKey', 'secretKey', 'accessToken'] as const;

/** Every provider state that this project can set up, by its name in a pact. */
export const states = {
  'an account': {
    means: 'There is an account with an active subscription. The state gives its credentials.',
    gives: ['apiKey', 'secretKey'],
    parameters: [],
  },
  'credentials of nobody': {
    means: 'The state gives credentials that belong to no account, and get no token.',
    gives: ['apiKey', 'secretKey'],
    parameters: [],
  },
  'a protected endpoint': {
    means: 'An endpoint of that method has admitted a valid token. The state gives its path.',
    gives: ['path'],
    parameters: ['method'],
  },
  'a valid token': {
    means:
      'The provider has issued a token, and an endpoint has admitted it. The state gives this token.',
    gives: ['accessToken'],
    parameters: [],
  },
  'a token of nobody': {
    means:
      'The state gives a token that the service did not generate. An endpoint has admitted a generated one.',
    gives: ['accessToken'],
    parameters: [],
  },
  'a token made some hours ago': {
    means:
      'The provider has issued a token, an endpoint has admitted it, and then these hours have elapsed. Needs the clock.',
    gives: ['accessToken'],
    parameters: ['hours'],
  },
} as const satisfies Record<string, ProviderState>;

export type StateName = keyof typeof states;

/** The state for which the provider has to have a test clock. */
export const agedToken: StateName = 'a token made some hours ago';

/** Pacts without parameters have the age of a token in the name of the state, and some only its name: `{hours}`. */
const ageInName = /^a token made (\{hours\}|\d+(?:\.\d+)?) hours? ago$/;

/** A state by its name in this project. */
export function canonicalState({ name, parameters }: GivenState): GivenState {
  const age = ageInName.exec(name)?.[1];
  if (age === undefined) return { name, parameters };
  const inName = age === '{hours}' ? {} : { hours: Number(age) };
  return { name: agedToken, parameters: { ...inName, ...parameters } };
}

/** The message about an unknown state, with the names of all states that this project can set up. */
export const unknownState = (name: string): string =>
  `the state ${JSON.stringify(name)} is not one of "${Object.keys(states).join('", "')}": set PACT_STATES_URL to the state handler of the provider`;

/** The state of a name; undefined when only the provider's own state handler can know it. */
export const findState = (name: string): ProviderState | undefined =>
  Object.hasOwn(states, name) ? states[name as StateName] : undefined;
