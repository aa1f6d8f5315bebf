import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { ours } from '../../tests/process.ts';

/** The arguments with which a script of package.json calls Node. */
export function nodeArguments(script: string): string[] {
  const { scripts } = JSON.parse(readFileSync(ours('package.json'), 'utf8'));
  return String(scripts[script])
    .split(' ')
    .slice(1)
    .map((word) => (/\.[jt]s$/.test(word) ? ours(word) : word));
}

export interface Program {
  /** By default Node. */
  readonly command?: string;
  readonly args: readonly string[];
  readonly env?: NodeJS.ProcessEnv;
  /** The exit code that it must have; by default 0. */
  readonly code?: number;
}

/** Runs a program to its end. @returns its time, and its processor time and that of its children (seconds) */
export async function run(
  cwd: string,
  { command = process.execPath, args, env, code = 0 }: Program,
) {
  const began = performance.now();
  const processorBefore = endedChildrenSeconds();
  const child = spawn(command, args, { cwd, stdio: 'ignore', env: { ...process.env, ...env } });
  const [ended] = await once(child, 'exit');
  if (ended !== code) throw new Error(`${command} ${args.join(' ')} ended with ${ended}`);
  const seconds = (performance.now() - began) / 1000;
  return { seconds, processorSeconds: endedChildrenSeconds() - processorBefore };
}

/** Runs programs in turns, so that all run under the same load. @returns the median of the seconds of each */
export async function inTurns(cwd: string, turns: number, ...programs: readonly Program[]) {
  const times = programs.map((): number[] => []);
  for (let turn = 0; turn <= turns; turn++)
    for (const [index, program] of programs.entries()) {
      const { seconds } = await run(cwd, program);
      // The first turn warms the caches.
      if (turn > 0) times[index]?.push(seconds);
    }
  return times.map((own) => own.sort((one, other) => one - other)[turns >> 1] ?? NaN);
}

/** What Linux has counted for a process, from the field after its name on. Times are in hundredths of a second. */
const statOf = (pid: number): number[] =>
  readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /s, '')
    .split(' ')
    .map(Number);

/** Seconds of processor time of a process. */
export function processorSeconds(pid: number): number {
  const { 11: user = NaN, 12: system = NaN } = statOf(pid);
  return (user + system) / 100;
}

/** Seconds of processor time of the ended children of this process, and of theirs. */
function endedChildrenSeconds(): number {
  const { 13: user = NaN, 14: system = NaN } = statOf(process.pid);
  return (user + system) / 100;
}

/** Megabytes that belong to this process alone. */
export function privateMegabytes(pid: number): number {
  const text = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8');
  const kilobytes = [...text.matchAll(/^Private_(?:Clean|Dirty):\s+(\d+) kB$/gm)];
  return kilobytes.reduce((sum, [, count]) => sum + Number(count) * 1024, 0) / 1e6;
}
