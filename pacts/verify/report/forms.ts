import { clauses } from '../../../contract/clauses.ts';
import { quotedWord } from '../../../contract/http/curl.ts';
import {
  ditto,
  type Evidence,
  type Item,
  markAt,
  type Report,
  type Row,
  type Section,
} from '../../../contract/report/report.ts';
import { cost, count } from '../../../contract/report/words.ts';
import { mismatchesAtMost } from '../pact-verification.ts';
import {
  counts,
  headline,
  nothingKnown,
  type PactReport,
  type ReportedInteraction,
  type ReportedPact,
} from './report.ts';

/** A verification as all formats show it. */
export function reportOf(report: PactReport): Report {
  const { target, startedAt, finishedAt, exit, only, requests, unjudged, notes } = report;
  const tookSeconds = (finishedAt.getTime() - startedAt.getTime()) / 1000;
  const isKnown = !nothingKnown(report);
  return {
    file: 'pacts.json',
    target,
    startedAt,
    tookSeconds,
    mark: markAt(exit),
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
    failures: isKnown ? report.pacts.flatMap((pact) => failuresOf(pact, report)) : [],
    errors: errorsOf(report),
    suites: report.pacts.map((pact) => suiteOf(pact, report)),
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
    ...(ending === 'unverified' ? { reason } : {}),
  })),
});

const failuresOf = ({ consumer, interactions }: ReportedPact, { again }: PactReport): Item[] =>
  interactions
    .filter(({ ending }) => ending === 'failed')
    .map((interaction) => {
      const pending = interaction.pending ? ', pending' : '';
      const text = `(${consumer}${pending})`;
      return { ...itemOf(interaction, again), label: interaction.description, text };
    });

/** A suite of JUnit, with a case for each interaction. */
const suiteOf = (
  { consumer, from, interactions }: ReportedPact,
  { again }: PactReport,
): Section => ({
  heading: `${consumer}  ${from}`,
  items: interactions.map((interaction) => {
    const states = interaction.states.join(' and ');
    const text = [interaction.description, states].filter((part) => part !== '').join(', given ');
    return { ...itemOf(interaction, again), label: consumer, text };
  }),
});

/** An interaction; if it failed, with its evidence and the command that repeats it. */
function itemOf(interaction: ReportedInteraction, again: string): Item {
  const { description, ending, reason, mismatches, pending: isPending } = interaction;
  const item = { mark: marks[ending], label: '', text: description };
  if (ending !== 'failed') return { ...item, reason };
  return {
    ...item,
    reason: mismatches[0]?.what ?? reason,
    evidence: [evidenceOf(interaction)],
    // The beginning of a shortened description finds it too.
    again: `${again} ${selecting(description.replace(/…$/, ''))}`,
    isPending,
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

function errorsOf(report: PactReport): Item[] {
  const { exit, unjudged, defect, pacts } = report;
  const error = (label: string, text: string, reason: string, isPending = false): Item => ({
    mark: 'defect',
    label,
    text,
    reason,
    isPending,
  });
  const refusals = pacts.flatMap(({ consumer, pending, refused }) =>
    refused === undefined
      ? []
      : [error('refused', `${consumer}: the pact is refused`, refused.join('\n'), pending)],
  );
  const isIncomplete = exit === 2 && refusals.every(({ isPending }) => isPending);
  return [
    ...(unjudged === undefined
      ? []
      : [error('unjudged', 'The provider could not be judged', unjudged)]),
    ...refusals,
    ...(defect === undefined ? [] : [error('defect', 'the verification', defect)]),
    ...(isIncomplete && unjudged === undefined
      ? [error('unverified', 'The verification is incomplete', headline(report))]
      : []),
  ];
}
