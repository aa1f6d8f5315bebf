import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { SettingsError } from '../config/fields.ts';
import { fromRoot } from './process.ts';

/** A file with one mistake. */
export interface Mistake {
  /** Its name, which says what the mistake is. */
  readonly name: string;
  readonly file: string;
  /** The lines that report it. */
  readonly errors: readonly string[];
}

/** Reads a table of such files. */
export function readMistakes(table: string): Mistake[] {
  const rows: Readonly<Record<string, Readonly<Record<'file' | 'errors', string>>>> = parse(
    readFileSync(fromRoot(table), 'utf8'),
  );
  return Object.entries(rows).map(([name, { file, errors }]) => ({
    name: name.replaceAll('-', ' '),
    file,
    errors: errors.trimEnd().split('\n'),
  }));
}

/** The lines that refuse settings: each is one line. */
export function errorLines(read: () => unknown): readonly string[] {
  try {
    read();
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error;
    return error.message.split('\n');
  }
  throw new Error('the settings were accepted');
}
