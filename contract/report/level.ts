import type { ExitCode } from '../command.ts';
import { harmless, type TerminalStyle } from './terminal-style.ts';

/** How a command ended, by its exit code. A success that proves too little is a warning. */
const levels = ['ok', 'violated', 'warning', 'defect'] as const;
export type Level = (typeof levels)[number];

export const levelAt = (exit: ExitCode): Level => levels[exit];

/** The sign of a level on a terminal and in Markdown, and its colour. */
export const levelMarks = {
  ok: { sign: '✓', emoji: '✅', colour: 'green' },
  violated: { sign: '✗', emoji: '❌', colour: 'red' },
  warning: { sign: '!', emoji: '⚠️', colour: 'yellow' },
  defect: { sign: '!', emoji: '⚠️', colour: 'magenta' },
} as const;

/** The line that is read first: the verdict, its evidence, its cost. It is never wrapped. */
export function closingLine(
  level: Level,
  facts: readonly string[],
  { paint }: TerminalStyle,
): string {
  const { sign, colour } = levelMarks[level];
  return paint(['bold', colour], harmless(`${sign} ${facts.join(' · ')}`));
}
