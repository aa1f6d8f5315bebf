import { mustHold } from '../clauses.ts';
import type { Probe } from '../probe.ts';
import type { ProbeResult } from '../round/attempt.ts';
import type { Round } from '../round/round.ts';
import type { ClauseVerdict } from '../round/verdict.ts';
import { failureOf } from './findings.ts';
import {
  type Failure,
  type Item,
  type Level,
  levelAt,
  type Mark,
  type Report,
  type Row,
  type RunError,
  type Section,
} from './report.ts';
import { cost, count, firstLine } from './words.ts';

/** What a report needs beside the round. */
export interface Context {
  /** The base address as it may be shown, or `sandbox`. */
  readonly target: string;
  /** As findings name them. */
  readonly endpoints: readonly string[];
  /** The command to run again; a clause's id is appended. */
  readonly again: string;
  readonly tookSeconds: number;
  /** The tests of a team in the same run. */
  readonly checks?: readonly Check[];
}

/** A test of a team beside the clauses. */
export interface Check {
  readonly title: string;
  /** `checks/orders.spec.ts:12` */
  readonly place: string;
  readonly verdict: ClauseVerdict['verdict'];
  /** The lines of its error. */
  readonly findings: readonly string[];
}

/** A run of a probe as plain data. */
export interface ReportedRun extends Omit<ProbeResult, 'probe'> {
  readonly probe: Pick<Probe, 'name' | 'clauses'>;
}

/** A round as plain data: all that a report is made of. */
export interface ReportedRound extends Omit<Round, 'scrub' | 'results'> {
  readonly results: readonly ReportedRun[];
}

/** The report of the gate. */
export function reportOf(round: ReportedRound, context: Context): Report {
  const { target, again, tookSeconds, checks = [] } = context;
  const { clauses, startedAt, observations, requests, exit, unjudged } = round;
  const isSilent = nothingJudged(round);
  const areas = Map.groupBy(clauses, ({ clause }) => clause.id.split('-')[0]);
  const observed = observations.map(({ id, fact, value }, index) => ({
    label: (id === observations[index - 1]?.id ? '' : id).padEnd(idWidth),
    text: `${fact}: ${value}`,
  }));
  return {
    name: 'Contract',
    file: 'gate.json',
    target,
    startedAt,
    tookSeconds,
    level: levelOf(round),
    closing: [
      verdictOn(round, target),
      ...(isSilent ? [] : [counts(clauses)]),
      cost(requests, tookSeconds),
      // Without settings this is the sandbox: the reader must not mistake it for their own provider.
      ...(exit === 2 && unjudged !== undefined ? [] : [target]),
    ],
    notes: notes(round),
    sections: isSilent ? [] : [...[...areas.values()].map(areaSection), ...checkSections(checks)],
    observed: isSilent ? [] : observed,
    failures: [...failuresIn(round, again), ...checks.flatMap(checkFailure)],
    errors: errorsIn(round, target),
  };
}

/** The width of a clause's id and the blanks behind it. */
const idWidth = 10;

const itemOf = ({ clause: { id, text }, verdict, cause, reason }: ClauseVerdict): Item => {
  const mark: Mark = cause === 'prevented' ? cause : verdict;
  return { mark, label: id.padEnd(idWidth), text, ...(reason === undefined ? {} : { reason }) };
};

const areaSection = (area: readonly ClauseVerdict[]): Section => ({ items: area.map(itemOf) });

function checkSections(checks: readonly Check[]): Section[] {
  const items = checks.map(
    ({ title, place, verdict }): Item => ({
      mark: verdict,
      label: '',
      text: title,
      note: place,
    }),
  );
  return items.length === 0 ? [] : [{ heading: 'Own checks', items }];
}

function checkFailure({ title, place, verdict, findings }: Check): Failure[] {
  if (verdict !== 'violated') return [];
  const rows = findings.map((line): Row => ['', line]);
  return [{ id: title, text: place, evidence: [{ rows, times: 1, also: [] }] }];
}

/** @param again the command that repeats the round, without its words */
export const failuresIn = (
  { clauses, results }: Pick<ReportedRound, 'clauses' | 'results'>,
  again: string,
) =>
  clauses
    .filter(({ verdict }) => verdict === 'violated')
    .map((verdict) => failureOf(verdict, results, again));

/** The errors of a round that concern no clause. */
export function errorsIn(round: ReportedRound, target: string): RunError[] {
  const { unjudged, exit, results } = round;
  const title = 'The provider could not be judged';
  const errors: (RunError | false)[] = [
    unjudged !== undefined && { type: 'unjudged', title, text: firstLine(unjudged) },
    exit === 2 &&
      unjudged === undefined && {
        type: 'unverified',
        title: 'Not every clause is verified',
        text: verdictOn(round, target),
      },
    ...results
      .filter(({ outcome }) => outcome === 'defect')
      .map(
        ({ probe, endpoint, detail = '' }): RunError => ({
          type: 'defect',
          title: `${probe.name} on ${endpoint}`,
          text: detail,
        }),
      ),
  ];
  return errors.filter((error) => error !== false);
}

/** How many clauses have each verdict, and how many of the unverified ones were prevented. */
export function tally(clauses: readonly ClauseVerdict[]) {
  const having = (wanted: ClauseVerdict['verdict']): number =>
    clauses.filter(({ verdict }) => verdict === wanted).length;
  return {
    holds: having('holds'),
    violated: having('violated'),
    unverified: having('unverified'),
    prevented: clauses.filter(({ cause }) => cause === 'prevented').length,
  };
}

/** `14 held, 1 violated, 6 unverified (2 prevented)`. */
export function counts(clauses: readonly ClauseVerdict[]): string {
  const { holds, violated, unverified, prevented } = tally(clauses);
  const which = prevented === unverified ? 'all' : prevented;
  return [
    `${holds} held`,
    ...(violated === 0 ? [] : [`${violated} violated`]),
    ...(unverified === 0 ? [] : [`${unverified} unverified`]),
  ]
    .join(', ')
    .concat(prevented === 0 ? '' : ` (${which} prevented)`);
}

/** From this share of unverified clauses on, a round is not shown as a success: a tick would claim too much. */
const muchUnverified = 1 / 4;

/** A warning is a provider that could not be judged, or a success with too little evidence. */
function levelOf({ exit, clauses }: ReportedRound): Level {
  const { unverified, prevented } = tally(clauses);
  const isMuch = unverified > 0 && unverified >= muchUnverified * clauses.length;
  return exit === 0 && (prevented > 0 || isMuch) ? 'warning' : levelAt(exit);
}

/** The verdict in a few words. A round of a few clauses proves nothing about the others. */
function verdictOn(round: ReportedRound, target: string): string {
  const { exit, clauses, unjudged } = round;
  const part = clauses.length < mustHold.length ? ' as far as selected' : '';
  return (
    [
      tally(clauses).unverified > 0 ? 'No clause violated' : `Contract holds${part}`,
      tally(clauses).violated > 0 ? 'Contract violated' : 'Own check failed',
      unjudged === undefined
        ? 'Not verified, which --strict refuses'
        : `${target} could not be judged${nothingJudged(round) ? '' : ' completely'}: ${firstLine(unjudged)}`,
      'This suite has a defect',
    ] as const
  )[exit];
}

/** Whether all clauses are unverified for the same reason: then that reason is the whole report. */
const nothingJudged = ({ unjudged, clauses, results }: ReportedRound): boolean =>
  unjudged !== undefined &&
  results.every(({ outcome }) => outcome !== 'defect') &&
  clauses.every(({ verdict, reason }) => verdict === 'unverified' && reason === unjudged);

/** The retried requests, what may help if the provider could be judged only in part, and why it could not. */
function notes(round: ReportedRound): string[] {
  const { noise, exit, unjudged } = round;
  const { interrupted = 0, unrepeated = 0, rateLimitedSeconds = 0 } = noise ?? {};
  const isPartly = interrupted > 0 && unjudged !== undefined && !nothingJudged(round);
  const retried = [
    interrupted > 0 && `${count(interrupted, 'interrupted request')} sent again`,
    unrepeated > 0 && `${count(unrepeated, 'unexpected answer')} not given again`,
    rateLimitedSeconds >= 1 &&
      `requests waited ${Math.round(rateLimitedSeconds)} s, as answers with 429 asked`,
  ].filter((part) => part !== false);
  const remedy = isPartly ? '. Too many requests at once? Set PUBLIC_API_RATE' : '';
  return [
    ...(retried.length === 0 ? [] : [`Network: ${retried.join(', ')}${remedy}`]),
    ...(exit === 2 || unjudged === undefined
      ? []
      : [`! Partly not judged: ${firstLine(unjudged)}`]),
  ];
}
