import { isObject } from '../../contract/http/answer.ts';
import type { Interaction } from '../pact.ts';

/** The parts of a request or an answer, by their names in matching rules and generators. */
export type Category = 'path' | 'query' | 'header' | 'body' | 'status';
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

/** A text anywhere in a JSON value, and its path. */
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

export const sides = ['request', 'response'] as const;

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
export const locationText = (path: readonly string[]): string =>
  path
    .map((step) => (/^\d+$/.test(step) ? `[${step}]` : `.${step}`))
    .join('')
    .slice(1);
