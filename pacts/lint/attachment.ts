import { field, isObject } from '../../contract/http/answer.ts';
import type { Interaction } from '../pact.ts';
import type { Category, ExampleText, Side } from './place.ts';

/** A matching rule or a generator, and the place that it applies to. */
export interface Attachment {
  readonly side: Side;
  readonly category: string;
  /** The path to that place; `*` matches any step. */
  readonly steps: readonly string[];
  readonly document: unknown;
}

/** The generators of one side of an interaction. */
export const generatorsOf = (interaction: Interaction, side: Side): Attachment[] =>
  attached(interaction, side, 'generators');

/** The matching rules of one side of an interaction, including several for one place. */
export const matchersOf = (interaction: Interaction, side: Side): Attachment[] =>
  [
    ...attached(interaction, side, 'matchingRules'),
    ...attached(interaction, side, `${side}MatchingRules`),
  ].flatMap((one) => {
    const matchers = field(one.document, 'matchers');
    if (!Array.isArray(matchers)) return [one];
    return matchers.map((document: unknown) => ({ ...one, document }));
  });

/** Whether it applies to exactly that place or, with `also`, to a place that contains it. */
export const isAbout = (one: Attachment, place: ExampleText, also?: 'inside'): boolean =>
  one.side === place.side &&
  one.category === place.category &&
  (also === 'inside'
    ? one.steps.length <= place.steps.length
    : one.steps.length === place.steps.length) &&
  one.steps.every((step, at) => step === '*' || same(step, place.steps[at], place.category));

const same = (step: string, other: string | undefined, category: Category): boolean =>
  category === 'header' ? step.toLowerCase() === other?.toLowerCase() : step === other;

function attached({ document }: Interaction, side: Side, key: string): Attachment[] {
  const all = field(document[side], key);
  if (!isObject(all)) return [];
  return Object.entries(all).flatMap(([category, inside]) => {
    if (category.startsWith('$')) return [{ side, ...ofVersion2(category), document: inside }];
    // There is only one path, so it needs no name; the same holds for a status that is named `$`.
    if (!isObject(inside) || 'matchers' in inside || typeof inside.type === 'string')
      return [{ side, category, steps: [], document: inside }];
    return Object.entries(inside).map(([name, document]) => ({
      side,
      category,
      steps:
        category === 'body' || category === 'status'
          ? stepsOf(name)
          : [name.replace(/\[\d+\]$/, '')],
      document,
    }));
  });
}

/** Before version 3 one path contains everything: `$.headers.Accept`, `$.body.widgets[0].id`. */
function ofVersion2(path: string): { category: string; steps: string[] } {
  const [category = '', ...steps] = stepsOf(path);
  return { category: category === 'headers' ? 'header' : category, steps };
}

/** `$.widgets[*]['first name']` has the steps `widgets`, `*` and `first name`. */
const stepsOf = (path: string): string[] =>
  [...path.matchAll(/\.([^.[\]]+)|\['((?:\\.|[^'\\])*)'\]|\[(\d+|\*)\]/g)].map(
    ([, plain, quoted, index]) => plain ?? quoted ?? index ?? '',
  );
