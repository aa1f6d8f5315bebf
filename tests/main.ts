/**
 * `npm test` and `npm run test:nightly`: run the tests of this project, list those that did not run, and print one
 * closing line with the counts.
 */
import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Count, closingLine, exitCode, sum } from './count.ts';
import { sampledFaults } from './mutant-sample.ts';
import { compileCache, startNode } from './process.ts';
import { gitLines } from './sample.ts';

const root = fileURLToPath(new URL('..', import.meta.url));

const help = `npm test

Types, lint and format, the pacts, the spec files, and the suite's own score by mutants. The last line counts.

  npm test                          what a change needs: one real thing of each kind, and a quarter of the mutants
  npm run test:nightly              all of it, with soaks, many kills, every mutant and simulated months
  npm test -- tests/settings        the spec files there; what follows -- is given to Playwright (npx playwright test -c tests --help)

What did not run is listed: what is left for a night, and what a missing program prevents (npm run setup installs it).
Exit codes: 0 all passed · 1 a test failed, or none ran; under CI=true also when one was left out
`;

/** One program that tests something, and returns its counts. */
interface Step {
  readonly title: string;
  run(): Promise<Count>;
}

/** @param args passed to Playwright, such as a folder; the other steps run only without args */
async function steps(args: readonly string[]): Promise<Step[]> {
  if (args.length > 0) return [{ title: 'tests', run: () => playwright(args) }];
  const { chosen, left } = await sampledFaults();
  const mutants = begunIdly('tests/faults/main.ts', ...chosen);
  const projects = ['consumer', 'waiting', 'long', 'parts'].map((name) => `--project=${name}`);
  return [
    { title: 'check', run: check },
    { title: 'pacts', run: pacts },
    { title: 'tests', run: () => playwright(projects) },
    { title: 'mutants', run: async () => ({ ...(await mutants()), reasons: left }) },
  ];
}

/** Runs the Playwright suite. */
async function playwright(args: readonly string[]): Promise<Count> {
  const cli = fileURLToPath(import.meta.resolve('@playwright/test/cli'));
  const folder = await mkdtemp(path.join(os.tmpdir(), 'tests-'));
  const file = path.join(folder, 'count.json');
  try {
    // One helper thread for compiler and garbage collector, not four: the workers keep all processors busy.
    const run = ['--v8-pool-size=1', cli, 'test', '--config=tests'];
    const reporter = `--reporter=${path.join(import.meta.dirname, 'reporter.ts')}`;
    const code = await node([...run, reporter, ...args], {
      TESTS_COUNT: file,
      NODE_COMPILE_CACHE: compileCache,
    });
    const text = await readFile(file, 'utf8').catch(() => undefined);
    if (text === undefined) return verdict(false, `Playwright left no count, exit code ${code}`);
    const written = JSON.parse(text);
    const count: Count = { ...written, reasons: new Map(written.reasons) };
    return code !== 0 && count.failed === 0
      ? sum([count, verdict(false, `Playwright ended with exit code ${code}`)])
      : count;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Checks types, lint, format and dead code. */
async function check(): Promise<Count> {
  return verdict((await ended('npm', ['run', '--silent', 'check'])) === 0, 'npm run check');
}

/** Writes the pacts again, and checks that they equal the committed ones. */
async function pacts(): Promise<Count> {
  const written = await single('pacts/consumer.ts');
  const pacts = [':(top,glob)pacts/*.json', ':(top,glob)pacts/sandbox/*.json'];
  const list = ['ls-files', '--modified', '--others', '--exclude-standard', '--', ...pacts];
  const changed = [...new Set(gitLines(...list))];
  for (const name of changed)
    process.stderr.write(`${name} has changed: look at it and commit it\n`);
  return changed.length === 0 ? written : verdict(false, `${changed.join(', ')}: not as committed`);
}

/** Runs a program whose exit code is its verdict. It counts as one test. */
async function single(file: string): Promise<Count> {
  return verdict((await node([path.join(root, file)])) === 0, `node ${file}`);
}

/**
 * Starts such a program at once, with low priority, so that it uses only idle time.
 * @returns a function that waits for its end, shows its progress, and prints its output
 */
function begunIdly(file: string, ...args: readonly string[]): () => Promise<Count> {
  const { child, ended, output } = startNode(root, [path.join(root, file), ...args]);
  if (child.pid !== undefined) os.setPriority(child.pid, os.constants.priority.PRIORITY_LOW);
  return async () => {
    process.stderr.write(output().stderr);
    child.stderr.on('data', (text) => process.stderr.write(text));
    const { exit, stdout } = await ended;
    process.stdout.write(stdout);
    return verdict(exit === 0, `node ${file}`);
  };
}

/** @param what the text of the failure, if it is one */
const verdict = (good: boolean, what: string): Count => ({
  passed: good ? 1 : 0,
  failed: good ? 0 : 1,
  skipped: 0,
  failures: good ? [] : [what],
  reasons: new Map(),
});

/** Runs a program of this project on this terminal. @returns its exit code */
const node = (args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<number> =>
  ended(process.execPath, args, env);

function ended(
  command: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv = {},
): Promise<number> {
  const child = spawn(command, args, {
    // On Windows, npm is a shell script.
    shell: command === 'npm' && process.platform === 'win32',
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, ...env },
  });
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code) => resolve(code ?? 1));
  });
}

async function main(args: readonly string[]): Promise<number> {
  if (args.includes('--help') || args.includes('-h')) {
    process.stdout.write(help);
    return 0;
  }
  // Ctrl-C also reaches the running step. This process waits for it, so that the tests that ran are counted.
  process.on('SIGINT', () => {});
  const counts: Count[] = [];
  for (const { title, run } of await steps(args)) {
    process.stdout.write(`\n# ${title}\n`);
    counts.push(await run());
  }
  const total = sum(counts);
  if (total.failures.length > 0) {
    process.stdout.write('\nFailed:\n');
    for (const failure of total.failures)
      process.stdout.write(`  ${failure.replaceAll('\n', '\n    ')}\n`);
  }
  if (total.reasons.size > 0) {
    process.stdout.write('\nNot run:\n');
    for (const [why, tests] of total.reasons) process.stdout.write(`  ${tests} × ${why}\n`);
  }
  process.stdout.write(`\n${closingLine(total)}\n`);
  return exitCode(total, Boolean(process.env.CI));
}

process.exitCode = await main(process.argv.slice(2));
