import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from '@playwright/test';
import { type Environment, ours, type Ran, startNode } from '../process.ts';
import { interaction, pactText } from './made-up.ts';

/** Writes files into the folder of the test. */
function put(files: Readonly<Record<string, string>>): string {
  const folder = test.info().outputPath('consumer');
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
    writeFileSync(path.join(folder, name), text);
  }
  return folder;
}

const run = (folder: string, args: readonly string[], env: Environment = {}): Promise<Ran> =>
  startNode(folder, [ours('pacts/lint/main.ts'), ...args], env).ended;

const fit = pactText([interaction()]);
const vague = pactText([
  interaction({ response: { status: 200, headers: { 'X-Next': 'https://api/' } } }),
]);
const stray = pactText([interaction({ request: { method: 'GET', path: '/widgets' } })]);
const other = {
  consumer: { name: 'c' },
  provider: { name: 'another' },
  messages: [{}],
  interactions: [],
};

test('a pact without an error is fit, with a warning too', async () => {
  const folder = put({ 'pacts/fit.json': fit, 'pacts/vague.json': vague });
  expect(await run(folder, [])).toEqual({
    exit: 0,
    stderr: '',
    stdout: `pacts/fit.json: no errors in 1 interaction
pacts/vague.json: warning: "a request for the widgets": response.headers.X-Next has an address: match its type or its form instead of the value
pacts/vague.json: no errors in 1 interaction
`,
  });
});

test('an error ends in 1, and the other pacts are checked all the same', async () => {
  const folder = put({
    'fit.json': fit,
    'messages.json': pactText([], { messages: [{}] }),
    'stray.json': stray,
    'text.json': 'no JSON',
  });
  const { exit, stdout, stderr } = await run(folder, ['.']);
  expect([exit, stderr]).toEqual([1, '']);
  expect(stdout).toContain('fit.json: no errors in 1 interaction\n');
  expect(stdout).toContain('messages.json: error: it holds messages: only Synchronous/HTTP');
  expect(stdout).toContain('stray.json: error: "a request for the widgets": its path does not');
  expect(stdout).toContain('text.json: error: it is not JSON\n');
});

test('pacts of other providers are passed over, and PACT_PROVIDER_NAME is this one', async () => {
  // Its byte order mark does not hide the provider.
  const text = `\uFEFF${JSON.stringify(other)}`;
  const folder = put({ 'pacts/fit.json': fit, 'pacts/other.json': text });
  const mixed = await run(folder, []);
  expect(mixed.exit).toBe(0);
  expect(mixed.stdout).toContain('pacts/other.json: passed over, its provider is "another"\n');
  expect(await run(folder, ['pacts/other.json'])).toMatchObject({
    exit: 2,
    stderr:
      'no pact of the provider "public-api": set PACT_PROVIDER_NAME to its name in your pacts\n',
  });
  const named = await run(folder, ['pacts/other.json'], { PACT_PROVIDER_NAME: 'another' });
  expect(named.exit).toBe(1);
  expect(named.stdout).toContain('error: it holds messages');
});

test('no line quotes a possible credential, wherever it is in the pact', async () => {
  const key = ['9f86d081', '884c7d659a2f'].join('');
  const folder = put({
    'one.json': pactText([interaction({ description: key })]),
    'two.json': pactText([interaction({ type: key })]),
    'three.json': JSON.stringify({ ...other, provider: { name: key } }),
  });
  const { stdout, stderr } = await run(folder, ['.']);
  expect(stdout).toContain('one.json: error: ');
  expect(stdout).toContain('three.json: passed over');
  expect(stdout + stderr).not.toContain(key);
});
