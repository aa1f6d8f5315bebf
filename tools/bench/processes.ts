import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fromRoot } from '../../tests/process.ts';

/** Node's arguments to start a program of this project as its npm script does. */
export const nodeArguments = (file: string): string[] => [
  '--import',
  fromRoot('tools/setup/loading.js'),
  fromRoot(file),
];

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
export async function measureMedians(cwd: string, turns: number, ...programs: readonly Program[]) {
  const times = programs.map((): number[] => []);
  for (let turn = 0; turn <= turns; turn++)
    for (const [index, program] of programs.entries()) {
      const seconds = await run(cwd, program);
      // The first turn warms the caches.
      if (turn > 0) times[index]?.push(seconds);
    }
  return times.map((seconds) => seconds.sort((a, b) => a - b)[turns >> 1] ?? NaN);
}
