import { type TerminalStyle, terminalText } from '../../contract/report/terminal.ts';
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
    return terminalText(probeReport(first, { alone, tookSeconds }), style);
  const parts = rounds.map((round) => {
    const { target, startedAt, finishedAt } = round;
    const ownSeconds = (finishedAt.getTime() - startedAt.getTime()) / 1000;
    const heading = `${target.name}  ${target.connection.origin.href}`;
    const report = probeReport(round, { alone, tookSeconds: ownSeconds });
    return `\n${style.paint('bold', heading)}\n${terminalText(report, style)}`;
  });
  return `${parts.join('')}\n${style.paint('bold', summary(rounds, tookSeconds))}\n`;
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
