import { clauses } from '../../../contract/clauses.ts';
import { quotedWord } from '../../../contract/http/curl.ts';
import { annotations, stepSummary } from '../../../contract/report/github.ts';
import { type Case, junitXml, type Suite } from '../../../contract/report/junit.ts';
import {
  ditto,
  type Evidence,
  type Extent,
  type Failure,
  failureText,
  levelAt,
  type Report,
  type Row,
  type RunError,
  type Section,
} from '../../../contract/report/report.ts';
import {
  type TerminalStyle,
  terminalStyleOf,
  terminalText,
} from '../../../contract/report/terminal.ts';
import { cost, count } from '../../../contract/report/words.ts';
import type { ReportForms } from '../../../contract/report/write.ts';
import { mismatchesAtMost } from '../judge.ts';
import {
  counts,
  headline,
  nothingKnown,
  type PactReport,
  pactsJson,
  type ReportedInteraction,
  type ReportedPact,
} from './report.ts';

/** A verification in every form that the command gives. */
export function formsOf(
  pacts: PactReport,
  style: TerminalStyle = terminalStyleOf(process.stdout),
): ReportForms {
  const report = reportOf(pacts);
  return {
    text: terminalText(report, style),
    annotations: () => annotations(report),
    summary: () => stepSummary(report),
    files: {
      'pacts.json': () => pactsJson(pacts),
      'pacts.xml': () =>
        junitXml(
          report,
          pacts.pacts.map((pact) => suiteOf(pact, pacts.again)),
        ),
    },
  };
}

function reportOf(report: PactReport): Report {
  const { target, startedAt, finishedAt, exit, only, requests, unjudged, notes, again } = report;
  const tookSeconds = (finishedAt.getTime() - startedAt.getTime()) / 1000;
  const isKnown = !nothingKnown(report);
  return {
    name: 'Pacts',
    file: 'pacts.json',
    target,
    startedAt,
    tookSeconds,
    level: levelAt(exit),
    closing: [
      headline(report),
      ...(isKnown ? [counts(report)] : []),
      ...(only === undefined ? [] : [`only ${JSON.stringify(only)}`]),
      cost(requests, tookSeconds),
      // Without a setting the target is the sandbox. The reader must not confuse it with their own provider.
      ...(requests === 0 || unjudged !== undefined ? [] : [target]),
    ],
    notes,
    sections: isKnown ? report.pacts.map(sectionOf) : [],
    observed: [],
    failures: isKnown ? report.pacts.flatMap((pact) => failuresOf(pact, again)) : [],
    errors: errorsOf(report),
  };
}

const marks = { verified: 'holds', failed: 'violated', unverified: 'unverified' } as const;

const sectionOf = ({ consumer, from, pending, notices, interactions }: ReportedPact): Section => ({
  heading: `${consumer}  ${from}`,
  notes: [...(pending ? ['pending: no failure of it fails the run'] : []), ...notices],
  items: interactions.map(({ description, clauses: ids, ending, reason }) => ({
    mark: marks[ending],
    label: '',
    text: description,
    note: ids.join(' '),
    ...(ending === 'unverified' && reason !== undefined ? { reason } : {}),
  })),
});

const failuresOf = ({ consumer, interactions }: ReportedPact, again: string): Failure[] =>
  interactions
    .filter(({ ending }) => ending === 'failed')
    .map((interaction) => failureOf(interaction, consumer, again));

/** A failed interaction, with the command that repeats it. */
function failureOf(interaction: ReportedInteraction, consumer: string, again: string): Failure {
  const { description, pending } = interaction;
  return {
    id: description,
    text: `(${consumer}${pending ? ', pending' : ''})`,
    evidence: [evidenceOf(interaction)],
    // The beginning of a shortened description finds it too.
    again: `${again} ${selecting(description.replace(/…$/, ''))}`,
    isPending: pending,
  };
}

/** The number of differences shown for one interaction. */
const shown = 4;

/** Its clauses, states and request, and the differences of the response from the expectation. */
function evidenceOf({ clauses: ids, states, asked, reason, mismatches }: ReportedInteraction) {
  const left = mismatches.length - shown;
  const atLeast = mismatches.length < mismatchesAtMost ? '' : 'at least ';
  const rows: readonly Row[] = [
    ...clauseRows(ids),
    ...states.map((state, index): Row => [index === 0 ? 'given' : ditto, state]),
    ...(asked === undefined ? [] : [['asked', asked] as const]),
    ...(reason === undefined ? [] : [['because', reason] as const]),
    ...mismatches.slice(0, shown).flatMap(({ what, expected, received }): Row[] => [
      ['expected', expected],
      ['received', received],
      [ditto, what],
    ]),
    ...(left > 0
      ? [[ditto, `and ${atLeast}${count(left, 'more difference')}, see pacts.json`] as const]
      : []),
  ];
  return { rows, times: 1, also: [] } satisfies Evidence;
}

/** Node reads an argument that begins with a hyphen as an option, unless it follows an equals sign. */
const selecting = (words: string): string =>
  `--interaction${words.startsWith('-') ? '=' : ' '}${quotedWord(words)}`;

/** The sentence of its first clause, and the ids of the others. */
function clauseRows(ids: readonly string[]): Row[] {
  const [first, ...others] = ids;
  const clause = clauses.find(({ id }) => id === first);
  if (clause === undefined) return ids.length === 0 ? [] : [['clauses', ids.join(', ')]];
  const also = others.length === 0 ? '' : ` (also ${others.join(', ')})`;
  return [[clause.id, `${clause.text}${also}`]];
}

function errorsOf(report: PactReport): RunError[] {
  const { exit, unjudged, defect, pacts } = report;
  const refusals = pacts.flatMap(({ consumer, pending: isPending, refused }): RunError[] => {
    const title = `${consumer}: the pact is refused`;
    return refused === undefined
      ? []
      : [{ type: 'refused', title, text: refused.join('\n'), isPending }];
  });
  const errors: (RunError | false)[] = [
    unjudged !== undefined && {
      type: 'unjudged',
      title: 'The provider could not be judged',
      text: unjudged,
    },
    ...refusals,
    defect !== undefined && { type: 'defect', title: 'the verification', text: defect },
    exit === 2 &&
      unjudged === undefined &&
      refusals.every(({ isPending }) => isPending) && {
        type: 'unverified',
        title: 'The verification is incomplete',
        text: headline(report),
      },
  ];
  return errors.filter((error) => error !== false);
}

const extent: Extent = { evidence: 1, also: 0, length: 2_000 };

/** `pacts.xml`: a suite for each pact, and a case for each interaction. */
const suiteOf = ({ consumer, from, interactions }: ReportedPact, again: string): Suite => ({
  name: `${consumer}  ${from}`,
  cases: interactions.map((interaction) => ({
    name: [interaction.description, interaction.states.join(' and ')]
      .filter((part) => part !== '')
      .join(', given '),
    className: consumer,
    outcome: outcomeOf(interaction, consumer, again),
  })),
});

/** A failure that does not fail the run is skipped. */
function outcomeOf(
  interaction: ReportedInteraction,
  consumer: string,
  again: string,
): Case['outcome'] {
  const { ending, pending, reason = '', mismatches } = interaction;
  if (ending === 'verified') return undefined;
  if (ending === 'unverified')
    return { element: 'skipped', type: 'unverified', message: reason, text: '' };
  const text = failureText(failureOf(interaction, consumer, again), extent, 'pacts.json');
  const message = mismatches[0]?.what ?? reason;
  return pending
    ? { element: 'skipped', type: 'pending', message: `pending: ${message}`, text }
    : { element: 'failure', type: 'failed', message, text };
}
