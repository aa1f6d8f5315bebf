import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Sandbox } from '../../sandbox/provider.ts';
import { faulty } from '../faults/index.ts';
import { closingLine, expect, naming, report, test } from './process.ts';

const widgets = 'GET /public-api/v1/widgets';

/** Writes a targets file with two targets at one provider, and its keys in a file of settings. */
function targetsAt(folder: string, { baseUrl, state }: Sandbox, more = ''): void {
  const { apiKey, secretKey } = state.account;
  writeFileSync(path.join(folder, '.env'), `TEAM_KEY='${apiKey}'\nTEAM_SECRET='${secretKey}'\n`);
  const target = (name: string): string => `
  - name: ${name}
    url: ${baseUrl.href}
    credentials: { apiKeyEnv: TEAM_KEY, secretKeyEnv: TEAM_SECRET }
    writes: true
    endpoints:
      - { method: GET, path: /public-api/v1/widgets, slow: 60s, schema: { required: [nothing] } }
      - { method: POST, path: /public-api/v1/reports, body: { name: year } }`;
  const file = path.join(folder, 'targets.yaml');
  writeFileSync(file, `targets:${target('one')}${target('two')}${more}\n`);
}

test('a target of targets.yaml is judged with its bodies, and its endpoints are checked', async ({
  folder,
  gate,
  serve,
}) => {
  const sandbox = await serve();
  targetsAt(folder, sandbox);
  const run = await gate(['--quick', '--target', 'two', '--reports', 'elsewhere']);
  expect(run).toMatchObject({ exit: 1, stderr: '' });
  expect(closingLine(run)).toMatch(/^✗ Own check failed · \d+ held, \d+ unverified/);
  const { target, endpoints, checks } = JSON.parse(
    readFileSync(path.join(folder, 'elsewhere/gate.json'), 'utf8'),
  );
  expect({ target, endpoints }).toEqual({
    target: sandbox.baseUrl.href,
    endpoints: [widgets, 'POST /public-api/v1/reports'],
  });
  const place = 'targets.yaml';
  expect(checks).toEqual([
    {
      title: `${widgets} answers as its schema says`,
      ...{ place, verdict: 'violated' },
      findings: ['Error: 200 application/json, 37 bytes: /nothing is missing'],
    },
    { title: `${widgets} answers within 60 s`, place, verdict: 'holds', findings: [] },
  ]);
  // No deviation of the contract excuses it.
  expect((await gate(['--quick', '--target', 'two', '--update-known'])).exit).toBe(1);
});

test('without a choice, with a wrong one, or with an address beside the file, one line says what to do', async ({
  folder,
  gate,
  serve,
}) => {
  targetsAt(folder, await serve());
  const lines = {
    'targets.yaml has 2 targets: choose one with --target (one, two)': [],
    'targets.yaml has no target tow: did you mean two?: it has one, two': ['--target', 'tow'],
    'nowhere cannot be read (ENOENT)': ['--env', 'nowhere'],
  };
  for (const [line, args] of Object.entries(lines))
    expect(await gate(args)).toMatchObject({ exit: 2, stdout: '', stderr: `${line}\n` });
  expect(await gate([], { PUBLIC_API_BASE_URL: 'http://api.example' })).toMatchObject({
    exit: 2,
    stderr: 'targets.yaml is in this folder, and PUBLIC_API_BASE_URL is set: keep one of them\n',
  });
});

test('files that are not right, and options that npm keeps, are named in one line', async ({
  folder,
  gate,
  serve,
}) => {
  const refused = async (file: string, text: string, line: string, env = {}) => {
    writeFileSync(path.join(folder, file), text);
    expect(await gate([], env)).toMatchObject({ exit: 2, stdout: '', stderr: `${line}\n` });
  };
  await refused('targets.yml', '', 'targets.yml is not read: rename it to targets.yaml');
  const wrong = 'known.yaml:1:44: known[0].until is not a day such as 2026-12-31';
  const entry = '[{ clause: ERROR-3, reason: mended, until: 31.12.2026 }]';
  await refused('known.yaml', `known: ${entry}`, wrong, naming(await serve()));
  await refused('.env', '', 'npm kept --quick for itself: npm run gate -- --quick', {
    npm_config_quick: 'true',
  });
});

test('a known deviation is written on request, does not fail the gate, and a mistake in it is a line', async ({
  folder,
  gate,
  serve,
}) => {
  const words = ['--target', 'one', 'ERROR-3', 'BEARER-4'];
  const sandbox = await serve(faulty('message-in-capitals'));
  targetsAt(folder, sandbox);
  renameSync(path.join(folder, '.env'), path.join(folder, 'team.env'));
  const env = ['--env', 'team.env'];
  const update = await gate([...words, ...env, '--update-known']);
  expect(update).toMatchObject({ exit: 0, stderr: '' });
  expect(closingLine(update)).toBe('known.yaml: 1 deviation added: say why each is tolerated');
  const file = path.join(folder, 'known.yaml');
  expect(readFileSync(file, 'utf8')).toBe(`known:
  - clause: ERROR-3
    target: one
    reason: say why it is tolerated, and until when
`);
  const known = 'reason: mended in spring';
  const entry = readFileSync(file, 'utf8').replace(/reason.*/, `${known}\n    until: 9999-12-31`);
  writeFileSync(file, entry);
  const run = await gate([...words, ...env]);
  expect(run).toMatchObject({ exit: 0, stderr: '' });
  expect(run.stdout).toContain('~ ERROR-3   The message of a 401 is exactly');
  expect(closingLine(run)).toMatch(
    /^~ Contract holds .*but for known deviations · \d+ held, 1 known/,
  );
  const { clauses } = JSON.parse(await report(run, 'gate.json'));
  expect(clauses.find(({ id }: { id: string }) => id === 'ERROR-3')).toMatchObject({
    verdict: 'violated',
    known: 'mended in spring',
  });
  writeFileSync(file, entry.replace('ERROR-3', 'ERROR-33'));
  expect(await gate([...words, ...env])).toMatchObject({
    exit: 2,
    stderr:
      'known.yaml:2:5: known[0].clause is not a clause: did you mean ERROR-3? (npm run gate -- --list shows all)\n',
  });
});
