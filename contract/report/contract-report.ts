import { mustHold } from '../clauses.ts';
import { type ClauseVerdict, type Round, verdicts } from '../round/verdict.ts';
import { brief, cost, firstLine } from '../words.ts';
import { clauseItem, clauseJson } from './findings.ts';
import type { Item, Mark, Report, Row, Section } from './report.ts';
import { createDefect, markAt, splitItem } from './report.ts';

/** What a report needs beside the round. */
export interface Context {
  /** The base address as it may be shown, or `sandbox`. */
  readonly target: string;
  /** As findings name them. */
  readonly endpoints: readonly string[];
  /** The command to run again; a clause's id is appended. */
  readonly again: string;
  /** The tests of a team in the same run. */
  readonly checks?: readonly Check[];
}

/** A test of a team beside the clauses. */
export interface Check {
  readonly title: string;
  /** `checks/orders.spec.ts:12` */
  readonly place: string;
  readonly verdict: 'holds' | 'violated' | 'unverified';
  /** The lines of its error, or why it is not verified. */
  readonly findings: readonly string[];
}

/** The report of the gate, and of a round of the monitor. */
export function createReport(
  round: Round,
  { target, endpoints, again, checks = [] }: Context,
): Report {
  const { clauses, results, startedAt, finishedAt, requests, exit, unjudged } = round;
  const tookSeconds = (finishedAt.getTime() - startedAt.getTime()) / 1000;
  const items = clauses.map((verdict) => clauseItem(verdict, results, again));
  const ownChecks = { heading: 'Own checks', items: checks.map(checkItem) };
  const isSilent = nothingJudged(round);
  const partly =
    exit === 2 || unjudged === undefined ? [] : [`Partly not judged: ${firstLine(unjudged)}`];
  return {
    file: 'gate.json',
    target,
    startedAt,
    tookSeconds,
    mark: chooseMark(round),
    closing: [
      verdictOn(round, target),
      ...(isSilent ? [] : [counts(clauses)]),
      cost(requests, tookSeconds),
      // Without settings this is the sandbox: the reader must not mistake it for their own provider.
      ...(exit === 2 && unjudged !== undefined ? [] : [target]),
    ],
    notes: [...(round.gone ?? []), ...partly].map((line) => `! ${line}`),
    sections: isSilent
      ? []
      : [...groupByArea(items), endpointRows(round, endpoints), ownChecks, listObservations(round)],
    failures: [
      ...[...items, ...ownChecks.items].filter(({ mark }) => mark === 'violated'),
      ...defectsIn(results).map(({ probe, endpoint, detail }) =>
        createDefect(`${probe} on ${endpoint}`, detail),
      ),
    ],
    incomplete: exit === 2 ? verdictOn(round, target) : partly[0],
    suites: [...clauses.map((verdict) => createSuite(verdict, results, again)), ownChecks],
  };
}

function chooseMark({ exit, clauses }: Round): Mark {
  if (exit !== 0) return markAt(exit);
  if (tally(clauses, 'unverified') > 0) return 'prevented';
  return tally(clauses, 'known') > 0 ? 'known' : 'holds';
}

const groupByArea = (clauses: readonly Item[]): Section[] =>
  [...Map.groupBy(clauses, ({ label }) => label.split('-')[0]).values()].map((items) => ({
    items,
  }));

function checkItem({ title, place, verdict, findings }: Check): Item {
  const lines = findings.map((line) => brief(line, 1_000));
  const item = { mark: verdict, label: '', text: title, note: place, reason: lines[0] };
  if (verdict !== 'violated') return item;
  return { ...item, evidence: [lines.map((line): Row => ['', line])] };
}

/** The verdicts on some runs of a round say nothing about what was not run. */
const notRun = { cause: 'prevented', reason: '' } as const;

/** What was found at each of several endpoints. */
function endpointRows({ results }: Round, endpoints: readonly string[]): Section {
  const items = endpoints.map((endpoint): Item => {
    const runs = results.filter((result) => result.endpoint === endpoint);
    const found = verdicts([], runs, notRun);
    const fresh = found.filter(({ verdict }) => verdict === 'violated');
    const shown = fresh.length > 0 ? fresh : found;
    const isOpen = runs.some(({ reason, unproven }) => reason ?? unproven) || runs.length === 0;
    const mark = shown[0]?.verdict ?? (isOpen ? 'prevented' : 'holds');
    const note = shown.map(({ clause }) => clause.id).join(', ');
    return { mark, label: '', text: endpoint, note };
  });
  return { heading: 'Endpoints', isLong: true, items: items.length > 1 ? items : [] };
}

function listObservations({ observations }: Round): Section {
  const items = observations.map((one) => ({ label: one.id, text: `${one.fact}: ${one.value}` }));
  return { heading: 'Observed, not specified by the contract', items };
}

/** A clause with the runs that are about it or found it violated. */
function createSuite(verdict: ClauseVerdict, results: Round['results'], again: string): Section {
  const clause = clauseItem(verdict, results, again);
  const runs = results.flatMap((run) =>
    verdicts([run.probe], [run], notRun)
      .filter(({ clause: { id } }) => id === clause.label)
      .map((found) => clauseItem({ ...found, diagnosis: verdict.diagnosis }, results, again))
      .map((item) => ({ ...item, text: `${run.probe.name} on ${run.endpoint}` })),
  );
  // The verdict may come from no run: probes were not run, or the provider's own words make it doubtful.
  const items = runs.some(({ mark }) => mark === clause.mark) ? runs : [...runs, clause];
  return { heading: splitItem(clause).join(' '), items };
}

const defectsIn = (results: Round['results']) =>
  results
    .filter(({ outcome }) => outcome === 'defect')
    .map(({ probe, endpoint, detail = '' }) => ({ probe: probe.name, endpoint, detail }));

/** How many clauses have a verdict or a cause. */
const tally = (clauses: readonly ClauseVerdict[], wanted: string): number =>
  clauses.filter(({ verdict, cause }) => verdict === wanted || cause === wanted).length;

/** `14 held, 1 violated, 6 unverified`. */
const counts = (clauses: readonly ClauseVerdict[]): string =>
  ['holds', 'violated', 'known', 'unverified']
    .map((verdict) => `${tally(clauses, verdict)} ${verdict.replace('holds', 'held')}`)
    .filter((text) => !/^0 (?!held)/.test(text))
    .join(', ');

/** The verdict in a few words. A round of a few clauses proves nothing about the others. */
function verdictOn(round: Round, target: string): string {
  const { exit, clauses, unjudged } = round;
  const part = clauses.length < mustHold.length ? ' as far as selected' : '';
  const but = tally(clauses, 'known') > 0 ? ' but for known deviations' : '';
  const much = nothingJudged(round) ? '' : ' completely';
  const doubt = clauses.find(({ cause }) => cause === 'doubtful');
  const why = doubt
    ? `${doubt.clause.id} is doubtful: ${doubt.reason}`
    : 'Not verified, which --strict refuses';
  const verdictAt = [
    tally(clauses, 'unverified') > 0 ? `No clause violated${but}` : `Contract holds${part}${but}`,
    tally(clauses, 'violated') > 0 ? 'Contract violated' : 'Own check failed',
    unjudged === undefined ? why : `${target} could not be judged${much}: ${firstLine(unjudged)}`,
    'This suite has a defect',
  ] as const;
  return verdictAt[exit];
}

/** Whether no probe got any answer, all for the same reason: then that reason is the whole report. */
const nothingJudged = ({ unjudged, results }: Round): boolean =>
  unjudged !== undefined && results.every(({ detail }) => detail === unjudged);

/** A round as `schemas/gate-report.json` describes it: for programs, so no text is shortened. */
export function roundJson(round: Round, context: Context): object {
  const { startedAt, finishedAt, exit, unjudged, requests, results, observations } = round;
  const { target, endpoints, checks = [] } = context;
  return {
    target,
    startedAt,
    finishedAt,
    exit,
    clauses: round.clauses.map(clauseJson),
    checks,
    observations,
    unjudged: unjudged && firstLine(unjudged),
    defects: defectsIn(results),
    endpoints,
    requests,
    version: 1,
  };
}
