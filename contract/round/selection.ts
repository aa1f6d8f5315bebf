import { mustHold } from '../clauses.ts';
import { isIntrusive, needsClock, type Probe, type Scope } from '../probe.ts';
import { masked } from '../secrets/masked.ts';
import { UserError } from '../user-error.ts';

/**
 * The probes that words select: an area (`EXPIRY`), a clause (`EXPIRY-2`) or a probe's name; without words all of
 * them. Case does not matter.
 * @throws UserError for a word that names none of these: one line with what it could name
 */
export function select(probes: readonly Probe[], words: readonly string[]): readonly Probe[] {
  if (words.length === 0) return probes;
  const selected = new Set(words.flatMap((word) => named(probes, word)));
  return probes.filter((probe) => selected.has(probe));
}

/** What is left without the named clauses and probes, and the clauses that are then not reported. */
export interface Rest {
  readonly probes: readonly Probe[];
  readonly excluded: ReadonlySet<string>;
}

/**
 * Leaves out areas, clauses and probes. A probe stays for its other clauses.
 * @throws UserError as `select` does
 */
export function exclude(probes: readonly Probe[], words: readonly string[]): Rest {
  const names = new Set(words.map((word) => word.toLowerCase()));
  const isNamed = ({ name }: Probe): boolean => names.has(name);
  const isExcluded = (id: string): boolean =>
    words.some((word) => id === word.toUpperCase() || id.startsWith(`${word.toUpperCase()}-`));
  for (const word of words) named(probes, word);
  const left = probes.flatMap((probe): Probe[] => {
    const clauses = probe.clauses.filter((id) => !isExcluded(id));
    if (isNamed(probe) || clauses.length === 0) return [];
    return [clauses.length === probe.clauses.length ? probe : { ...probe, clauses }];
  });
  return { probes: left, excluded: new Set(mustHold.map(({ id }) => id).filter(isExcluded)) };
}

function named(probes: readonly Probe[], word: string): readonly Probe[] {
  const upper = word.toUpperCase();
  const lower = word.toLowerCase();
  const found = probes.filter(
    ({ name, clauses }) =>
      name === lower || clauses.some((id) => id === upper || id.startsWith(`${upper}-`)),
  );
  if (found.length > 0) return found;
  const areas = [...new Set(mustHold.map(({ id }) => id.split('-')[0]))].join(', ');
  const alike = probes.filter(({ name }) => lower !== '' && name.includes(lower)).slice(0, 3);
  const hint = alike.map(({ name }) => name).join(' or ');
  throw new UserError(
    `${masked(JSON.stringify(word))} is not an area (${areas}), a clause (${areas.split(',')[0]}-1 …) or a probe${hint === '' ? '' : ` (perhaps ${hint})`}: npm run gate -- --list shows them all`,
  );
}

const where: Readonly<Record<Scope, string>> = {
  core: 'on each endpoint',
  deep: 'on the first endpoint',
  service: 'once',
};

/** What would run: each clause with its probes, in the order of the contract. */
export function listing(probes: readonly Probe[]): string {
  const lineOf = (probe: Probe): string => {
    const notes = [
      where[probe.scope],
      ...(needsClock(probe) ? ['needs a clock'] : []),
      ...(isIntrusive(probe) ? ['sends wrong credentials'] : []),
    ];
    return `    ${probe.name}  (${notes.join(', ')})`;
  };
  const clauses = mustHold.flatMap(({ id, text }) => {
    const about = probes.filter((probe) => probe.clauses.includes(id));
    return about.length === 0 ? [] : [`${id}  ${text}`, ...about.map(lineOf)];
  });
  const observing = probes.filter(({ clauses: ids }) => ids.every((id) => id.startsWith('OPEN-')));
  const open = observing.length === 0 ? [] : ['OPEN  What the document leaves open, observed only'];
  return [...clauses, ...open, ...observing.map(lineOf), ''].join('\n');
}
