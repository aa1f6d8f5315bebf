import { field } from '../../contract/json-value.ts';
import type { Interaction } from '../pact.ts';
import { credentialNames, isCredential, placeholders, stateOf } from '../states.ts';
import { isLoose } from './expectation.ts';
import {
  type Attachment,
  type ExampleText,
  generatorsOf,
  isAbout,
  placesOf,
  sides,
} from './place.ts';

/**
 * Credential placeholders without a value. The value comes from a state: by the placeholder's name, or by a generator.
 */
export function unboundValues(interaction: Interaction): string[] {
  const given = valuesGiven(interaction);
  const generators = generatorsOf(interaction, 'request').filter(isProviderState);
  return placesOf(interaction)
    .filter((place) => place.side === 'request' && !generators.some((one) => isAbout(one, place)))
    .flatMap(({ where, text }) =>
      credentialNames
        .filter((name) => text.includes(placeholders[name]) && !mayGive(given, name))
        .map((name) => `${where} holds ${placeholders[name]}, which none of its states gives`),
    );
}

/** The names of the values that the generators of a request need. */
export const valuesUsed = (interaction: Interaction): string[] =>
  generatorsOf(interaction, 'request').filter(isProviderState).flatMap(namesIn);

/** A generator can use only values of the states. */
export const unknownValues = (interaction: Interaction): string[] => {
  const given = valuesGiven(interaction);
  return sides.flatMap((side) =>
    generatorsOf(interaction, side)
      .filter(isProviderState)
      .flatMap(namesIn)
      .flatMap((name) => {
        const givers = given?.filter((value) => value === name).length;
        if (givers === 0)
          return [
            `${side}.generators uses "${name}", which none of its states gives: ask for one that does`,
          ];
        return (givers ?? 0) > 1 && isCredential(name)
          ? [
              `${side}.generators uses "${name}", which ${givers} of its states give: ask for one of them`,
            ]
          : [];
      }),
  );
};

/**
 * Pact's core inserts no state values into an expected response. It always compares the example. So it also compares a
 * placeholder, which no provider returns, and which reports show in place of the real value.
 */
export function comparedExamples(interaction: Interaction): string[] {
  const generators = generatorsOf(interaction, 'response').filter(isProviderState);
  const isPlaceholder = ({ side, text }: ExampleText): boolean =>
    side === 'response' && credentialNames.some((name) => text === placeholders[name]);
  return placesOf(interaction)
    .filter(
      (place) =>
        (isPlaceholder(place) || generators.some((one) => isAbout(one, place))) &&
        !isLoose(place, interaction),
    )
    .map(
      ({ where }) =>
        `${where} is compared with its example, and not with what a state gives: match its type`,
    );
}

/** The values of an interaction's states, including their parameters; undefined if only a state handler knows them. */
const valuesGiven = ({ states }: Interaction): string[] | undefined =>
  states.some(({ name }) => stateOf(name) === undefined)
    ? undefined
    : states.flatMap(({ name, parameters }) => [
        ...(stateOf(name)?.gives ?? []),
        ...Object.keys(parameters),
      ]);

const mayGive = (given: readonly string[] | undefined, name: string): boolean =>
  given === undefined || given.includes(name);

const isProviderState = ({ document }: Attachment): boolean =>
  field(document, 'type') === 'ProviderState';

/** The values that a generator uses. Its expression may be a bare name, without `${}`. */
function namesIn({ document }: Attachment): string[] {
  const expression = String(field(document, 'expression') ?? '');
  const names = [...expression.matchAll(/\$\{([^}]*)\}/g)].map(([, name = '']) => name);
  return names.length === 0 ? [expression] : names;
}
