import http from 'node:http';
import { probes } from '../../probes/index.ts';
import { right } from '../../sandbox/behaviour.ts';
import { listening } from '../client/stage.ts';
import { sandboxInMemory } from '../faults/in-memory.ts';
import { judgeProvider } from '../judge/judge-provider.ts';
import { expect, naming, namingWithoutClock, type Run, report, test } from './process.ts';

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
  expect({ exit, unjudged }).toEqual({
    exit: 2,
    unjudged: `${token}: no connection (ECONNREFUSED)`,
  });
  expect(new Set(clauses.map(({ reason }: { reason: string }) => reason))).toEqual(
    new Set([`${token}: no connection (ECONNREFUSED)`]),
  );
  expect(new Set(clauses.map(({ cause }: { cause: string }) => cause))).toEqual(
    new Set(['prevented']),
  );
});

test('credentials that are refused from the start are reported as a mistake in the settings', async ({
  gate,
  serve,
}) => {
  const { baseUrl } = await serve();
  const run = await gate([], namingWithoutClock(baseUrl));
  const why =
    'the token endpoint refused the credentials with status 400, and says "Invalid credentials." (PUBLIC_API_KEY, PUBLIC_API_SECRET_KEY)';
  expectUnjudged(run, baseUrl.href, why, '2 requests');
  const { clauses } = JSON.parse(await report(run, 'gate.json'));
  const causes = clauses.map(({ cause }: { cause: string }) => cause);
  expect(new Set(causes)).toEqual(new Set(['unconfigured']));
});

test('a test clock that cannot be read loses only the clauses that need it', async ({
  gate,
  serve,
}) => {
  const sandbox = await serve();
  const silent = http.createServer(() => {});
  const { href } = new URL('clock', await listening(silent));
  const env = { PUBLIC_API_CLOCK_URL: href, PUBLIC_API_TIMEOUT_MS: '300' };
  const run = await gate(['BEARER-4', 'EXPIRY-2'], { ...naming(sandbox), ...env });
  silent.close().closeAllConnections();
  const why = `test clock ${href}: GET /clock: no complete answer in time (300 ms)`;
  expect(run.exit).toBe(2);
  expect(run.stdout).toContain(
    `! ${sandbox.baseUrl.href} could not be judged completely: ${why} · `,
  );
  const { clauses } = JSON.parse(await report(run, 'gate.json'));
  const lost = { verdict: 'unverified', cause: 'prevented', reason: why };
  for (const { id, ...judged } of clauses)
    expect(judged, id).toMatchObject(id.startsWith('EXPIRY') ? lost : { verdict: 'holds' });
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
    'PUBLIC_API_CLOCK_FILE is not a file in a folder that exists',
    'PUBLIC_API_TIMEOUT_MS is not a whole number of milliseconds, 1 to 600000',
    'MONITOR_HOTS is not a setting: did you mean MONITOR_HOST?',
  ]);
  expect(state.tokens.size).toBe(0);
});

test('a token endpoint that answers correct credentials without a token breaks TOKEN-1', async () => {
  for (const [reply, received] of [
    [{ status: 500, json: {} }, '500 application/json, 2 bytes: /success is missing'],
    [{ status: 200, json: {} }, '200 application/json, 2 bytes: /success is missing'],
    [{ status: 200, body: '<p>', headers: { 'Content-Type': 'text/html' } }, '200 text/html'],
    [{ status: 201, json: { success: true, message: '', data: { accessToken: '' } } }, '201 '],
  ] as const) {
    const target = sandboxInMemory({ ...right, granted: () => reply });
    const { exit, clauses } = await judgeProvider(target, probes);
    const [broken, ...others] = clauses.toSorted((one) => (one.verdict === 'violated' ? -1 : 1));
    expect({ exit, id: broken?.clause.id }).toEqual({ exit: 1, id: 'TOKEN-1' });
    expect(broken?.findings[0]?.received).toContain(received);
    expect(others.map(({ cause }) => cause)).toEqual(Array(20).fill('prevented'));
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
