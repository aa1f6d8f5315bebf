/** The kinds of values in a targets file. */
import * as v from 'valibot';
import { isObject } from '../contract/json-value.ts';
import { nearest } from './nearest.ts';

/** A map with no names but these. */
export const map = <const Entries extends v.ObjectEntries>(words: string, entries: Entries) =>
  v.pipe(
    anyMap(words),
    v.strictObject(entries, ({ expected, input }) =>
      expected === 'never' ? unknownName(String(input), Object.keys(entries)) : 'is missing',
    ),
    v.title(words),
  );

/** A map of names that users choose. */
export const named = <Value>(
  words: string,
  name: v.GenericSchema<string, string>,
  value: v.GenericSchema<unknown, Value>,
) => v.pipe(anyMap(words), v.record(name, value), v.title(words));

/** A list or a text is not a map. */
const anyMap = (words: string) => v.custom<Record<string, unknown>>(isObject, `is not ${words}`);

export const list = <Value>(words: string, item: v.GenericSchema<unknown, Value>, least = 1) =>
  v.pipe(v.array(item, `is not ${words}`), v.minLength(least, `is not ${words}`), v.title(words));

/** Names that people use for a credential. */
export const isCredentialName = (name: string): boolean =>
  /^(api|secret|access)?_?-?(bearer|key|secret|token|password)(value)?$/i.test(name);

function unknownName(name: string, allowed: readonly string[]): string {
  if (isCredentialName(name)) {
    const places = allowed.filter((other) => /(Env|File)$/.test(other));
    const where = places.length === 0 ? 'credentials' : places.join(', ');
    return `is a credential, which may not be in this file: say where it is with ${where}`;
  }
  return `is not known${hint(nearWord(name, allowed))} (allowed: ${allowed.join(', ')})`;
}

/** The known word that was probably meant: one that differs in only a few letters. */
export function nearWord(word: string, known: Iterable<string>): string | undefined {
  const near = nearest(word, known);
  if (near === undefined || near.distance >= near.word.length) return undefined;
  return near.distance <= Math.max(2, word.length / 3) ? near.word : undefined;
}

export const hint = (word: string | undefined): string =>
  word === undefined ? '' : `: did you mean ${word}?`;

export const flag = v.pipe(v.boolean('is not true or false'), v.title('true or false'));

export const number = (what: string, least: number, most: number) => {
  const words = `${what}, ${least} to ${most}`;
  const message = `is not ${words}`;
  return v.pipe(
    v.number(message),
    v.minValue(least, message),
    v.maxValue(most, message),
    v.title(words),
  );
};

const oneLine = 'a text of one line (in quotes where it looks like a number)';

/** At most 200 characters. */
export const text = v.pipe(
  v.string(`is not ${oneLine}`),
  v.maxLength(200, 'has more than 200 characters'),
  v.regex(/^\P{Cc}*$/u, `is not ${oneLine}`),
  v.title(oneLine),
);

const units: Readonly<Record<string, number>> = { ms: 0.001, s: 1, m: 60, h: 3600, d: 86_400 };

/** The seconds in `60s`, `5m`, `4h` or `7d`. @param least,most seconds */
export const duration = (least: number, most: number, suffixes = ['s', 'm', 'h', 'd']) => {
  const words = `a duration from ${durationText(least)} to ${durationText(most)}, such as 60s or 5m`;
  return v.pipe(
    v.string(`is not ${words}`),
    v.regex(new RegExp(`^\\d{1,9}(${suffixes.join('|')})$`), `is not ${words}`),
    v.transform((given) => {
      const [, count = '', unit = ''] = /^(\d+)(\D+)$/.exec(given) ?? [];
      return (Number(count) * ((units[unit] ?? 0) * 1000)) / 1000;
    }),
    v.check((seconds) => seconds >= least && seconds <= most, `is not ${words}`),
    v.title(words),
  );
};

/** Seconds in the largest unit that is exact: `90s`, `4h`. */
export function durationText(seconds: number): string {
  if (seconds > 0 && seconds < 1) return `${Math.round(seconds * 1000)}ms`;
  const [unit = 's', length = 1] =
    Object.entries(units)
      .toReversed()
      .find(([, candidate]) => seconds >= candidate && seconds % candidate === 0) ?? [];
  return `${seconds / length}${unit}`;
}

/** `off`, or how often. @param least,most seconds */
export const offOrEvery = (least: number, most: number) =>
  v.pipe(
    v.union(
      [v.literal('off'), map('a period', { every: duration(least, most) })],
      'is not off or { every: 4h }',
    ),
    v.transform((given) => (given === 'off' ? given : { everySeconds: given.every })),
  );

const anInstant = 'an instant such as 2026-12-01T02:00:00Z';

const instant = v.pipe(
  v.string(`is not ${anInstant}`),
  v.regex(/^[\d-]{10}T\d\d:\d\d(:\d\d)?(Z|[+-]\d\d:\d\d)$/, `is not ${anInstant}`),
  v.transform(Date.parse),
  v.check((ms) => !Number.isNaN(ms), `is not ${anInstant}`),
  v.title(anInstant),
);

/** A period of maintenance, in milliseconds since 1970. */
export const window = v.pipe(
  map('{ from: 2026-12-01T02:00:00Z, until: 2026-12-01T03:00:00Z }', {
    from: instant,
    until: instant,
    note: v.optional(text),
  }),
  v.forward(
    v.check(({ from, until }) => from < until, 'is not after from'),
    ['until'],
  ),
);
