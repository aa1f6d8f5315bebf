import { field, isObject } from '../../contract/json-value.ts';
import { type Interaction, list } from '../pact.ts';

/** The parts of a request or an answer, by their names in matching rules and generators. */
type Category = 'path' | 'query' | 'header' | 'body' | 'status';
export type Side = 'request' | 'response';

/** A text of an example, and its place. */
export interface ExampleText {
  readonly side: Side;
  readonly category: Category;
  /** The path to it below its category: the name of a header, the fields of a body. */
  readonly steps: readonly string[];
  /** The place in messages: `request.headers.Authorization`. */
  readonly where: string;
  readonly text: string;
}

interface Leaf {
  readonly path: readonly string[];
  readonly text: string;
}

/** Every text in a JSON value. */
export function leavesOf(value: unknown, path: readonly string[] = []): Leaf[] {
  if (typeof value === 'string') return [{ path, text: value }];
  if (typeof value !== 'object' || value === null || JSON.isRawJSON(value)) return [];
  return Object.entries(value).flatMap(([name, inner]) => leavesOf(inner, [...path, name]));
}

/** Every text in the examples of an interaction. */
export const placesOf = ({ document }: Interaction): ExampleText[] =>
  sides.flatMap((side) =>
    categories.flatMap(([name, category]) => {
      const part = isObject(document[side]) ? document[side][name] : undefined;
      const [value, path] =
        category === 'body' ? content(part, [side, name]) : [fields(part, category), [side, name]];
      return leavesOf(value).map((leaf) => ({
        side,
        category,
        // A header, or a parameter of a query, may have several values in a list.
        steps: category === 'body' ? leaf.path : leaf.path.slice(0, 1),
        where: locationText([...path, ...leaf.path]),
        text: leaf.text,
      }));
    }),
  );

const sides = ['request', 'response'] as const;

const categories = [
  ['path', 'path'],
  ['query', 'query'],
  ['headers', 'header'],
  ['body', 'body'],
] as const;

/** Before version 3 a query is one text. */
const fields = (part: unknown, category: Category): unknown =>
  category === 'query' && typeof part === 'string'
    ? Object.fromEntries(new URLSearchParams(part))
    : part;

/** A body of version 4 declares its type, and has its content inside; encoded content is base64. */
function content(body: unknown, path: readonly string[]): [unknown, readonly string[]] {
  if (!isObject(body) || !('content' in body && 'encoded' in body)) return [body, path];
  const { content: inner, encoded } = body;
  const text =
    encoded !== false && typeof inner === 'string'
      ? Buffer.from(inner, 'base64').toString()
      : inner;
  return [text, [...path, 'content']];
}

/** `response.body.content.widgets[0].name` */
const locationText = (path: readonly string[]): string =>
  path
    .map((step) => (/^\d+$/.test(step) ? `[${step}]` : `.${step}`))
    .join('')
    .slice(1);

/** A matching rule or a generator, and the place that it applies to. */
export interface Attachment {
  readonly side: Side;
  readonly category: string;
  /** The path to that place; `*` matches any step. */
  readonly steps: readonly string[];
  readonly document: unknown;
}

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

/** A matching rule, and the rules inside it for the values of an object or the members of a list. */
export function withInner(one: Attachment): Attachment[] {
  const { document, steps } = one;
  const match = String(field(document, 'match')).replace('-', '').toLowerCase();
  const members = [...steps, '*'];
  const values = list(match === 'eachvalue' && field(document, 'rules'));
  const variants = list(match === 'arraycontains' && field(document, 'variants'));
  return [
    one,
    ...values.flatMap((inner) => withInner({ ...one, steps: members, document: inner })),
    ...variants.flatMap((variant) =>
      Object.entries(Object(field(variant, 'rules'))).flatMap(([name, rules]) =>
        list(field(rules, 'matchers')).flatMap((inner) =>
          withInner({ ...one, steps: [...members, ...stepsOf(name)], document: inner }),
        ),
      ),
    ),
  ];
}

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
