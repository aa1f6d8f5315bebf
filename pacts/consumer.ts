import { execFile } from 'node:child_process';
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { print, runCommand } from '../contract/command.ts';
import { field } from '../contract/json-value.ts';
import { UserError } from '../contract/user-error.ts';

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
  if (/^(--help|-h)$/.test(args.join())) return print(help);
  if (args.length > 0) throw new UserError('npm run pact:consumer takes no arguments but --help');
  const scratch = await mkdtemp(path.join(os.tmpdir(), 'pacts-'));
  const [output, copy] = [path.join(scratch, 'playwright'), path.join(scratch, 'example')];
  try {
    const passed = await Promise.all([monitorTests(output), exampleTests(copy)]);
    if (passed.includes(false)) {
      process.stderr.write('A test of a consumer failed: the pacts stay as they are\n');
      return 1;
    }
    const written = (folder: string, file: string): Promise<string> =>
      readFile(path.join(folder, 'pacts', path.basename(file)), 'utf8');
    await writeFile(path.join(root, monitor), canonical(await written(output, monitor)));
    await writeFile(path.join(root, example), await written(copy, example));
    return print(`${monitor}\n${example}\n`);
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

/** Playwright's tests of the monitor's client. They write the pact into the folder of their output. */
function monitorTests(output: string): Promise<boolean> {
  const cli = fileURLToPath(import.meta.resolve('@playwright/test/cli'));
  const options = ['--config=tests', '--project=consumer', '--reporter=line'];
  return passes([cli, 'test', ...options, `--output=${output}`], root);
}

/** The example runs in a copy: its users have nothing except that folder. */
async function exampleTests(copy: string): Promise<boolean> {
  const filter = (name: string): boolean => !/^(pacts|node_modules)$/.test(path.basename(name));
  await cp(path.join(root, 'pacts/example/consumer'), copy, { recursive: true, filter });
  await symlink(path.join(root, 'node_modules'), path.join(copy, 'node_modules'), 'junction');
  return passes(['--test', '--test-concurrency=1'], copy);
}

/** Runs a program, and shows its output when it fails. @returns whether its exit code was 0 */
async function passes(args: readonly string[], cwd: string): Promise<boolean> {
  const env = { ...process.env, PACT_DO_NOT_TRACK: 'true' };
  try {
    await promisify(execFile)(process.execPath, args, { cwd, env });
    return true;
  } catch (error) {
    process.stderr.write(`${field(error, 'stdout')}${field(error, 'stderr')}\n`);
    return false;
  }
}

/**
 * A pact in its committed form. The library adds a Content-Type to every response with a body, and a verifier would
 * compare it. The contract does not specify that header (OPEN-5).
 */
function canonical(text: string): string {
  const pact: { interactions: { response: { headers?: object } }[] } = JSON.parse(text);
  for (const { response } of pact.interactions) {
    const { 'Content-Type': _, ...headers } = Object(response.headers);
    if (Object.keys(headers).length > 0) response.headers = headers;
    else delete response.headers;
  }
  return `${JSON.stringify(pact, undefined, 2)}\n`;
}

await runCommand(main);
