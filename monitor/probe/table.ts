import { page, type TerminalStyle, terminalSections } from '../../contract/report/terminal.ts';
import { cost, count } from '../../contract/report/words.ts';
import { probeReport } from './probe-report.ts';
import type { TargetRound } from './round.ts';

/**
 * The text that a user reads at the end: the report on each target, and how many targets have which verdict.
 * @param alone whether no other target is configured
 */
export function table(
  rounds: readonly TargetRound[],
  { alone, tookSeconds }: { readonly alone: boolean; readonly tookSeconds: number },
  style: TerminalStyle,
): string {
  const [first] = rounds;
  if (first !== undefined && rounds.length === 1)
    return page(terminalSections(probeReport(first, { alone, tookSeconds }), style));
  const parts = rounds.flatMap((round) => {
    const { target, startedAt, finishedAt } = round;
    const ownSeconds = (finishedAt.getTime() - startedAt.getTime()) / 1000;
    const heading = `${target.name}  ${target.connection.origin.href}`;
    const report = probeReport(round, { alone, tookSeconds: ownSeconds });
    return [[style.paint('bold', heading)], ...terminalSections(report, style)];
  });
  return page([...parts, [style.paint('bold', summary(rounds, tookSeconds))]]);
}

function summary(rounds: readonly TargetRound[], tookSeconds: number): string {
  const words = ['without a violation', 'violated', 'not judged', 'with a defect of this suite'];
  const counts = words.flatMap((word, code) => {
    const many = rounds.filter(({ exit }) => exit === code).length;
    return many === 0 ? [] : [`${many} ${word}`];
  });
  const requests = rounds.reduce((sum, round) => sum + round.requests, 0);
  return `${count(rounds.length, 'target')} · ${counts.join(', ')} · ${cost(requests, tookSeconds)}`;
}
