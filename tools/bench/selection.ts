import type { Measure } from './figure.ts';

/** The measures of a group, by name. */
export type Measures = Readonly<Record<string, Measure>>;

type Groups = Readonly<Record<string, Measures>>;

/**
 * The measures that the arguments name as GROUP or GROUP/MEASURE, each once and in the order of the groups.
 * @returns the measures, and the arguments that name none
 */
export function select(groups: Groups, args: readonly string[]) {
  const names = new Set<string>();
  const measures: Measure[] = [];
  for (const [group, members] of Object.entries(groups)) {
    names.add(group);
    for (const [name, measure] of Object.entries(members)) {
      const full = `${group}/${name}`;
      names.add(full);
      if (args.includes(group) || args.includes(full)) measures.push(measure);
    }
  }
  return { measures, unknown: args.filter((arg) => !names.has(arg)) };
}

/** One line for each group, with the names of its measures. */
export const listed = (groups: Groups): string =>
  Object.entries(groups)
    .map(([group, members]) => `  ${`${group}/`.padEnd(9)} ${Object.keys(members).join(', ')}\n`)
    .join('');
