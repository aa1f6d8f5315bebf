import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Environment } from './process.ts';

const at = (path: string): string => fileURLToPath(new URL(`../../${path}`, import.meta.url));

/** What a round of the probe came to. */
export interface Probed {
  readonly exit: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A probe that runs as a process of its own. */
export interface Probing {
  readonly child: ChildProcess;
  readonly ended: Promise<Probed>;
}

/** Starts a round in a folder, as `npm run probe` does, with nothing in its environment but what a test says. */
export function startProbe(folder: string, args: readonly string[], env: Environment): Probing {
  const program = ['--import', at('monitor/compile-cache.js'), at('monitor/probe/main.ts')];
  const child = spawn(process.execPath, [...program, ...args], {
    cwd: folder,
    env: { PATH: process.env.PATH, ...env },
  });
  let [stdout, stderr] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  return { child, ended: once(child, 'close').then(([exit]) => ({ exit, stdout, stderr })) };
}

/** A whole round. */
export const probed = (
  folder: string,
  args: readonly string[] = [],
  env: Environment = {},
): Promise<Probed> => startProbe(folder, args, env).ended;
