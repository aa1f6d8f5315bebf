import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fromRoot, nodeOn, type Ran, startNode, typedInShell } from '../process.ts';
import { expect, test } from '../test.ts';

/** Runs a command whose file has this text. */
function commanded(text: string): Promise<Ran> {
  const file = test.info().outputPath('command.ts');
  writeFileSync(file, text);
  const args = ['--import', fromRoot('tools/setup/loading.js'), file];
  return startNode(test.info().outputDir, args).ended;
}

test('every npm script uses the same loader', () => {
  const { scripts }: { scripts: Record<string, string> } = JSON.parse(
    readFileSync(fromRoot('package.json'), 'utf8'),
  );
  const commands = Object.values(scripts).filter((script) => script.startsWith('node '));
  expect(commands.length).toBeGreaterThan(10);
  for (const command of commands)
    expect(command).toMatch(/^node --import \.\/tools\/setup\/loading\.js /);
});

test('npm runs the Node that npm ci installs, and an older Node ends the gate with a remedy', () => {
  const paths = (process.env.PATH ?? '').split(path.delimiter);
  const PATH = paths.filter((folder) => !folder.includes('node_modules')).join(path.delimiter);
  const run = (command: string, ...args: readonly string[]) =>
    spawnSync(command, args, { cwd: fromRoot('.'), env: { PATH }, encoding: 'utf8' });
  expect(Number(/^v(\d+)/.exec(run('npm', 'exec', '--', 'node', '--version').stdout)?.[1])).toBe(
    24,
  );
  const aged = 'Object.defineProperty(process.versions, "node", { value: "20.20.2" })';
  const before = ['--import', `data:text/javascript,${aged}`];
  const old = run(
    process.execPath,
    ...before,
    '--import',
    './tools/setup/loading.js',
    'gate/main.ts',
  );
  expect(old).toMatchObject({ status: 2, stdout: '' });
  expect(old.stderr).toMatch(
    /^This needs Node 24 or newer, and \/.* is 20\.20\.2: [^\n]*npm ci[^\n]*\n$/,
  );
});

test('a missing package is reported in one line, with a remedy', async () => {
  const ran = await commanded(`import 'not-installed';`);
  expect(ran).toMatchObject({ exit: 2, stdout: '' });
  expect(ran.stderr).toMatch(/^[^\n]*'not-installed'[^\n]*: npm ci installs what is missing\n$/);
});

for (const [what, text] of [
  ['that does not parse', 'const x: = 1;'],
  ['that throws as it is loaded', `throw new Error('broken');`],
  ['that throws outside any promise', `setTimeout(() => { throw new Error('broken'); });`],
  ['that loses a rejection', `Promise.reject(new Error('broken')); setTimeout(() => {}, 60_000);`],
] as const)
  test(`a command ${what} is a defect, and not a verdict`, async () => {
    const { exit, stderr } = await commanded(text);
    expect(exit).toBe(3);
    expect(stderr).toMatch(/\nThis is a defect of the suite, not of the provider\n$/);
  });

test('the exit code of a command is passed on', async () => {
  expect(await commanded('process.exitCode = 1;')).toEqual({ exit: 1, stdout: '', stderr: '' });
});

/** Runs a command whose standard output goes elsewhere. @param elsewhere in the syntax of a shell */
function redirected(text: string, elsewhere: string): Promise<Ran> {
  const file = test.info().outputPath('command.mjs');
  writeFileSync(file, `import ${JSON.stringify(fromRoot('tools/setup/loading.js'))};\n${text}`);
  const line = `{ ${nodeOn(file)}; echo "exit $?" >&2; } ${elsewhere}`;
  return typedInShell(test.info().outputDir, line, {});
}

/** More than a pipe holds, so that the command is still writing when its reader ends. */
const long = `process.stdout.write('x'.repeat(2 ** 20), () => setTimeout(() => process.exit(5)));`;

test('a reader that closes the pipe early, such as head, does not end a command', async () => {
  const ran = await redirected(long, '| head -c 1');
  expect(ran.stderr).toBe('exit 5\n');
});

test('any other failure to write the output is a defect', async () => {
  const { stderr } = await redirected(long, '> /dev/full');
  expect(stderr).toContain('ENOSPC');
  expect(stderr).toMatch(/\nThis is a defect of the suite[^\n]*\nexit 3\n$/);
});
