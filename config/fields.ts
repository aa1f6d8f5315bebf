/** The kinds of values in settings and in a targets file. */
import * as v from 'valibot';
import { UserError } from '../contract/command.ts';
import { isObject } from '../contract/json-value.ts';
import { hint } from './nearest.ts';

/** Wrong settings: one line for each, with the remedy and without secrets. */
export class SettingsError extends UserError {}

/** What is accepted, with a title that says it in words. The messages follow the name of the value, and quote nothing. */
export type Kind<Value> = v.GenericSchema<string, Value>;

/** A step of a kind. @param read throws, or returns undefined, for what is not accepted; a SettingsError says why */
export const transform = <Input, Output>(read: (input: Input) => Output | undefined) =>
  v.rawTransform<Input, Output>(({ dataset: { value }, addIssue, NEVER }) => {
    try {
      const output = read(value);
      if (output !== undefined) return output;
      addIssue();
    } catch (error) {
      // Any other message does not help users, or quotes a secret.
      addIssue(error instanceof SettingsError ? { message: error.message } : {});
    }
    return NEVER;
  });

/** A value in these words, which each mistake without a message of its own repeats. */
export const withMessage = <Schema extends v.GenericSchema>(words: string, schema: Schema) =>
  v.pipe(v.config(schema, { message: `is not ${words}` }), v.title(words));

/** A list or a text is not a map. */
const anyMap = v.custom<Record<string, unknown>>(isObject);

/** One of the names that the gate lists. @param what `a clause` */
export const listed = <const Names extends readonly string[]>(what: string, names: Names) =>
  v.picklist(
    names,
    ({ input }) => `is not ${what}${hint(`${input}`, names)} (npm run gate -- --list shows all)`,
  );

/** A map with no names but these. */
export const map = <const Entries extends v.ObjectEntries>(words: string, entries: Entries) => {
  const names = Object.keys(entries);
  const strict = v.strictObject(entries, ({ expected, input }) =>
    expected === 'never'
      ? `is not known${hint(String(input), names)} (allowed: ${names.join(', ')})`
      : 'is missing',
  );
  return withMessage(words, v.pipe(anyMap, strict));
};

/** A map of names that users choose. */
export const record = <Value>(
  words: string,
  name: v.GenericSchema<string, string>,
  value: v.GenericSchema<unknown, Value>,
) => withMessage(words, v.pipe(anyMap, v.record(name, value)));

export const list = <Value>(words: string, item: v.GenericSchema<unknown, Value>) =>
  withMessage(words, v.array(item));

export const flag = withMessage('true or false', v.boolean());

/** A whole number, if its bounds are. */
export const number = (what: string, min: number, max: number) =>
  withMessage(
    `${what}, ${min} to ${max}`,
    v.pipe(
      v.union([v.number(), v.string()]),
      v.toNumber(),
      v.check((n) => n >= min && n <= max && (Number.isInteger(n) || !Number.isInteger(min))),
    ),
  );

/** A text that is read as something else. */
export const text = <Value>(words: string, read: (text: string) => Value | undefined) =>
  withMessage(words, v.pipe(v.string(), transform(read)));

export const matching = (words: string, form: RegExp) =>
  withMessage(words, v.pipe(v.string(), v.regex(form)));

export const oneLine = matching('a line of text, quoted if it looks like a number', /^\P{Cc}*$/u);

const unitSeconds: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600, d: 86_400 };

/** The seconds in `60s`, `5m`, `4h` or `7d`. */
const toSeconds = (text: string): number =>
  Number.parseInt(text, 10) * (unitSeconds[text.replace(/\d+/, '')] ?? 0.001);

/** A length of time, in seconds. @param min,max as users write it */
export const duration = (min: string, max: string, units = 's|m|h|d') =>
  withMessage(
    `a duration from ${min} to ${max}, such as 60s or 5m`,
    v.pipe(
      v.string(),
      v.regex(new RegExp(`^\\d{1,9}(${units})$`)),
      v.transform(toSeconds),
      v.check((seconds) => seconds >= toSeconds(min) && seconds <= toSeconds(max)),
    ),
  );

/** `off`, or how often. */
export const offOrEvery = (min: string, max: string) =>
  v.pipe(
    v.union(
      [v.literal('off'), map('a period', { every: duration(min, max) })],
      'is not off or { every: 4h }',
    ),
    v.transform((given) => (given === 'off' ? given : { everySeconds: given.every })),
  );

const instant = withMessage(
  'an instant such as 2026-12-01T02:00:00Z',
  v.pipe(v.string(), v.isoTimestamp(), v.transform(Date.parse)),
);

/** A period of maintenance, in milliseconds since 1970. */
export const window = v.pipe(
  map('{ from: 2026-12-01T02:00:00Z, until: 2026-12-01T03:00:00Z }', {
    from: instant,
    until: instant,
    note: v.optional(oneLine),
  }),
  v.check(({ from, until }) => from < until, 'has an until that is not after its from'),
);
