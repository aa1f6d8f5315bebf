/** Deviations that a team knows: in a target of the targets file, and in a file of their own. */
import { writeFileSync } from 'node:fs';
import * as v from 'valibot';
import { mustHold } from '../contract/clauses.ts';
import type { Finding } from '../contract/finding.ts';
import { isObject } from '../contract/json-value.ts';
import type { KnownDeviation } from '../contract/known.ts';
import { days } from '../contract/time/clock.ts';
import { Unaccepted } from './accepted.ts';
import * as fields from './fields.ts';
import { SettingsError } from './mistakes.ts';
import { hint } from './nearest.ts';
import { readYaml, withEntries } from './yaml-file.ts';

const clause = v.pipe(
  v.string('is not a clause such as ERROR-1'),
  fields.reading((given) => {
    const ids = mustHold.map(({ id }) => id);
    const found = ids.find((id) => id === given);
    if (found !== undefined) return found;
    throw new Unaccepted(`is not a clause${hint(given, ids)} (npm run gate -- --list shows all)`);
  }),
);

/** It counts again from the next day on, in UTC. */
const lastDay = fields.called(
  'a day such as 2026-12-31',
  v.pipe(
    v.string(),
    v.isoDate(),
    // There is no 2026-02-31.
    v.check((given) => new Date(given).getUTCDate() === Number(given.slice(8))),
    v.transform((given) => Date.parse(given) + days(1)),
  ),
);

const ofDeviation = {
  clause,
  endpoint: v.optional(fields.oneLine),
  probe: v.optional(fields.oneLine),
  reason: fields.text('a text of one line that says why', /^\P{Cc}{1,200}$/u),
  until: v.optional(lastDay),
};

const listOf = <const Entries extends v.ObjectEntries>(entries: Entries) =>
  fields.list(
    'a list of deviations such as { clause: ERROR-1, reason: … }',
    fields.map('{ clause: ERROR-1, reason: … }', entries),
    0,
  );

/** The field `known` of a target. */
export const deviations = listOf(ofDeviation);

const knownFile = fields.map('a map that holds known', {
  known: listOf({ ...ofDeviation, target: v.optional(fields.oneLine) }),
});

/**
 * The known deviations of a target in such a file; none without a file.
 * @param target its name, if it has one @throws SettingsError of one line
 */
export function readKnown(file: string | undefined, target?: string): readonly KnownDeviation[] {
  if (file === undefined) return [];
  const { value: given, offsetOf, position } = readYaml(file);
  const { known = undefined, ...others } = Object(given);
  const value = isObject(given) || given === null ? { ...others, known: known ?? [] } : given;
  const { success, output, issues } = v.safeParse(knownFile, value, { abortPipeEarly: true });
  if (success) return output.known.filter(({ target: of }) => of === undefined || of === target);
  const [{ path: steps = [], message }] = issues;
  const place = steps.map(({ key }) => (typeof key === 'number' ? key : String(key)));
  const name = steps.at(-1)?.key ?? 'the file';
  throw new SettingsError([`${position(offsetOf({ path: place }))}: ${name} ${message}`]);
}

/**
 * Adds the findings that are not known yet, for their team to say why.
 * @param endpoints of the target: a deviation of all of them is one entry @returns how many were added
 */
export function addKnown(
  file: string,
  findings: readonly Finding[],
  { endpoints, target }: { readonly endpoints: readonly string[]; readonly target?: string },
): number {
  const fresh = findings.filter(({ known }) => known === undefined);
  // A refusal of a wrong form is found by many probes, and is one deviation. Any other is that of its probe.
  const probeOf = ({ clause: id, probe }: Finding) => (id.startsWith('ERROR') ? undefined : probe);
  const kinds = Map.groupBy(fresh, (one) => `${one.clause} ${probeOf(one)}`);
  const entries = [...kinds.values()].flatMap((same) => {
    const [first] = same;
    const probe = first && probeOf(first);
    const places = [...new Set(same.map(({ endpoint }) => endpoint))];
    const isEverywhere = endpoints.length > 1 && endpoints.every((one) => places.includes(one));
    return (isEverywhere ? [undefined] : places).map((endpoint) => ({
      clause: first?.clause,
      ...(endpoint && { endpoint }),
      ...(probe && { probe }),
      ...(target && { target }),
      reason: 'say why it is tolerated, and until when',
    }));
  });
  writeFileSync(file, withEntries(readYaml(file).text, 'known', entries));
  return entries.length;
}
