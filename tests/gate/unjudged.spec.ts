import { writeFile } from 'node:fs/promises';
import http from 'node:http';
import path from 'node:path';
import { judgeProvider } from '../../contract/round/round.ts';
import { Secret } from '../../contract/secrets/secret.ts';
import { probes } from '../../probes/index.ts';
import { targetOf } from '../../provider/own-sandbox.ts';
import { right } from '../../sandbox/behaviour.ts';
import { listening } from '../client/stage.ts';
import {
  test as base,
  closingLine,
  expect,
  naming,
  namingWithoutClock,
  type Run,
  report,
} from './process.ts';

/** Tests of servers that are not the provider but listen at its address. */
const test = base.extend<{ listen: (answer: http.RequestListener) => Promise<URL> }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of the fixtures from it.
  listen: async ({}, use) => {
    const servers: http.Server[] = [];
    await use(async (answer) => {
      const server = http.createServer(answer);
      servers.push(server);
      return listening(server);
    });
    for (const server of servers) {
      server.close();
      server.closeAllConnections();
    }
  },
});

/** Checks that the gate prints only the line about the unjudged provider, and exits with 2. */
function expectUnjudged(run: Run, baseUrl: string, why: string, requests: string): void {
  const message = run.stdout.replace(/\nNetwork: \d interrupted requests? sent again/, '');
  // The gate repeats requests after a possible transient failure, so their number varies.
  const uncounted = message.replace(/\d+ requests?, \d+\.\d+ s\n$/, `${requests}, … s\n`);
  expect(uncounted).toBe(`\n! ${baseUrl} could not be judged: ${why} · ${requests}, … s\n`);
  expect(run.stderr).toBe('');
  expect(run.exit).toBe(2);
}

const token = 'POST /public-api/v1/auth/token';

test('an address without a listener cannot be judged', async ({ gate, serve }) => {
  const { baseUrl, close } = await serve();
  await close();
  const run = await gate([], namingWithoutClock(baseUrl));
  expectUnjudged(run, baseUrl.href, `${token}: no connection (ECONNREFUSED)`, '1 request');
  const { exit, unjudged, clauses } = JSON.parse(await report(run, 'gate.json'));
  expect([exit, unjudged]).toEqual([2, `${token}: no connection (ECONNREFUSED)`]);
  expect(new Set(clauses.map(({ reason }: { reason: string }) => reason))).toEqual(
    new Set([`${token}: no connection (ECONNREFUSED)`]),
  );
  expect(new Set(clauses.map(({ cause }: { cause: string }) => cause))).toEqual(
    new Set(['prevented']),
  );
});

test('the hint at the sandbox is missing where the targets of a monitor are set', async ({
  gate,
  folder,
}) => {
  await writeFile(path.join(folder, 'monitor.yaml'), 'targets: []\n');
  const run = await gate(['BEARER-2'], { MONITOR_CONFIG: 'monitor.yaml' });
  expect(run).toMatchObject({
    exit: 2,
    stdout: '',
    stderr:
      'MONITOR_CONFIG is only for the monitor: set PUBLIC_API_BASE_URL instead, or neither for the sandbox\n',
  });
});

const refusals: readonly [status: number, json: object][] = [
  ...[400, 401, 403, 422, 200].map((status): [number, object] => [
    status,
    { success: false, message: 'No account planted-KEY-7ae1c9.' },
  ]),
  [403, { error: 'forbidden' }],
];
const refusedWith = (status: number): string =>
  `the token endpoint refused the credentials with status ${status} (PUBLIC_API_KEY, PUBLIC_API_SECRET_KEY)`;

test('credentials that are refused from the start are reported as a mistake in the settings', async ({
  gate,
  serve,
}) => {
  const [[status, json] = [401, {}]] = refusals;
  const { baseUrl } = await serve({ ...right, denied: () => ({ status, json }) });
  const run = await gate([], namingWithoutClock(baseUrl));
  expectUnjudged(run, baseUrl.href, refusedWith(status), '2 requests');
  const { clauses } = JSON.parse(await report(run, 'gate.json'));
  const causes = clauses.map(({ cause }: { cause: string }) => cause);
  expect(new Set(causes)).toEqual(new Set(['unconfigured']));
});

test('refused credentials are reported as such in every form of refusal', async ({ serve }) => {
  for (const [status, json] of refusals) {
    const sandbox = await serve({ ...right, denied: () => ({ status, json }) });
    const account = { apiKey: new Secret('unknown'), secretKey: new Secret('nothing') };
    const round = await judgeProvider({ ...targetOf(sandbox), account }, probes);
    expect(round).toMatchObject({ exit: 2, unjudged: refusedWith(status) });
  }
});

const samePages: readonly [status: number, answer: http.RequestListener][] = [
  [200, (_, response) => response.setHeader('Content-Type', 'text/html').end('<h1>Hello</h1>')],
  [404, ({ url }, response) => response.writeHead(404).end(`no ${url}`)],
  [302, ({ url }, response) => response.writeHead(302, { location: `/login?${url}` }).end()],
];

test("an address where all paths answer alike is not the service's", async ({ apart, listen }) => {
  const judged = samePages.map(async ([status, answer]) => {
    const elsewhere = await listen(answer);
    const run = await apart([], namingWithoutClock(elsewhere));
    const why = `every path answers ${status} alike: the service is not at this address (PUBLIC_API_BASE_URL)`;
    expectUnjudged(run, elsewhere.href, why, '2 requests');
  });
  await Promise.all(judged);
});

const clocks: readonly [why: string, answer: http.RequestListener, timeoutMs: number][] = [
  ['GET answered 404', (_, response) => response.writeHead(404).end(), 10_000],
  ['GET did not answer {"now": "<ISO 8601>"}', (_, response) => response.end('Noon.'), 10_000],
  ['GET /clock: no complete answer in time (300 ms)', () => {}, 300],
];

test('a test clock that cannot be read is reported, and nothing is judged without it', async ({
  apart,
  serve,
  listen,
}) => {
  const sandbox = await serve();
  const judged = clocks.map(async ([why, answer, timeoutMs]) => {
    const { href } = new URL('clock', await listen(answer));
    const env = { PUBLIC_API_CLOCK_URL: href, PUBLIC_API_TIMEOUT_MS: `${timeoutMs}` };
    const run = await apart([], { ...naming(sandbox), ...env });
    expectUnjudged(run, sandbox.baseUrl.href, `test clock ${href}: ${why}`, '0 requests');
  });
  await Promise.all(judged);
  expect(sandbox.state.tokens.size).toBe(0);
});

test('wrong settings are reported in a line each, and no request is sent', async ({
  gate,
  serve,
}) => {
  const { baseUrl, state } = await serve();
  const run = await gate([], {
    ...namingWithoutClock(baseUrl, state.account),
    PUBLIC_API_CLOCK_FILE: 'missing/clock',
    PUBLIC_API_TIMEOUT_MS: 'soon',
    MONITOR_HOTS: 'localhost',
  });
  expect(run).toMatchObject({ exit: 2, stdout: '' });
  expect(run.stderr.trimEnd().split('\n')).toEqual([
    'PUBLIC_API_CLOCK_FILE names a file in a folder that does not exist: "missing/clock"; accepted: a file in a folder that exists',
    'PUBLIC_API_TIMEOUT_MS is "soon"; accepted: a whole number of milliseconds, 1 to 600000',
    'MONITOR_HOTS is not a setting; the nearest is MONITOR_HOST',
  ]);
  expect(state.tokens.size).toBe(0);
});

test('a token endpoint that fails on correct credentials breaks TOKEN-1', async ({
  gate,
  serve,
}) => {
  const granted = () => ({ status: 500, json: {} });
  const run = await gate([], naming(await serve({ ...right, granted })));
  expect(run).toMatchObject({ exit: 1, stderr: '' });
  const received = '500 application/json, 2 bytes: /success is missing';
  expect(run.stdout).toContain(`\n  received  ${received}\n`);
  expect(closingLine(run)).toMatch(
    /^✗ Contract violated · 0 held, 1 violated, 20 unverified \(all prevented\) · \d+ requests,/,
  );
});

test('a token endpoint that gives any other answer without a token breaks TOKEN-1', async ({
  serve,
}) => {
  for (const reply of [
    { status: 200, json: {} },
    { status: 200, body: '<p>', headers: { 'Content-Type': 'text/html' } },
    { status: 201, json: { success: true, message: '', data: { accessToken: '' } } },
  ]) {
    const sandbox = await serve({ ...right, granted: () => reply });
    const { exit, clauses } = await judgeProvider(targetOf(sandbox), probes);
    const broken = clauses.filter(({ verdict }) => verdict === 'violated');
    expect([exit, broken.map(({ clause }) => clause.id)]).toEqual([1, ['TOKEN-1']]);
  }
});

test('a selection that depends on tokens fails where no token is issued', async ({
  gate,
  serve,
}) => {
  const sandbox = await serve({ ...right, granted: () => ({ status: 200, json: {} }) });
  const run = await gate(['EXPIRY-2', 'BEARER-1'], naming(sandbox));
  const why = 'no token was issued: npm run gate -- TOKEN-1 shows why';
  expectUnjudged(run, sandbox.baseUrl.href, why, '2 requests');
});

for (const [what, apiKey] of [
  ['the placeholders of the examples', '<API_KEY>'],
  ['a placeholder of the examples beside a real key', 'planted-KEY-7ae1c9'],
] as const)
  test(`credentials that are ${what} are named as such`, async ({ gate, serve }) => {
    const { baseUrl } = await serve();
    const run = await gate([], namingWithoutClock(baseUrl, { apiKey, secretKey: '<SECRET_KEY>' }));
    const why =
      'the token endpoint refused the credentials with status 400: they hold a placeholder of the examples, put your own there';
    expectUnjudged(run, baseUrl.href, why, '2 requests');
  });
