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

/** Runs a program to its end. @returns seconds */
export async function run(
  cwd: string,
  { command = process.execPath, args, env, code = 0 }: Program,
): Promise<number> {
  const began = performance.now();
  const child = spawn(command, args, { cwd, stdio: 'ignore', env: { ...process.env, ...env } });
  const [ended] = await once(child, 'exit');
  if (ended !== code) throw new Error(`${command} ${args.join(' ')} ended with ${ended}`);
  return (performance.now() - began) / 1000;
}

/** Runs programs in turns, so that all run under the same load. @returns the median of the seconds of each */
export async function inTurns(cwd: string, turns: number, ...programs: readonly Program[]) {
  const times = programs.map((): number[] => []);
  for (let turn = 0; turn <= turns; turn++)
    for (const [index, program] of programs.entries()) {
      const seconds = await run(cwd, program);
      // The first turn warms the caches.
      if (turn > 0) times[index]?.push(seconds);
    }
  return times.map((own) => own.sort((one, other) => one - other)[turns >> 1] ?? NaN);
}

/** Seconds of processor time of a process; without an id those of the ended children of this process, and of theirs. */
function processorSeconds(pid?: number): number {
  const text = readFileSync(`/proc/${pid ?? 'self'}/stat`, 'utf8');
  const fields = text.replace(/^.*\) /s, '').split(' ');
  const [user, system] = fields.slice(pid === undefined ? 13 : 11).map(Number);
  // Linux counts in hundredths.
  return ((user ?? NaN) + (system ?? NaN)) / 100;
}

/**
 * The processor time of some work, and the requests that a provider gets meanwhile.
 * @param pid the process that does it; by default the work runs programs to their end
 */
export async function costOf(
  { requests }: { requests(): number },
  work: () => Promise<unknown>,
  pid?: number,
) {
  const before = { seconds: processorSeconds(pid), requests: requests() };
  await work();
  const seconds = processorSeconds(pid) - before.seconds;
  const count = requests() - before.requests;
  return { seconds, requests: count, perRequestUs: (seconds * 1e6) / count };
}

/** Megabytes that belong to this process alone. */
export function privateMegabytes(pid: number): number {
  const text = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8');
  const kilobytes = [...text.matchAll(/^Private_(?:Clean|Dirty):\s+(\d+) kB$/gm)];
  return kilobytes.reduce((sum, [, count]) => sum + Number(count) * 1024, 0) / 1e6;
}
