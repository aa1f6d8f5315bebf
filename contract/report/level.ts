import type { ExitCode } from '../command.ts';
import { harmless, type Look } from './look.ts';

/** How the end of a command reads at a glance: by its exit code, unless a green rests upon too little. */
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

/** The line that is read when no other is: the verdict, what it rests on, what it cost. It is never broken in two. */
export function closingLine(level: Level, facts: readonly string[], { paint }: Look): string {
  const { sign, colour } = levelMarks[level];
  return paint(['bold', colour], harmless(`${sign} ${facts.join(' · ')}`));
}
