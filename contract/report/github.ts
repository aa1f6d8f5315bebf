import type { ClauseVerdict } from '../round/verdict.ts';
import { failureText } from './failure.ts';
import { levelMarks } from './level.ts';
import { counts, headline, levelOf, noiseIn, nothingJudged, type Report } from './report.ts';
import { brief, count, firstLine } from './words.ts';
import { annotationText, block, command, markdown, stepSummaryText } from './workflow.ts';

const extent = { folds: 3, length: 500 };

/**
 * The workflow commands for standard output: an error for each violated clause and each other failure of the
 * round, and a warning for what was prevented.
 */
export function annotations(report: Report): string {
  const errors = [
    ...(report.unjudged === undefined
      ? []
      : [command('error', 'The provider could not be judged', brief(report.unjudged, 2_000))]),
    ...report.defects.slice(0, 1).map(defect),
    ...report.clauses
      .filter(({ verdict }) => verdict === 'violated')
      .map((verdict) => {
        const { id, text } = verdict.clause;
        const failure = failureText(verdict, report, { folds: 1, length: extent.length });
        return command('error', id, `${text}\n${failure}`);
      }),
    ...report.checks
      .filter(({ verdict }) => verdict === 'violated')
      .map(({ title, place, findings }) =>
        command('error', title, [place, ...findings].join('\n')),
      ),
  ];
  const lacking = report.clauses.filter(
    ({ verdict, cause }) => cause === 'prevented' || (report.strict && verdict === 'unverified'),
  );
  const warnings = nothingJudged(report) ? [] : unverified(lacking);
  return annotationText(errors, warnings, 'in gate.json');
}

const defect = ({ probe, detail = '' }: Report['defects'][number]): string =>
  command('error', `Defect of this suite in ${probe.name}`, brief(firstLine(detail), 2_000));

/** Clauses that are unverified for the same reason share one warning. */
function unverified(lacking: readonly ClauseVerdict[]): string[] {
  return [...Map.groupBy(lacking, ({ reason = '' }) => reason)].map(([reason, verdicts]) =>
    command(
      'warning',
      `${verdicts.map(({ clause }) => clause.id).join(', ')} unverified`,
      brief(reason, 2_000),
    ),
  );
}

const signs = { holds: '✅', violated: '❌', unverified: '➖' } as const;

export function stepSummary(report: Report): string {
  const facts = [
    ...(nothingJudged(report) ? [] : [counts(report)]),
    count(report.requests, 'request'),
    `${report.tookSeconds.toFixed(1)} s`,
    ...(noiseIn(report) === '' ? [] : [noiseIn(report)]),
    markdown(report.target),
  ];
  const head = [
    ...(report.unjudged === undefined ? [] : [markdown(brief(report.unjudged, 2_000))]),
    ...(nothingJudged(report) ? [] : [clauseTable(report)]),
  ];
  const title = { level: levelOf(report), headline: headline(report), facts };
  return stepSummaryText({ ...title, head, blocks: details(report), where: 'in gate.html' });
}

function clauseTable({ clauses }: Report): string {
  const rows = clauses.map(({ clause, verdict, cause, reason = '' }) => {
    const sign = cause === 'prevented' ? levelMarks.warning.emoji : signs[verdict];
    const why = reason === '' ? '' : `<br><sub>${markdown(brief(reason, 300))}</sub>`;
    return `| ${sign} ${verdict}${cause === 'prevented' ? ` (${cause})` : ''} | ${clause.id} | ${markdown(clause.text)}${why} |`;
  });
  return ['| | Clause | |', '|---|---|---|', ...rows].join('\n');
}

function details(report: Report): string[] {
  const failures = report.clauses
    .filter(({ verdict }) => verdict === 'violated')
    .map((verdict) => {
      const { id, text } = verdict.clause;
      return block(`<b>${id}</b> ${markdown(text)}`, failureText(verdict, report, extent));
    });
  const seen = report.observations
    .map(({ id, fact, value }) => brief(`${id.padEnd(9)}${fact}: ${value}`, 300))
    .join('\n');
  return [
    ...failures,
    ...report.defects
      .slice(0, 3)
      .map(({ probe, detail = '' }) =>
        block(`<b>Defect of this suite</b> in ${markdown(probe.name)}`, brief(detail, 4_000)),
      ),
    ...(seen === '' ? [] : [block('Observed, not specified by the contract', seen)]),
  ];
}
