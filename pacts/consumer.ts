import { spawnSync } from 'node:child_process';
import { cp, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { print, runCommand, scratch, UserError } from '../contract/command.ts';

const monitor = 'pacts/public-api-monitor-public-api.json';
const example = 'pacts/sandbox/widget-report-public-api.json';

const help = `Rewrites the pacts of this project by running the tests of its consumers.

  npm run pact:consumer

If a test fails, both stay unchanged. The same tests write the same bytes: git shows what has changed.
Exit codes: 0 written · 1 a test failed · 2 wrong arguments · 3 a defect of this suite
`;

const root = fileURLToPath(new URL('..', import.meta.url));

/** Writes nothing until all tests have passed. @returns the exit code */
async function main(args: readonly string[]): Promise<0 | 1> {
  if (args.length > 0) throw new UserError('npm run pact:consumer takes no arguments but --help');
  const { folder } = scratch('pacts');
  const consumer = path.join(root, 'pacts/example/consumer');
  await rm(path.join(consumer, 'pacts'), { recursive: true, force: true });
  const cli = fileURLToPath(import.meta.resolve('@playwright/test/cli'));
  const options = ['--config=tests', '--project=consumer', '--reporter=line'];
  const passes =
    runs([cli, 'test', ...options, `--output=${folder}`], root) &&
    runs(['--test', '--test-concurrency=1', '--test-reporter=dot'], consumer);
  if (!passes) {
    process.stderr.write('A test of a consumer failed: the pacts stay as they are\n');
    return 1;
  }
  const written = await readFile(path.join(folder, 'pacts', path.basename(monitor)), 'utf8');
  await writeFile(path.join(root, monitor), canonical(written));
  await cp(path.join(consumer, 'pacts', path.basename(example)), path.join(root, example));
  return print(`${monitor}\n${example}\n`);
}

/** Whether a program passes. It writes to standard error. */
function runs(args: readonly string[], cwd: string): boolean {
  const env = { ...process.env, PACT_DO_NOT_TRACK: 'true' };
  return spawnSync(process.execPath, args, { cwd, env, stdio: ['ignore', 2, 2] }).status === 0;
}

/**
 * A pact in its committed form. The library adds a Content-Type to every response with a body, which has no other
 * header, and a verifier would compare it. The contract does not specify that header (OPEN-5).
 */
function canonical(text: string): string {
  const pact: { interactions: { response: { headers?: object } }[] } = JSON.parse(text);
  for (const { response } of pact.interactions) delete response.headers;
  return `${JSON.stringify(pact, undefined, 2)}\n`;
}

await runCommand(main, help);
