import { field } from '../../contract/http/answer.ts';
import type { Interaction } from '../pact.ts';
import { placeholders, stateOf, type ValueName } from '../states.ts';
import { type Attachment, generatorsOf, isAbout } from './attachment.ts';
import { type ExampleText, placesOf, sides } from './place.ts';
import { isLoose } from './unstable.ts';

/** A placeholder that nothing fills in is sent as it stands: a value of a state is used by a generator. */
export function unboundValues(interaction: Interaction): string[] {
  const generators = generatorsOf(interaction, 'request').filter(isProviderState);
  const given = valuesGiven(interaction);
  return placesOf(interaction)
    .filter(({ side }) => side === 'request')
    .flatMap((place) => {
      const generator = generators.find((one) => isAbout(one, place));
      if (generator !== undefined) return otherExample(place, namesIn(generator));
      const name = valueNames.find((one) => holds(place, one, given));
      return name === undefined
        ? []
        : [
            `${place.where} holds ${placeholders[name]}, which nothing fills in: ${bind(place, name)}`,
          ];
    });
}

/** A generator can only fill in what one of the states gives. */
export const unknownValues = (interaction: Interaction): string[] => {
  const given = valuesGiven(interaction);
  return sides.flatMap((side) =>
    generatorsOf(interaction, side)
      .filter(isProviderState)
      .flatMap((generator) => namesIn(generator).names)
      .flatMap((name) => {
        const givers = given.filter((value) => value === name).length;
        if (givers === 1) return [];
        return givers === 0
          ? [
              `${side}.generators uses "${name}", which none of its states gives: ask for one that does`,
            ]
          : [
              `${side}.generators uses "${name}", which ${givers} of its states give: ask for one of them`,
            ];
      }),
  );
};

/** Pact's core fills in nothing of an answer that it expects: it compares the example, whatever a state gives. */
export function comparedExamples(interaction: Interaction): string[] {
  const generators = generatorsOf(interaction, 'response').filter(isProviderState);
  return placesOf(interaction)
    .filter(
      (place) => generators.some((one) => isAbout(one, place)) && !isLoose(place, interaction),
    )
    .map(
      ({ where }) =>
        `${where} is compared with its example, and not with what a state gives: match its type`,
    );
}

const valueNames = ['apiKey', 'secretKey', 'accessToken', 'path'] as const;

const valuesGiven = ({ states }: Interaction): string[] =>
  states.flatMap(({ name }) => stateOf(name)?.gives ?? []);

/** The example of a path is a path as any other, where no state gives one. */
function holds(
  { category, text }: ExampleText,
  name: ValueName,
  given: readonly string[],
): boolean {
  if (name !== 'path') return text.includes(placeholders[name]);
  return category === 'path' && text === placeholders.path && given.includes('path');
}

const bind = ({ text }: ExampleText, name: ValueName): string => {
  const expression = text.replace(placeholders[name], () => `\${${name}}`);
  return `write fromProviderState('${expression}', '${text}')`;
};

const isProviderState = ({ document }: Attachment): boolean =>
  field(document, 'type') === 'ProviderState';

/** What a generator uses, and what its example is. A name may stand alone. */
function namesIn({ document }: Attachment): { names: string[]; example: string } {
  const expression = String(field(document, 'expression') ?? '');
  const whole = expression.includes('${') ? expression : `\${${expression}}`;
  return {
    names: [...whole.matchAll(/\$\{([^}]*)\}/g)].map(([, name = '']) => name),
    example: whole.replace(/\$\{([^}]*)\}/g, (all, name: string) =>
      Object.hasOwn(placeholders, name) ? placeholders[name as ValueName] : all,
    ),
  };
}

/** Any path will do for an example of one; what stands for a secret is its placeholder. */
function otherExample(
  { where, text }: ExampleText,
  { names, example }: { names: readonly string[]; example: string },
): string[] {
  const free = names.every((name) => name === 'path' || !Object.hasOwn(placeholders, name));
  return free || text === example
    ? []
    : [`${where} has another example than "${example}": write that`];
}
