import { clauses } from '../../../contract/clauses.ts';
import { quotedWord } from '../../../contract/http/shell-text.ts';
import { ditto, type Row, rowText } from '../../../contract/report/rows.ts';
import { count } from '../../../contract/report/words.ts';
import { mismatchesAtMost } from '../judge.ts';
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
    ...(left > 0 ? [[ditto, othersText(left)] as const] : []),
    // The beginning of a shortened description finds it too.
    ['again', `${again} ${selecting(description.replace(/…$/, ''))}`],
  ];
}

/** @param left how many differences are known and not shown; a result holds no more than `mismatchesAtMost` */
const othersText = (left: number): string =>
  shown + left < mismatchesAtMost
    ? `and ${count(left, 'more difference')}, all of them in pacts.json`
    : `and at least ${count(left, 'more difference')}, the first ${mismatchesAtMost} of all in pacts.json`;

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
