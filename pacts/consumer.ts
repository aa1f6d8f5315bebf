import { spawn } from 'node:child_process';
import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { print, runCommand } from '../contract/command.ts';
import { field, isObject } from '../contract/json-value.ts';
import { outputOf } from '../contract/process-output.ts';
import { UserError } from '../contract/user-error.ts';
import { readPact } from './pact.ts';

const monitor = 'pacts/public-api-monitor-public-api.json';
const example = 'pacts/sandbox/widget-report-public-api.json';

const help = `Rewrites the pacts of this project by running the tests of its consumers.

  npm run pact:consumer

  ${monitor}       the monitor's, by tests/pacts/consumer/
  ${example}    the example's, by its own test

If a test fails, both stay unchanged. The same tests write the same bytes: git shows what has changed.
Exit codes: 0 written · 1 a test failed · 2 wrong arguments · 3 a defect of this suite
`;

const root = fileURLToPath(new URL('..', import.meta.url));

interface Written {
  readonly file: string;
  readonly text: string;
}

/** Writes nothing until all tests have passed. @returns the exit code */
async function main(args: readonly string[]): Promise<0 | 1> {
  if (/^(--help|-h)$/.test(args.join())) return print(help);
  if (args.length > 0) throw new UserError('npm run pact:consumer takes no arguments but --help');
  const scratch = await mkdtemp(path.join(os.tmpdir(), 'pacts-'));
  try {
    const pacts = await Promise.all([monitorPact(scratch), examplePact(scratch)]);
    const written = pacts.filter((pact) => pact !== undefined);
    if (written.length < pacts.length) {
      process.stderr.write('A test of a consumer failed: the pacts stay as they are\n');
      return 1;
    }
    for (const pact of written) await writePact(pact);
    return 0;
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

/** The pact of Playwright's consumer tests; undefined when one of them failed. */
async function monitorPact(scratch: string): Promise<Written | undefined> {
  const cli = fileURLToPath(import.meta.resolve('@playwright/test/cli'));
  const output = path.join(scratch, 'playwright');
  const options = ['--config=tests', '--project=consumer', '--reporter=line'];
  const args = [cli, 'test', ...options, `--output=${output}`];
  if (!(await passes(args, root))) return undefined;
  const text = await readFile(path.join(output, 'pacts', path.basename(monitor)), 'utf8');
  return { file: monitor, text: canonical(text) };
}

/** The example runs in a copy: its users have nothing except that folder. */
async function examplePact(scratch: string): Promise<Written | undefined> {
  const copy = path.join(scratch, 'example');
  const from = path.join(root, 'pacts/example/consumer');
  const filter = (name: string): boolean => !/^(pacts|node_modules)$/.test(path.basename(name));
  await cp(from, copy, { recursive: true, filter });
  await symlink(path.join(root, 'node_modules'), path.join(copy, 'node_modules'), 'junction');
  if (!(await passes(['--test', '--test-concurrency=1'], copy))) return undefined;
  const text = await readFile(path.join(copy, 'pacts', path.basename(example)), 'utf8');
  return { file: example, text };
}

/** Runs a program, and shows its output when it fails. @returns whether its exit code was 0 */
function passes(args: readonly string[], cwd: string): Promise<boolean> {
  const env = { ...process.env, PACT_DO_NOT_TRACK: 'true' };
  const child = spawn(process.execPath, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
  const output = outputOf(child);
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => {
      if (code !== 0) process.stderr.write(`${output()}\n`);
      resolve(code === 0);
    });
  });
}

async function writePact({ file, text }: Written): Promise<void> {
  const place = path.join(root, file);
  const { interactions } = readPact(text, file);
  const old = await readFile(place, 'utf8').catch(() => undefined);
  await mkdir(path.dirname(place), { recursive: true });
  await writeFile(place, text);
  const change = old === undefined ? 'new' : old === text ? 'unchanged' : 'changed';
  process.stdout.write(`${file}: ${interactions.length} interactions, ${change}\n`);
}

/**
 * A pact in its committed form. The library adds a Content-Type to every response with a body, and a verifier would
 * compare it. The contract does not specify that header (OPEN-5).
 */
function canonical(text: string): string {
  const pact: unknown = JSON.parse(text);
  const interactions = field(pact, 'interactions');
  for (const interaction of Array.isArray(interactions) ? interactions : []) {
    const response = field(interaction, 'response');
    if (!isObject(response) || !isObject(response.headers)) continue;
    delete response.headers['Content-Type'];
    if (Object.keys(response.headers).length === 0) delete response.headers;
  }
  return `${JSON.stringify(pact, undefined, 2)}\n`;
}

await runCommand(main);
