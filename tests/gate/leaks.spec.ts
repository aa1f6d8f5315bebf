import { randomBytes } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { right } from '../../sandbox/behaviour.ts';
import { startSandbox } from '../../sandbox/provider.ts';
import { listening } from '../client/stage.ts';
import { account, forms, leaksOf } from '../planted.ts';
import { type Environment, printedSecrets, startNode } from '../process.ts';
import { foundIn, leftBehind } from './leaks.ts';
import { echoes, startParrot } from './parrot.ts';
import { expect, naming, namingWithoutClock, type Run, startGate, test } from './process.ts';

/** Runs the gate with its temporary files inside the searched folder. */
async function run(folder: string, env: Environment, args: string[] = []): Promise<Run> {
  const temporary = path.join(folder, 'tmp');
  mkdirSync(temporary, { recursive: true });
  return startGate(folder, args, { ...env, TMPDIR: temporary }).ended;
}

test('the secret search finds secrets in every form, whole, from either end, and inside words', () => {
  for (const secret of [account.apiKey, account.secretKey, randomBytes(32).toString('base64url')]) {
    const leaks = leaksOf(['another unused secret', secret]);
    for (const [form, write] of Object.entries(forms))
      for (const written of write(secret)) {
        const half = written.length / 2;
        for (const text of [written, written.slice(0, half), written.slice(half)])
          for (const shown of [text, text.toUpperCase()])
            expect(leaks(`a${shown}b`).length, `${form} ${shown}`).toBeGreaterThan(0);
      }
    for (const before of ['', 'Bearer ', 'key:', 'ab']) {
      const encoded = Buffer.from(`${before}${secret}:`).toString('base64');
      expect(leaks(encoded).length, encoded).toBeGreaterThan(0);
    }
    expect(leaks('Bearer [secret] {"success":false} \\u0022 %22 eyJhbGciOiJub25lIn0')).toEqual([]);
  }
});

test('a program that prints a secret of its environment is found once', async ({ folder }) => {
  const script = 'console.log(Buffer.from(process.env.A_TOKEN).toString("hex"))';
  await startNode(folder, ['-e', script], { A_TOKEN: 'Meadow-Violin-7' }).ended;
  expect(printedSecrets()).toEqual([expect.stringMatching(/ printed secret \d+, hex$/)]);
  expect(printedSecrets()).toEqual([]);
});

test('a passing run leaves no secret behind (CALLER-2)', async ({ folder, serve }) => {
  const sandbox = await serve({ account });
  const green = await run(folder, naming(sandbox));
  expect(green).toExitWith(0);
  expect([...leftBehind(green).keys()]).toContain('reports/playwright-html/index.html:report.json');
  expect(sandbox.state.tokens.size).toBeGreaterThan(80);
  expect(foundIn(green, sandbox.state.tokens.keys())).toEqual([]);
});

test('a failing run leaves no secret behind, even in traces, if the provider repeats its credentials', async ({
  folder,
}) => {
  await using parrot = await startParrot(account);
  const red = await run(folder, naming(parrot), ['--trace', 'on']);
  expect(red).toMatchObject({ exit: 1, stderr: '' });
  for (const id of ['BEARER-2', 'ERROR-1', 'ERROR-2', 'ERROR-3'])
    expect(red.stdout).toContain(`  ✗ ${id} `);
  expect(parrot.replies.length).toBeGreaterThan(20 * echoes.length);
  const tokens = [...parrot.state.tokens.keys()];
  expect(tokens.length).toBeGreaterThan(80);
  expect(leaksOf([account.secretKey])(parrot.replies.join()).length).toBeGreaterThan(2);
  expect(leaksOf(tokens)(parrot.replies.join()).length).toBeGreaterThan(tokens.length);
  // The searched report contains bodies that originally held a secret. Which requests violate a clause is random here,
  // and so is whether one of them is plain enough for a command.
  const left = leftBehind(red);
  expect([...left.keys()].join()).toMatch(/trace\.zip:\S*\.trace/);
  const shown = left.get('reports/gate.json') ?? '';
  for (const part of ['"body": "', '[secret]']) expect(shown).toContain(part);
  expect(foundIn(red, tokens)).toEqual([]);
});

/** A team's spec that quotes its secrets wherever Playwright reports or records something. */
const indiscreet = `
import { expect, test } from 'public-api-contract';

const { PUBLIC_API_KEY: apiKey, PUBLIC_API_SECRET_KEY: secretKey } = process.env;
const tokens = { method: 'POST', path: '/public-api/v1/auth/token' };

test('compares a token', async ({ api }) => {
  const { body } = await api.call(tokens, undefined, { body: { json: { apiKey, secretKey } } });
  const { accessToken } = JSON.parse(body.toString()).data;
  console.log(accessToken);
  await test.info().attach('answer', { body, contentType: 'application/json' });
  await test.step('use ' + accessToken, () => expect.soft('x').toBe(accessToken));
  expect({ accessToken }).toEqual({ accessToken: accessToken.slice(0, -1) + '!' });
});

test('throws a key', () => {
  throw new Error(secretKey, { cause: { apiKey } });
});

test('throws a text', async ({ contract, endpoints: [first] }) => {
  await contract.refuses(first, { headers: { Authorization: 'Bearer ' + apiKey } });
  throw apiKey;
});
`;

test("a failing spec of a team leaves no secret behind in Playwright's output, reports and traces", async ({
  folder,
  serve,
}) => {
  const sandbox = await serve({ account });
  mkdirSync(path.join(folder, 'checks'));
  writeFileSync(path.join(folder, 'checks/indiscreet.spec.ts'), indiscreet);
  const args = ['--specs', 'checks', '-g', 'compares|throws', '--trace', 'on'];
  const env = {
    ...naming(sandbox),
    GITHUB_ACTIONS: 'true',
    PLAYWRIGHT_JSON_OUTPUT_FILE: 'reports/playwright.json',
    PLAYWRIGHT_JUNIT_OUTPUT_FILE: 'reports/playwright.xml',
  };
  const red = await run(folder, env, [...args, '--reporter=list,json,junit,html,github']);
  expect(red).toMatchObject({ exit: 1, stderr: '' });
  const left = leftBehind(red);
  for (const [file, text] of [
    ['stdout', 'Received: "x"'],
    ['reports/gate.json', 'Error: [secret]'],
    ['reports/playwright.json', '"use [secret]"'],
    ['reports/playwright.xml', 'Error: [secret]'],
    ['reports/playwright-html/index.html:report.json', 'throws a key'],
    ['reports/playwright/2-specs-throws-a-key-gate/error-context.md', 'Error: [secret]'],
    ['reports/playwright/2-specs-throws-a-key-gate/trace.zip:test.trace', 'Error: [secret]'],
  ] as const)
    expect(left.get(file), file).toContain(text);
  expect(foundIn(red, sandbox.state.tokens.keys())).toEqual([]);
});

test('a server of another protocol that repeats the request leaves no secret behind', async ({
  folder,
}) => {
  const server = net.createServer((socket) => {
    socket.on('error', () => {});
    socket.once('data', (received) => socket.end(`HTTP/1.1 200 OK\r\n${received}\r\n\r\n`));
  });
  const unreachable = await run(folder, namingWithoutClock(await listening(server), account));
  server.close();
  expect(unreachable).toMatchObject({ exit: 2, stderr: '' });
  expect(foundIn(unreachable, [])).toEqual([]);
});

for (const [planted, where] of [
  ['caught', 'inside of a probe'],
  ['uncaught', 'outside any catch'],
] as const)
  test(`a defect ${where} is exit 3 with its stack, and leaves no secret behind`, async ({
    folder,
  }) => {
    await using sandbox = await startSandbox({ account });
    const plant = fileURLToPath(new URL('plant-defect.ts', import.meta.url));
    const env = { ...naming(sandbox), NODE_OPTIONS: `--import=${plant}`, PLANTED: planted };
    const defective = await run(folder, env, ['BEARER-4', 'EXPIRY-2']);
    expect(defective).toExitWith(3);
    const message = planted === 'caught' ? defective.stdout : defective.stderr;
    expect(message).toContain('Error: it failed at [secret] and [secret]');
    expect(message).toMatch(/bearer\.ts:\d+/);
    expect(Math.abs(sandbox.clock.now() - Date.now())).toBeLessThan(5_000);
    expect(foundIn(defective, sandbox.state.tokens.keys())).toEqual([]);
  });

test('addresses in answers are not hidden as if they were secrets', async ({ folder, serve }) => {
  const path = '/public-api/v1/widgets';
  const sandbox = await serve({
    ...right,
    granted(...of) {
      const { href } = new URL(path, sandbox.baseUrl);
      const data = { accessToken: of[0].text, next: href, links: [{ href: `${path}?page=2` }] };
      return { ...right.granted(...of), json: { success: true, message: 'OK', data } };
    },
    finish: (reply) => ({
      ...reply,
      headers: { ...reply.headers, Location: `${path}/41`, Link: `<${sandbox.baseUrl}v1/docs>` },
    }),
  });
  const { exit, stdout } = await run(folder, naming(sandbox), [
    'TOKEN-1',
    'open-facts-of-the-endpoints',
  ]);
  expect(exit).toBe(0);
  expect(stdout).toContain(`  GET ${path} with a valid token: 200`);
  expect(stdout).toContain(` · ${sandbox.baseUrl.href}\n`);
  expect(stdout).not.toContain('[secret]');
});
