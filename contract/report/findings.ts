import { type Finding, findingRows } from '../finding.ts';
import type { ProbeResult } from '../round/attempt.ts';
import type { ClauseVerdict } from '../round/verdict.ts';
import { count } from '../words.ts';
import { ditto, type Item, type Row } from './report.ts';

/** Another place where the same was found. */
type Place = Pick<Finding, 'probe' | 'endpoint' | 'when'>;

/** A deviation may show at hundreds of places, which nobody reads. */
const maxPlaces = 50;

/** A clause and its findings in a document for programs. */
export const clauseJson = ({
  clause: { id, text },
  findings,
  reason,
  ...judged
}: ClauseVerdict) => {
  const verdict =
    judged.verdict === 'known' ? { verdict: 'violated', known: reason } : { ...judged, reason };
  return { id, text, ...verdict, findings: mergeFindings(findings) };
};

/**
 * The findings of a clause, those with the same expectation and the same answer as one: `times` says how often it was
 * found, `also` where else, or the first places of many. Both are absent if it was found once.
 */
export const mergeFindings = (findings: readonly Finding[]) =>
  [...Map.groupBy(findings, likeness).values()].flatMap(([first, ...others]) => {
    if (first === undefined) return [];
    const { clause: _, ...finding } = first;
    const places = new Map(others.map(placeFor).map((place) => [JSON.stringify(place), place]));
    places.delete(JSON.stringify(placeFor(first)));
    const also = places.size === 0 ? undefined : [...places.values()].slice(0, maxPlaces);
    return [{ ...finding, times: others.length === 0 ? undefined : 1 + others.length, also }];
  });

const placeFor = ({ probe, endpoint, when }: Finding): Place => ({ probe, endpoint, when });

/** Answers that differ only in their size, or in the kind of success, are the same. */
const likeness = ({ expected, received, seen, known }: Finding): string =>
  JSON.stringify([!seen, known, expected, received.replace(/^2\d\d\b|\d+ bytes?/g, '')]);

/** More probes than these only make a command longer, because each of them finds the clause violated. */
const probesNamed = 3;

/** More different findings of one clause hardly help to mend it. */
const maxShown = 5;

/**
 * A clause, with what was found.
 * @param again the command that repeats the run, if there is one; the clause is appended, or else the probes of other
 * clauses that found it violated
 */
export function clauseItem(
  { clause: { id, text }, verdict, cause, reason, diagnosis, findings }: ClauseVerdict,
  results: readonly Pick<ProbeResult, 'probe'>[],
  again?: string,
): Item {
  const mark = cause === undefined || cause === 'unconfigured' ? verdict : cause;
  const item = { mark, label: id, text, reason };
  const [first] = findings;
  if (first === undefined || verdict === 'known') return item;
  const finders = [...new Set(findings.map(({ probe }) => probe))];
  const isFoundByItsOwn = results.some(
    ({ probe }) => probe.clauses.includes(id) && finders.includes(probe.name),
  );
  const words = isFoundByItsOwn ? id : finders.slice(0, probesNamed).join(' ');
  const merged = mergeFindings(findings);
  const evidence = merged.slice(0, maxShown).map(createRows);
  if (diagnosis !== undefined) evidence[0]?.unshift(['', diagnosis]);
  const left = merged.length - maxShown;
  if (left > 0)
    evidence.push([['', `${count(left, 'further finding')}, which the JSON report has`]]);
  if (again !== undefined) evidence.at(-1)?.push(['again', `${again} ${words}`]);
  return { ...item, reason: sentence(first), evidence };
}

/** A finding as one sentence for a list of failed tests. `when` comes first, because that is the cause. */
const sentence = ({ when, expected, received, seen }: Finding): string =>
  `${when && `${when}: `}expected ${expected}, received ${received}${seen ? `, seen in ${seen}` : ''}`;

/** Of the other places, a reader of a report is told the first ones. */
const placesShown = 3;

/** Time, request, expectation, answer and repetitions; of other places that in which they differ. */
function createRows(merger: ReturnType<typeof mergeFindings>[number]): Row[] {
  const { when, endpoint, times = 1, also = [], ...finding } = merger;
  const difference = (place: Place): string =>
    [place.when !== when && place.when, place.endpoint !== endpoint && `on ${place.endpoint}`]
      .filter(Boolean)
      .join(', ') || `by ${place.probe}`;
  const places = also.slice(0, placesShown).map(difference);
  const more = times - 1 - places.length;
  if (more > 0) places.push(`and ${more.toLocaleString('en-GB')} more like this`);
  const rows: readonly Row[] = [
    ['', when],
    ...findingRows.map((label): Row => [label, finding[label] ?? '']),
    ...places.map((place, at): Row => [at === 0 ? 'also' : ditto, place]),
  ];
  return rows.filter(([, text]) => text !== '');
}
