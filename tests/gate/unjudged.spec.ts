import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { Secret } from '../../contract/secrets/secret.ts';
import { targetAt } from '../../gate/under-test.ts';
import { probes } from '../../probes/index.ts';
import { right } from '../../sandbox/behaviour.ts';
import { sandboxInMemory } from '../faults/in-memory.ts';
import { judgeProvider } from '../judge/judge-provider.ts';
import { expect, namingWithoutClock, report, test } from './process.ts';

test('an address without a listener cannot be judged, which replaces the report of an earlier run', async ({
  folder,
  gate,
  serve,
}) => {
  const { baseUrl, close } = await serve();
  await close();
  const reports = ['gate.html', 'gate.json', 'gate.xml'];
  mkdirSync(path.join(folder, 'reports'));
  for (const name of reports) writeFileSync(path.join(folder, 'reports', name), 'green');
  const run = await gate([], namingWithoutClock(baseUrl));
  const why = 'POST /public-api/v1/auth/token: no connection (ECONNREFUSED)';
  expect(run).toMatchObject({ exit: 2, stderr: '' });
  expect(run.stdout).toMatch(/^\n! .* · \d requests?, \d+\.\d+ s\n$/);
  expect(run.stdout).toContain(`\n! ${baseUrl.href} could not be judged: ${why} · `);
  for (const name of reports) expect(await report(run, name)).toContain('ECONNREFUSED');
  const { exit, unjudged, clauses } = JSON.parse(await report(run, 'gate.json'));
  expect({ exit, unjudged }).toEqual({ exit: 2, unjudged: why });
  for (const { id, reason, cause } of clauses)
    expect({ reason, cause }, id).toEqual({ reason: why, cause: 'prevented' });
});

test('credentials that are refused from the start are reported as a mistake in the settings', async () => {
  const { connection, exchange } = sandboxInMemory();
  const account = { apiKey: new Secret('unknown-KEY-7ae1'), secretKey: new Secret('unknown-55f0') };
  const round = await judgeProvider({ ...targetAt(connection.origin), account, exchange }, probes);
  const why =
    'the token endpoint refused the credentials with status 400, and says "Invalid credentials." (PUBLIC_API_KEY, PUBLIC_API_SECRET_KEY)';
  expect(round).toMatchObject({ exit: 2, unjudged: why });
  expect(new Set(round.clauses.map(({ cause }) => cause))).toEqual(new Set(['unconfigured']));
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
    const [broken, ...others] = clauses.toSorted((clause) =>
      clause.verdict === 'violated' ? -1 : 1,
    );
    expect({ exit, id: broken?.clause.id }).toEqual({ exit: 1, id: 'TOKEN-1' });
    expect(broken?.findings[0]?.received).toContain(received);
    expect(others.map(({ cause }) => cause)).toEqual(Array(20).fill('prevented'));
  }
});

test('a selection that depends on tokens fails where no token is issued', async () => {
  const target = sandboxInMemory({ ...right, granted: () => ({ status: 200, json: {} }) });
  const selected = probes.filter(({ clauses }) => clauses.includes('EXPIRY-2'));
  const why = 'no token was issued: npm run gate -- TOKEN-1 shows why';
  expect(await judgeProvider(target, selected)).toMatchObject({ exit: 2, unjudged: why });
});
