import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { commandTable } from './commands.ts';
import { withPart } from './markdown.ts';
import { envExample, settingTables } from './settings.ts';
import { clauseTable, metricTable, stateTable } from './tables.ts';
import { targetsSchemaText } from './targets-schema.ts';
import { validatorsText } from './validators.ts';

/** A generated text: a part of a document, between its markers, or a whole file. */
interface Generated {
  /** The path from the root. */
  readonly file: string;
  /** The name in the markers. */
  readonly name: string;
  readonly whole?: true;
  text(): string;
}

export const generated: readonly Generated[] = [
  { file: 'README.md', name: 'commands', text: commandTable },
  { file: 'contract/README.md', name: 'clauses', text: clauseTable },
  { file: 'pacts/README.md', name: 'states', text: stateTable },
  { file: 'config/README.md', name: 'settings', text: settingTables },
  { file: 'monitor/metrics.md', name: 'metrics', text: metricTable },
  { file: '.env.example', name: 'settings', whole: true, text: envExample },
  {
    file: 'schemas/monitor-config.json',
    name: 'schema',
    whole: true,
    text: targetsSchemaText,
  },
  { file: 'schemas/validators.js', name: 'validators', whole: true, text: validatorsText },
];

/** Parts with measured text. tests/monitor/fault-table.spec.ts compares them. */
export const measured: readonly Pick<Generated, 'file' | 'name'>[] = [
  { file: 'monitor/README.md', name: 'faults' },
];

const pathOf = (file: string): URL => new URL(`../../${file}`, import.meta.url);

const textOf = (file: string): string =>
  existsSync(pathOf(file)) ? readFileSync(pathOf(file), 'utf8') : '';

/** The file with its current generated text. @throws when the markers of the part are missing */
function freshText({ file, name, whole, text }: Generated): string {
  if (whole) return text();
  try {
    return withPart(textOf(file), name, text());
  } catch (error) {
    throw new Error(`${file}: ${error instanceof Error ? error.message : error}`);
  }
}

const isStale = (one: Generated): boolean => freshText(one) !== textOf(one.file);

/** The outdated parts, one line each. */
export const stale = (): string[] =>
  generated
    .filter(isStale)
    .map(({ file, name }) => `${file}: ${name} are not as in the code; run npm run docs`);

/** Writes the outdated parts. @returns the names of the files that changed */
export function writeDocuments(): string[] {
  const changed = generated.filter(isStale);
  for (const one of changed) writeFileSync(pathOf(one.file), freshText(one));
  return [...new Set(changed.map(({ file }) => file))];
}
