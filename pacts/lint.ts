import { isDeepStrictEqual } from 'node:util';
import { clauses } from '../contract/clauses.ts';
import { prefix } from '../contract/http/request.ts';
import { masked } from '../contract/secrets/masked.ts';
import { nearest } from '../settings/nearest.ts';
import { comparedExamples, unboundValues, unknownValues } from './lint/binding.ts';
import { credentials, madeUpCredentials } from './lint/credential.ts';
import {
  acceptsRefusal,
  anyStatuses,
  transferHeaders,
  unstableValues,
} from './lint/expectation.ts';
import {
  randomValues,
  unknownGenerators,
  unknownMatchers,
  unreadablePaths,
  unsendableHeaders,
} from './lint/vocabulary.ts';
import type { Interaction, Pact } from './pact.ts';
import { type GivenState, methods, type ProviderState, stateOf, states } from './states.ts';

/** Finds the mistakes in one interaction: for each, one sentence with the remedy. */
type Rule = (interaction: Interaction) => string[];

/**
 * An error prevents the verification of an interaction or makes it meaningless, so its pact is refused. After a
 * warning, a successful verification may prove less than it seems to.
 */
type Level = 'error' | 'warning';

/** The lint's message about one interaction. */
export interface Complaint {
  readonly level: Level;
  readonly interaction: Interaction;
  /** One line with the interaction's name and the remedy. It never quotes a possible credential. */
  readonly line: string;
}

/** Checks each interaction of a pact: errors first. */
export const lint = (pact: Pact): Complaint[] => [
  ...pact.interactions
    .filter((one, index, all) => all.findIndex((other) => isDuplicate(one, other)) < index)
    .map((one) => complaint('error', one, duplicate)),
  ...complaintsOf(pact, 'error'),
  ...complaintsOf(pact, 'warning'),
];

export const errorsIn = (pact: Pact): Complaint[] =>
  lint(pact).filter(({ level }) => level === 'error');

const complaintsOf = ({ interactions }: Pact, level: Level): Complaint[] =>
  interactions.flatMap((interaction) =>
    rules[level].flatMap((rule) =>
      rule(interaction).map((what) => complaint(level, interaction, what)),
    ),
  );

function complaint(level: Level, interaction: Interaction, what: string): Complaint {
  const line = masked(`"${interaction.description}": ${what}`).replace(/\s+/g, ' ');
  return { level, interaction, line };
}

/** Results of two such interactions are ambiguous: they do not identify one of them. */
const isDuplicate = (one: Interaction, other: Interaction): boolean =>
  one.description === other.description && isDeepStrictEqual(one.states, other.states);

const duplicate =
  'another interaction has the same description and states: give it a description of its own';

const stateParameters: Rule = ({ states: given }) =>
  given.flatMap((state) => {
    const known = stateOf(state.name);
    return known === undefined ? [] : wrongParameters(state, known);
  });

/** The provider's own state handler may know a state that this project does not know, unless the name is misspelt. */
const misspeltStates: Rule = ({ states: given }) =>
  given.flatMap(({ name }) => {
    const suggestion = stateOf(name) === undefined ? nearest(name, Object.keys(states)) : undefined;
    return suggestion === undefined || suggestion.distance > 3
      ? []
      : [
          `the state ${JSON.stringify(name)} is for a state handler: is "${suggestion.word}" meant?`,
        ];
  });

function wrongParameters({ name, parameters }: GivenState, known: ProviderState): string[] {
  const wrong = Object.entries(known.parameters)
    .filter(([key, kind]) => !kinds[kind].accepts(parameters[key]))
    .map(([key, kind]) => `the state "${name}" needs ${key}, ${kinds[kind].words}`);
  const unknown = Object.keys(parameters)
    .filter((key) => !Object.hasOwn(known.parameters, key))
    .map((key) => `the state "${name}" takes no ${key}: take it away`);
  return [...wrong, ...unknown];
}

const kinds = {
  hours: {
    words: 'a number from 0 to 8784',
    accepts: (value: unknown) => typeof value === 'number' && value >= 0 && value <= 8784,
  },
  method: {
    words: `one of ${methods.join(', ')}`,
    accepts: (value: unknown) => value === undefined || methods.some((method) => method === value),
  },
};

/**
 * A provider that refuses every request returns each expected 401, which proves nothing. For a state of a state
 * handler, the verifier sends the same request with a valid token as the control.
 */
const unprovenRefusals: Rule = (interaction) =>
  acceptsRefusal(interaction) &&
  !interaction.states.some(({ name }) => stateOf(name)?.provesRefusal ?? true)
    ? [`a 401 is expected, and no state shows what its cause is: ask for ${provers.join(' or ')}`]
    : [];

const provers = Object.entries(states)
  .filter(([, { provesRefusal }]) => provesRefusal)
  .map(([name]) => `"${name}"`);

/** VERSION-1. A path with dot segments may resolve to a different path. */
const pathsOutsidePrefix: Rule = ({ path }) =>
  path.startsWith(prefix) && !/(^|\/)(\.|%2e){1,2}(\/|$)/i.test(path)
    ? []
    : [`its path does not lie below ${prefix}: begin with that, and leave out dots`];

const unknownClauses: Rule = ({ clauses: cited }) =>
  cited
    .filter((id) => !clauses.some((clause) => clause.id === id))
    .map((id) => `there is no clause ${JSON.stringify(id)}: cite one of contract/clauses.ts`);

const rules: Readonly<Record<Level, readonly Rule[]>> = {
  error: [
    stateParameters,
    unboundValues,
    unknownValues,
    comparedExamples,
    credentials,
    transferHeaders,
    anyStatuses,
    unprovenRefusals,
    unknownMatchers,
    unknownGenerators,
    unreadablePaths,
    unsendableHeaders,
    pathsOutsidePrefix,
  ],
  warning: [misspeltStates, madeUpCredentials, unstableValues, randomValues, unknownClauses],
};
