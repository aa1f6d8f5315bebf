import { clauses } from '../../contract/clauses.ts';
import { quotedWord } from '../../contract/http/curl.ts';
import type { Item, Report, Row, Section } from '../../contract/report/report.ts';
import { createDefect, ditto, markAt } from '../../contract/report/report.ts';
import { cost, count, jsonText } from '../../contract/words.ts';
import type { GivenState } from '../states.ts';
import type { PactResult, Verification } from '../verification.ts';

/** What a report needs besides the verification. */
export interface Context {
  readonly startedAt: Date;
  readonly finishedAt: Date;
  /** The command that repeats the verification of the same pacts. */
  readonly again: string;
  /** The words that selected interactions. The report then covers only those. */
  readonly only?: string;
  /** The origin of the pacts, and the results of publishing: one line each. */
  readonly notes: readonly string[];
  /** Whether the broker lacks a result. */
  readonly unpublished: boolean;
  readonly exit: Verification['exit'];
}

/** A verification as every format shows it. Each text is one line, without secrets and control characters. */
export type PactReport = ReturnType<typeof createPactReport>;
type ReportedPact = ReturnType<typeof reportPact>;
type ReportedInteraction = ReportedPact['interactions'][number];

/** Cleans every text, because pacts are foreign texts like a provider's responses. */
export function createPactReport(
  { pacts, clean, ...verification }: Verification,
  { startedAt, finishedAt, again, ...context }: Context,
) {
  return {
    ...cleanValue({ ...verification, ...context, pacts: pacts.map(reportPact) }, clean),
    // Word by word, because a shortened command would not run.
    again: again.split(' ').map(clean).join(' '),
    defect: verification.defect,
    startedAt,
    finishedAt,
  };
}

/** A document with each of its texts cleaned. */
const cleanValue = <Value>(value: Value, clean: Verification['clean']): Value =>
  JSON.parse(
    JSON.stringify(value, (_, inner) => (typeof inner === 'string' ? clean(inner) : inner)),
  );

const reportPact = ({ source: { pact, from, pending: isPending }, interactions }: PactResult) => ({
  consumer: pact.consumer,
  from,
  /** The broker declared it pending, so no failure of it fails the run. */
  pending: isPending,
  messages: pact.messages,
  interactions: interactions.map(({ interaction, ...result }) => ({
    description: interaction.description,
    states: interaction.states.map(stateText),
    clauses: interaction.clauses,
    pending: isPending || interaction.pending,
    ...result,
  })),
});

/** `a protected endpoint (method GET)` */
function stateText({ name, parameters }: GivenState): string {
  const words = Object.entries(parameters).map(
    ([key, value]) => `${key} ${typeof value === 'string' ? value : JSON.stringify(value)}`,
  );
  return words.length === 0 ? name : `${name} (${words.join(', ')})`;
}

/** `pacts.json`, the report for programs. Its schema is `schemas/pact-report.json`. */
export const pactsJson = ({ again: _, ...report }: PactReport): string =>
  jsonText({ ...report, version: 1 });

/** A verification as all formats show it. */
export function createReport(report: PactReport): Report {
  const { target, startedAt, finishedAt, exit, only, requests, unjudged, notes, pacts } = report;
  const tookSeconds = (finishedAt.getTime() - startedAt.getTime()) / 1000;
  // If no interaction has a verdict, because of the provider, the last line says it all.
  const shown = unjudged !== undefined && !hasVerdict(report) ? [] : pacts;
  return {
    file: 'pacts.json',
    target,
    startedAt,
    tookSeconds,
    mark: markAt(exit),
    closing: [
      headline(report),
      ...(shown.length > 0 ? [counts(report)] : []),
      ...(only === undefined ? [] : [`only ${JSON.stringify(only)}`]),
      cost(requests, tookSeconds),
      // Without a setting the target is the sandbox. The reader must not confuse it with their own provider.
      ...(requests === 0 || unjudged !== undefined ? [] : [target]),
    ],
    notes,
    sections: shown.map(createSection),
    failures: [
      ...shown.flatMap((pact) => listFailures(pact, report.again)),
      ...(report.defect === undefined ? [] : [createDefect('the verification', report.defect)]),
    ],
    incomplete: exit === 2 ? headline(report) : unjudged,
    suites: pacts.map((pact) => createSuite(pact, report.again)),
  };
}

const listFailures = ({ consumer, interactions }: ReportedPact, again: string): Item[] =>
  interactions
    .filter(({ ending }) => ending === 'failed')
    .map((interaction) => {
      const note = `(${consumer}${interaction.pending ? ', pending' : ''})`;
      return createItem(interaction, again, interaction.description, note);
    });

const marks = { verified: 'holds', failed: 'violated', unverified: 'unverified' } as const;

const createSection = ({ interactions, ...pact }: ReportedPact): Section => ({
  heading: `${pact.consumer}  ${pact.from}`,
  notes: [
    ...(pact.pending ? ['pending: no failure of it fails the run'] : []),
    ...pact.messages.map((message) => `a message, which is not verified here: ${message}`),
  ],
  items: interactions.flatMap(({ description, clauses: ids, ending, ...result }) => [
    {
      mark: result.isPrevented ? ('prevented' as const) : marks[ending],
      label: '',
      text: description,
      note: [...ids, ...(result.remarks ?? [])].join(' '),
      ...(ending === 'unverified' ? { reason: result.reason } : {}),
    },
    // Those of failures stand below them.
    ...(ending === 'failed' ? [] : result.warnings).map((warning) => ({
      label: '',
      text: `warning: ${warning}`,
    })),
  ]),
});

/** A suite of JUnit, with a case for each interaction. */
const createSuite = ({ consumer, from, interactions }: ReportedPact, again: string): Section => ({
  heading: `${consumer}  ${from}`,
  items: interactions.map((interaction) => {
    const { description, states } = interaction;
    const given = states.length === 0 ? '' : `, given ${states.join(' and ')}`;
    return createItem(interaction, again, consumer, description + given);
  }),
});

/** An interaction; if it failed, with its evidence and the command that repeats it. */
function createItem(judged: ReportedInteraction, again: string, label: string, text: string): Item {
  const { description, ending, reason, mismatches, pending } = judged;
  if (ending !== 'failed') return { mark: marks[ending], label, text, reason };
  return {
    mark: pending ? 'known' : 'violated',
    label,
    text,
    reason: mismatches[0]?.what ?? reason,
    evidence: [
      [...createRows(judged), ['again', `${again} --interaction ${quotedWord(description)}`]],
    ],
  };
}

/** The number of differences shown for one interaction. */
const maxShown = 4;

/** Its clauses, states and request, and the differences of the response from the expectation. */
function createRows(interaction: ReportedInteraction): Row[] {
  const { states, asked, remarks = [], reason, mismatches, body, likely, warnings } = interaction;
  const left = mismatches.length - maxShown;
  const rows: (readonly [label: string, text: string | undefined])[] = [
    ...states.map((state, index): Row => [index === 0 ? 'given' : ditto, state]),
    ['asked', asked],
    ...remarks.map((text): Row => [ditto, text]),
    ['because', reason],
    ...mismatches.slice(0, maxShown).flatMap(({ what, expected, received }): Row[] => [
      ['expected', expected],
      ['received', received],
      [ditto, what],
    ]),
    [ditto, left > 0 ? `and ${count(left, 'more difference')}, see pacts.json` : undefined],
    ['body', body],
    ['likely', likely],
    ...warnings.map((warning): Row => ['warning', warning]),
  ];
  return [
    ...clauseRows(interaction),
    ...rows.flatMap(([label, text]): Row[] => (text === undefined ? [] : [[label, text]])),
  ];
}

/** The sentence of its first clause, and the ids of the others. */
function clauseRows({ clauses: ids }: ReportedInteraction): Row[] {
  const [first, ...others] = ids;
  const clause = clauses.find(({ id }) => id === first);
  if (clause === undefined) return [];
  const also = others.length === 0 ? '' : ` (also ${others.join(', ')})`;
  return [[clause.id, `${clause.text}${also}`]];
}

/** The interactions by their outcome. Failures of pending interactions are separate. */
const byOutcome = ({ pacts }: PactReport) =>
  Object.groupBy(
    pacts.flatMap(({ interactions }) => interactions),
    ({ ending, pending }) => (ending === 'failed' && pending ? 'failed but pending' : ending),
  );

const hasVerdict = ({ pacts }: PactReport): boolean =>
  pacts.some(({ interactions }) => interactions.some(({ ending }) => ending !== 'unverified'));

/** The verdict in one sentence, without a full stop. */
function headline(report: PactReport): string {
  const { exit, target, unjudged, unpublished } = report;
  const { failed = [], unverified = [], ...others } = byOutcome(report);
  const which = others['failed but pending'] === undefined ? '' : ' that counts';
  const verdict =
    unverified.length === 0 ? `Every pact${which} is kept` : `No pact${which} is broken`;
  if (exit === 0) return verdict;
  if (exit === 1)
    return `${failed.length === 1 ? 'An interaction is' : `${failed.length} interactions are`} not as the pact expects`;
  if (exit === 3) return 'This suite has a defect';
  if (unjudged !== undefined) return `${target} could not be judged: ${unjudged}`;
  if (unpublished) return 'A result is not in the broker';
  const reason = unverified.find(({ pending }) => !pending)?.reason ?? '';
  return `${hasVerdict(report) ? 'Not everything' : 'Nothing'} could be verified: ${reason}`;
}

/** `11 verified, 1 failed, 2 unverified`. */
function counts(report: PactReport): string {
  const outcomes = byOutcome(report);
  return (['verified', 'failed', 'failed but pending', 'unverified'] as const)
    .map((outcome) => `${outcomes[outcome]?.length ?? 0} ${outcome}`)
    .filter((text) => !/^0 (?!verified)/.test(text))
    .join(', ');
}
