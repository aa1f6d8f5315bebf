import { type Finding, findingRows } from '../finding.ts';
import type { Probe } from '../probe.ts';
import type { ClauseVerdict } from '../round/verdict.ts';
import type { Evidence, Failure, Row } from './report.ts';

/** Another place where the same was found. */
type Place = Pick<Finding, 'probe' | 'endpoint' | 'when'>;

/** A finding with its evidence, and the other places with the same expectation and the same answer. */
export interface MergedFinding extends Omit<Finding, 'clause'> {
  /** How often it was found in all; absent if it was found once. */
  readonly times?: number;
  /** The other places, or the first of many. */
  readonly also?: readonly Place[];
}

/** A deviation may show at hundreds of places, which nobody reads. */
const mostPlaces = 50;

/** The findings of a clause, those with the same expectation and the same answer as one. */
export const merged = (findings: readonly Finding[]): MergedFinding[] =>
  [...Map.groupBy(findings, likeness).values()].flatMap(([first, ...others]): MergedFinding[] => {
    if (first === undefined) return [];
    const { clause: _, ...finding } = first;
    if (others.length === 0) return [finding];
    const places = new Map([first, ...variedFirst(others)].map((one) => [placeKey(one), one]));
    places.delete(placeKey(first));
    const also = [...places.values()].slice(0, mostPlaces).map(placeOf);
    return [{ ...finding, times: 1 + others.length, ...(also.length === 0 ? {} : { also }) }];
  });

const placeOf = ({ probe, endpoint, when }: Finding): Place => ({ probe, endpoint, when });
const placeKey = (finding: Finding): string => JSON.stringify(placeOf(finding));

/** Answers that differ only in their size, or in the kind of success, are the same. */
const likeness = ({ expected, received, seen }: Finding): string =>
  JSON.stringify([
    seen === undefined,
    expected,
    received.replace(/^2\d\d\b/, '2xx').replace(/\d+ bytes?/, ''),
  ]);

/** The last finding of each occasion comes first: it shows how long an expired token is accepted. */
function variedFirst(findings: readonly Finding[]): Finding[] {
  const byOccasion = Map.groupBy(findings, ({ when }) => when.replace(/\d+/g, '0'));
  const last = new Set([...byOccasion.values()].flatMap((same) => same.slice(-1)));
  return [...last, ...findings.filter((finding) => !last.has(finding))];
}

/** A run of a probe, as far as it matters here. */
interface Named {
  readonly probe: Pick<Probe, 'name' | 'clauses'>;
}

/** A violated clause with its findings. @param again the command that repeats the run, without its words */
export const failureOf = (
  { clause: { id, text }, findings }: ClauseVerdict,
  results: readonly Named[],
  again: string,
): Failure => ({
  id,
  text,
  evidence: merged(findings).map(evidenceOf),
  again: `${again} ${wordsFor(id, findings, results)}`,
});

/** Time, request, expectation, answer and repetitions. */
function evidenceOf(finding: MergedFinding): Evidence {
  const { when, times = 1, also = [] } = finding;
  const rows = findingRows.flatMap((label): Row[] => {
    const { [label]: text = '' } = finding;
    return text === '' ? [] : [[label, text]];
  });
  return {
    rows: when === '' ? rows : [['', when], ...rows],
    times,
    also: also.map((place) => placeText(place, finding)),
  };
}

/** In what another place differs. */
const placeText = (place: Place, { when, endpoint }: Place): string =>
  [
    ...(place.when === when || place.when === '' ? [] : [place.when]),
    ...(place.endpoint === endpoint ? [] : [`on ${place.endpoint}`]),
  ].join(', ') || `by ${place.probe}`;

/** More probes than these only make a command longer, because each of them finds the clause violated. */
const probesNamed = 3;

/** The clause, or else the probes of other clauses that found it violated. */
function wordsFor(
  id: ClauseVerdict['clause']['id'],
  findings: readonly Finding[],
  results: readonly Named[],
): string {
  const finders = [...new Set(findings.map(({ probe }) => probe))];
  const isAbout = ({ probe }: Named): boolean =>
    probe.clauses.includes(id) && finders.includes(probe.name);
  return results.some(isAbout) ? id : finders.slice(0, probesNamed).join(' ');
}
