/** Deviations that a team knows: in a target of the targets file, and in a file of their own. */
import * as v from 'valibot';
import { mustHold } from '../contract/clauses.ts';
import { days } from '../contract/durations.ts';
import type { Finding } from '../contract/finding.ts';
import type { KnownDeviation } from '../contract/known.ts';
import * as fields from './fields.ts';
import { addEntries, parseYaml, readYaml, writeYaml } from './yaml-file.ts';

const clauses = mustHold.map(({ id }) => id);

/** It counts again from the next day on, in UTC. */
const lastDay = fields.withMessage(
  'a day such as 2026-12-31',
  v.pipe(
    v.string(),
    v.isoDate(),
    v.transform((day) => Date.parse(day) + days(1)),
  ),
);

/** Those of a target, or each with the name of its target. */
export const deviations = fields.list(
  'a list of deviations such as { clause: ERROR-1, reason: … }',
  fields.map('{ clause: ERROR-1, reason: … }', {
    clause: fields.listed('a clause', clauses),
    endpoint: v.optional(fields.oneLine),
    probe: v.optional(fields.oneLine),
    target: v.optional(fields.oneLine),
    reason: fields.matching('a text of one line that says why', /^\P{Cc}{1,200}$/u),
    until: v.optional(lastDay),
  }),
);

/** The team may have removed all of them. */
const knownFile = v.nullish(
  fields.map('a map that holds known', { known: v.nullish(deviations, []) }),
  {},
);

/**
 * Reads such a file. @throws SettingsError
 * @returns the known deviations of a target by its name, if it has one, with those of others that are its own
 */
export function readKnown(file: string | undefined) {
  const { known } = file === undefined ? { known: [] } : parseYaml(file, knownFile);
  return (
    target?: string,
    others: v.InferOutput<typeof deviations> = [],
  ): readonly KnownDeviation[] =>
    [...others, ...known].filter(({ target: of }) => of === undefined || of === target);
}

/**
 * Adds the findings that are not known yet, for their team to say why.
 * @param endpoints of the target: a deviation of all of them is one entry @returns how many were added
 * @throws SettingsError if the file cannot be written
 */
export async function addKnown(
  file: string,
  findings: readonly Finding[],
  { endpoints, target }: { readonly endpoints: readonly string[]; readonly target?: string },
): Promise<number> {
  const fresh = findings.filter(({ known }) => known === undefined);
  // A refusal of a wrong form is found by many probes, and is one deviation. Any other is that of its probe.
  const createKind = ({ clause: id, probe }: Finding) =>
    id.startsWith('ERROR') ? id : `${id} ${probe}`;
  const reason = 'say why it is tolerated, and until when';
  const entries = [...Map.groupBy(fresh, createKind)].flatMap(([kind, same]) => {
    const [id, probe] = kind.split(' ');
    const places = new Set(same.map(({ endpoint }) => endpoint));
    const isEverywhere = endpoints.length > 1 && endpoints.every((place) => places.has(place));
    const shown = isEverywhere ? [undefined] : [...places];
    return shown.map((endpoint) => ({ clause: id, endpoint, probe, target, reason }));
  });
  const { document } = readYaml(file);
  addEntries(document, ['known'], entries);
  await writeYaml(file, document);
  return entries.length;
}
