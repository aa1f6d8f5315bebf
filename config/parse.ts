import * as v from 'valibot';
import { masked } from '../contract/secrets/masked.ts';
import { printable } from '../contract/secrets/printable.ts';
import { Scrubber } from '../contract/secrets/scrub.ts';
import { Secret } from '../contract/secrets/secret.ts';
import { UserError } from '../contract/user-error.ts';
import type { Accepted } from './accepted.ts';

/** Wrong settings: one line for each, with the remedy and without secrets. */
export class SettingsError extends UserError {
  readonly lines: readonly string[];

  constructor(lines: readonly string[]) {
    super(lines.join('\n'));
    this.name = 'SettingsError';
    this.lines = lines;
  }
}

/** The values of settings by their names. */
export type Values<Table extends v.ObjectEntries> = v.InferOutput<v.ObjectSchema<Table, undefined>>;

/** Lines about mistakes that were found otherwise. */
interface FurtherLines {
  readonly before: readonly string[];
  readonly after: readonly string[];
}

/**
 * Reads each setting by its own schema.
 * @param texts by the names of the settings
 * @param files reads credentials in files; a setting `NAME_FILE` gives the value of NAME
 * @throws SettingsError with a line for each mistake
 */
export function parse<Table extends v.ObjectEntries>(
  table: Table,
  texts: Readonly<Record<string, string>>,
  files: Readonly<Record<string, Accepted<Secret>>> = {},
  { before, after }: FurtherLines = { before: [], after: [] },
): Values<Table> {
  const direct = v.safeParse(v.object(table), texts);
  const inFiles = v.safeParse(v.partial(v.object(files)), texts);
  const scrubber = new Scrubber();
  for (const value of [direct, inFiles].flatMap(({ output }) => Object.values(output ?? {})))
    if (value instanceof Secret) scrubber.learn(value);
  const issues = [direct, inFiles].flatMap((result) => result.issues ?? []);
  const lines = issues.map((issue) => `${v.getDotPath(issue)} ${formatMistake(issue, scrubber)}`);
  const all = [...before, ...lines, ...after];
  if (!direct.success || !inFiles.success || all.length > 0) throw new SettingsError(all);
  const secrets = Object.entries(inFiles.output);
  return {
    ...direct.output,
    ...Object.fromEntries(secrets.map(([name, secret]) => [name.replace(/_FILE$/, ''), secret])),
  };
}

/** A mistake's message, in which `{text}` stands for as much of the user's text as may be shown. */
export const formatMistake = (
  { message, input }: { readonly message: string; readonly input: unknown },
  scrubber: Scrubber,
): string => message.replace('{text}', () => shown(String(input), scrubber));

/**
 * The part of a wrong text that may be shown. A text that may be an address with credentials is not shown, and what
 * looks like a key is masked, because users mistake one setting for another.
 */
function shown(text: string, scrubber: Scrubber): string {
  if (text.includes('@')) return 'a text that holds "@", and so is not shown';
  const [clean = ''] = printable(masked(scrubber.scrubWhole(text))).split('?');
  return `"${clean.length > 80 ? `${clean.slice(0, 79)}…` : clean}"`;
}
