import { mustHold } from '../clauses.ts';
import { UserError } from '../command.ts';
import type { Probe } from '../probe.ts';
import { mask } from '../secrets/masked.ts';

/** Whether a word names an area (`EXPIRY`), a clause (`EXPIRY-2`) of these, or the probe. Case does not matter. */
const names = (word: string, clauses: readonly string[], probe?: Probe): boolean =>
  word.toLowerCase() === probe?.name ||
  clauses.some((id) => `${id}-`.startsWith(`${word.toUpperCase()}-`));

/**
 * The probes that words name; without words all of them.
 * @throws UserError for a word that names no area, clause or probe: one line
 */
export function select(probes: readonly Probe[], words: readonly string[]): readonly Probe[] {
  for (const word of words)
    if (!probes.some((probe) => names(word, probe.clauses, probe))) throw unknown(word);
  if (words.length === 0) return probes;
  return probes.filter((probe) => words.some((word) => names(word, probe.clauses, probe)));
}

/**
 * Leaves out the clauses and probes that words name. A probe stays for its other clauses.
 * @returns with the clauses that are not reported @throws UserError as `select` does
 */
export function exclude(probes: readonly Probe[], words: readonly string[]) {
  select(probes, words);
  const isLeft = (id: string): boolean => !words.some((word) => names(word, [id]));
  const left = probes
    .filter((probe) => !words.some((word) => names(word, [], probe)))
    .map((probe) => ({ ...probe, clauses: probe.clauses.filter(isLeft) }))
    .filter(({ clauses }) => clauses.length > 0);
  const ids = mustHold.map(({ id }) => id);
  return { probes: left, excluded: new Set(ids.filter((id) => !isLeft(id))) };
}

function unknown(word: string): UserError {
  const areas = [...new Set(mustHold.map(({ id }) => id.split('-', 1)[0]))];
  return new UserError(
    `${mask(JSON.stringify(word))} is not an area (${areas.join(', ')}), a clause (${areas[0]}-1 …) or a probe: npm run gate -- --list shows them all`,
  );
}

/** What would run: each probe with its clauses, where it runs and when. */
export const listing = (probes: readonly Probe[]): string =>
  probes
    .map(
      ({ name, clauses, scope, stage }) => `${name}  ${clauses.join(' ')}  (${scope}, ${stage})\n`,
    )
    .join('');
