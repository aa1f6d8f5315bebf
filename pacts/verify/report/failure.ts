import { clauses } from '../../../contract/clauses.ts';
import { quotedWord } from '../../../contract/http/shell-text.ts';
import { ditto, type Row, rowText } from '../../../contract/report/rows.ts';
import type { ReportedInteraction } from './report.ts';

/** The number of differences shown for one interaction. */
const shown = 4;

/**
 * A failed interaction: its clauses, states, request, expectation and response, and the command that repeats it.
 * @param again that command, without the words that select the interaction
 */
export function rowsOf(interaction: ReportedInteraction, again: string): Row[] {
  const { states, asked, reason, mismatches, description } = interaction;
  const left = mismatches.length - shown;
  return [
    ...clauseRows(interaction.clauses),
    ...states.map((state, index): Row => [index === 0 ? 'given' : ditto, state]),
    ...(asked === undefined ? [] : [['asked', asked] as const]),
    ...(reason === undefined ? [] : [['because', reason] as const]),
    ...mismatches.slice(0, shown).flatMap(({ what, expected, received }): Row[] => [
      ['expected', expected],
      ['received', received],
      [ditto, what],
    ]),
    ...(left > 0
      ? [[ditto, `and ${left} more differences, all of them in pacts.json`] as const]
      : []),
    // The beginning of a shortened description finds it too.
    ['again', `${again} ${selecting(description.replace(/…$/, ''))}`],
  ];
}

/** Node reads an argument that begins with a hyphen as an option, unless it follows an equals sign. */
const selecting = (words: string): string =>
  `--interaction${words.startsWith('-') ? '=' : ' '}${quotedWord(words)}`;

export const failureText = (interaction: ReportedInteraction, again: string): string =>
  rowsOf(interaction, again).map(rowText).join('\n');

/** The sentence of its first clause, and the ids of the others. */
function clauseRows(ids: readonly string[]): Row[] {
  const [first, ...others] = ids;
  const clause = clauses.find(({ id }) => id === first);
  if (clause === undefined) return ids.length === 0 ? [] : [['clauses', ids.join(', ')]];
  const also = others.length === 0 ? '' : ` (also ${others.join(', ')})`;
  return [[clause.id, `${clause.text}${also}`]];
}
