import { clauses } from '../contract/clauses.ts';
import { prefix } from '../contract/http/request.ts';
import { nearest } from '../settings/nearest.ts';
import { comparedExamples, unboundValues, unknownValues } from './lint/binding.ts';
import { covered, credentials } from './lint/credential.ts';
import { headersKeptBack } from './lint/header.ts';
import { accepts401, looseStatuses } from './lint/status.ts';
import { unstableValues } from './lint/unstable.ts';
import { unknownGenerators, unknownMatchers } from './lint/vocabulary.ts';
import type { GivenState, Interaction, Pact } from './pact.ts';
import { methods, type ProviderState, stateOf, states } from './states.ts';

/** What one interaction has that it must not have, a sentence each with the remedy in it. */
type Rule = (interaction: Interaction) => string[];

/**
 * What of a pact keeps its verification from meaning anything, one line each, with the remedy in it. No line quotes
 * what may be a credential.
 */
export const lint = (pact: Pact): string[] =>
  [
    ...twice(pact),
    ...pact.interactions.flatMap((interaction) =>
      rules.flatMap((rule) =>
        rule(interaction).map((what) => `"${interaction.description}": ${what}`),
      ),
    ),
  ].map((line) => covered(line).replace(/\s+/g, ' '));

/** Results of two such interactions are ambiguous: it is unknown which of them is meant. */
function twice({ interactions }: Pact): string[] {
  const names = interactions.map(({ description, states: given }) =>
    JSON.stringify([description, given]),
  );
  return interactions
    .filter((_, index) => names.indexOf(names[index] ?? '') < index)
    .map(
      ({ description }) =>
        `"${description}": another interaction has the same description and states: call it otherwise`,
    );
}

const unknownStates: Rule = ({ states: given }) =>
  given.flatMap((state) => {
    const known = stateOf(state.name);
    if (known !== undefined) return wrongParameters(state, known);
    const meant = nearest(state.name, Object.keys(states))?.word;
    return [`the provider knows no state ${JSON.stringify(state.name)}: the nearest is "${meant}"`];
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
    accepts: (value: unknown) => methods.some((method) => method === value),
  },
};

/** A provider that refuses everybody meets every 401 that is expected without a proof. */
const unprovenRefusals: Rule = (interaction) =>
  accepts401(interaction) &&
  !interaction.states.some(({ name }) => stateOf(name)?.provesRefusal === true)
    ? [`a 401 is expected, and no state shows what its cause is: ask for ${provers.join(' or ')}`]
    : [];

const provers = Object.entries(states)
  .filter(([, { provesRefusal }]) => provesRefusal)
  .map(([name]) => `"${name}"`);

/** VERSION-1. Dots may lead elsewhere than it seems. */
const strayPaths: Rule = ({ path }) =>
  path.startsWith(prefix) && !/(^|\/)(\.|%2e){1,2}(\/|$)/i.test(path)
    ? []
    : [`its path does not lie below ${prefix}: begin with that, and leave out dots`];

const unknownClauses: Rule = ({ clauses: cited }) =>
  cited
    .filter((id) => !clauses.some((clause) => clause.id === id))
    .map((id) => `there is no clause ${JSON.stringify(id)}: cite one of contract/clauses.ts`);

const rules: readonly Rule[] = [
  unknownStates,
  unboundValues,
  unknownValues,
  comparedExamples,
  credentials,
  unstableValues,
  headersKeptBack,
  looseStatuses,
  unprovenRefusals,
  unknownMatchers,
  unknownGenerators,
  strayPaths,
  unknownClauses,
];
