import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { test as base, type Run, startReporting } from '../gate/process.ts';
import { type Environment, fromRoot, nodeOn, typedInShell } from '../process.ts';
import { textOf } from './pact-builder.ts';

const main = fromRoot('pacts/verify/main.ts');

/** Starts the command in a folder, which also contains its temporary files. */
export function start(folder: string, args: readonly string[], env: Environment = {}) {
  const temporary = path.join(folder, 'tmp');
  mkdirSync(temporary, { recursive: true });
  return startReporting(folder, [main, ...args], { TMPDIR: temporary, ...env });
}

/** Types the command that a run printed for a failure into another shell, which has only this environment. */
export function typeAgain({ stdout, folder }: Run, env: Environment = {}) {
  const again = / {2}again {5}(.+)\n/.exec(stdout)?.[1] ?? '';
  return typedInShell(folder, again.replace('npm run pact:verify --', nodeOn(main)), env);
}

/** Tests of the command call it in a folder of their own. */
export const test = base.extend<{
  pactVerify: (args?: readonly string[], env?: Environment) => Promise<Run>;
}>({
  pactVerify: async ({ folder }, use) => {
    await use((args = [], env = {}) => start(folder, args, env).ended);
  },
});

/** Writes a pact into the folder of a test. @returns its path */
export function put(folder: string, name: string, ...interactions: object[]): string {
  const file = path.join(folder, name);
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, textOf(interactions));
  return file;
}

export { closingLine, expect, naming, type Run } from '../gate/process.ts';
