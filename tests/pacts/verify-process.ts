import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { test as base, type Run, startReporting } from '../gate/process.ts';
import { type Environment, nodeOn, ours, typedInShell } from '../process.ts';

const main = ours('pacts/verify/main.ts');

/** Starts the command in a folder, which also contains its temporary files. */
export function start(folder: string, args: readonly string[], env: Environment = {}) {
  const temporary = path.join(folder, 'tmp');
  mkdirSync(temporary, { recursive: true });
  return startReporting(folder, [main, ...args], { TMPDIR: temporary, ...env });
}

/** Types a printed command into another shell that has only this environment. */
export const typed = (folder: string, command: string, env: Environment) =>
  typedInShell(folder, command.replace('npm run pact:verify --', nodeOn(main)), env);

/** Tests of the command call it in a folder of their own. */
export const test = base.extend<{
  pactVerify: (args?: readonly string[], env?: Environment) => Promise<Run>;
}>({
  pactVerify: async ({ folder }, use) => {
    await use((args = [], env = {}) => start(folder, args, env).ended);
  },
});

export { expect, naming, namingWithoutClock, type Run } from '../gate/process.ts';
