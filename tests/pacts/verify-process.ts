import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { test as base, type Environment, type Run } from '../gate/process.ts';

const main = fileURLToPath(new URL('../../pacts/verify/main.ts', import.meta.url));

/** Starts the command in a folder, with nothing in its environment but what a test says. */
export function start(folder: string, args: readonly string[], env: Environment = {}) {
  const temporary = path.join(folder, 'tmp');
  mkdirSync(temporary, { recursive: true });
  const child: ChildProcess = spawn(process.execPath, [main, ...args], {
    cwd: folder,
    env: { PATH: process.env.PATH, TMPDIR: temporary, ...env },
  });
  let [stdout, stderr] = ['', ''];
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
  });
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  const ended = once(child, 'close').then(([exit]): Run => ({ exit, stdout, stderr, folder }));
  return { child, ended };
}

/** Tests of the command call it in a folder of their own. */
export const test = base.extend<{
  pactVerify: (args?: readonly string[], env?: Environment) => Promise<Run>;
}>({
  pactVerify: async ({ folder }, use) => {
    await use((args = [], env = {}) => start(folder, args, env).ended);
  },
});

export { type Environment, expect, naming, namingWithoutClock, type Run } from '../gate/process.ts';
