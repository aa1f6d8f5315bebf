import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { right } from '../../sandbox/behaviour.ts';
import { faulty } from '../faults/index.ts';
import { leftBehind } from '../gate/leaks.ts';
import { serve } from './fake-broker.ts';
import {
  closingLine,
  expect,
  naming,
  namingWithoutClock,
  put,
  type Run,
  test,
  typed,
} from './verify-process.ts';
import { aged, callWithToken, interaction } from './verifying.ts';

const report = ({ folder }: Run) =>
  JSON.parse(readFileSync(path.join(folder, 'reports', 'pacts.json'), 'utf8'));

const call = callWithToken();

test('the sandbox passes the pacts of this project', async ({ pactVerify }) => {
  const run = await pactVerify();
  expect([run.exit, run.stderr]).toEqual([0, '']);
  expect(closingLine(run)).toMatch(
    /^✓ Every pact is kept · \d+ verified · \d+ requests, \d+\.\d+ s · sandbox$/,
  );
  const { target, pacts } = report(run);
  expect(target).toBe('sandbox');
  expect(pacts.map(({ consumer }: { consumer: string }) => consumer).sort()).toEqual([
    'public-api-monitor',
    'widget-report',
  ]);
  expect(readdirSync(path.join(run.folder, 'tmp'))).toEqual([]);
});

test("the example's pact is for the sandbox alone", async ({ pactVerify, serve }) => {
  const run = await pactVerify([], naming(await serve(faulty('endpoints-without-success'))));
  expect([run.exit, run.stderr]).toEqual([0, '']);
  expect(report(run).pacts).toEqual([expect.objectContaining({ consumer: 'public-api-monitor' })]);
});

test('a broken pact ends in 1, and so does the printed command', async ({
  pactVerify,
  folder,
  serve,
}) => {
  const expired = callWithToken("a token that's expired", [aged(24)], { status: 401 });
  const file = put(folder, 'a pact.json', call, expired);
  const env = naming(await serve(faulty('leeway-of-a-second')));
  const broken = await pactVerify([file], env);
  expect([broken.exit, broken.stderr]).toEqual([1, '']);
  expect(report(broken).exit).toBe(1);
  const { stdout } = broken;
  expect(stdout).toContain("  ✗ a token that's expired");
  const again = / {2}again {5}(.+)\n/.exec(stdout)?.[1] ?? '';
  expect(again).toMatch(
    / npm run pact:verify -- '\/.*a pact\.json' --interaction 'a token that'\\''s expired'$/,
  );
  const { PUBLIC_API_KEY = '', PUBLIC_API_SECRET_KEY = '' } = env;
  const run = await typed(folder, again, { PUBLIC_API_KEY, PUBLIC_API_SECRET_KEY });
  expect([run.exit, run.stderr]).toEqual([1, '']);
  expect(closingLine(run)).toContain(' · 0 verified, 1 failed · ');
});

test('a refused run leaves no earlier report behind', async ({ pactVerify, folder }) => {
  for (const [args, env] of [
    [['--nonsense'], {}],
    [['no-such-pact.json'], {}],
    [[], { PUBLIC_API_BASE_URL: 'nowhere' }],
  ] as const) {
    for (const name of ['pacts.json', 'pacts.xml']) put(folder, `reports/${name}`, call);
    expect((await pactVerify(args, env)).exit).toBe(2);
    expect(readdirSync(path.join(folder, 'reports'))).toEqual([]);
  }
});

test('an unreachable provider or wrong credentials end in 2 with one line', async ({
  pactVerify,
  serve,
}) => {
  const { baseUrl, close } = await serve();
  const wrong = await pactVerify([], namingWithoutClock(baseUrl));
  expect([wrong.exit, wrong.stderr]).toEqual([2, '']);
  expect(wrong.stdout.trim().split('\n')).toEqual([
    expect.stringContaining('the token endpoint refused the credentials with status 400'),
  ]);
  await close();
  const gone = await pactVerify([], namingWithoutClock(baseUrl));
  expect([gone.exit, gone.stderr]).toEqual([2, '']);
  expect(gone.stdout.trim().split('\n')).toEqual([
    expect.stringContaining(
      `! ${baseUrl} could not be judged: POST /public-api/v1/auth/token: no connection`,
    ),
  ]);
});

test('a run without a clock passes unless it is strict', async ({ pactVerify, serve }) => {
  const sandbox = await serve();
  const env = namingWithoutClock(sandbox.baseUrl, sandbox.state.account);
  const lax = await pactVerify([], env);
  expect([lax.exit, closingLine(lax)]).toEqual([0, expect.stringContaining('✓ No pact is broken')]);
  const strict = await pactVerify(['--strict'], env);
  expect(strict.exit).toBe(2);
  expect(closingLine(strict)).toContain('! Not everything could be verified: no test clock');
  expect((await pactVerify([], { ...env, PUBLIC_API_STRICT: 'true' })).exit).toBe(2);
});

test('words that describe no interaction end in 2 with one line', async ({ pactVerify }) => {
  const run = await pactVerify(['--interaction', 'of the moon']);
  expect([run.exit, run.stdout]).toEqual([2, '']);
  expect(run.stderr).toMatch(/^no interaction is described by "of the moon"[^\n]*\n$/);
});

test('a path that is not of this API fails its interaction without a request', async ({
  folder,
  pactVerify,
}) => {
  const stray = interaction('a \u001b[2J call', [], { request: { path: '/widgets' } });
  put(folder, 'wrong.json', stray, call);
  const wrong = await pactVerify(['wrong.json']);
  expect([wrong.exit, wrong.stderr]).toEqual([1, '']);
  expect(wrong.stdout).toContain('the path /widgets is not below /public-api/v1/ (VERSION-1)');
  expect(wrong.stdout).toContain('✓ a call\n');
  expect(wrong.stdout).not.toContain('\u001b');
});

test('of two pacts the one that can be read is verified', async ({ folder, pactVerify }) => {
  put(folder, 'pacts/good.json', call);
  writeFileSync(path.join(folder, 'pacts', 'text.json'), '{"consumer":');
  const run = await pactVerify(['pacts']);
  expect([run.exit, run.stderr]).toEqual([2, '']);
  expect(run.stdout.replace(/\s+/g, ' ')).toContain(
    'pacts/text.json ! the whole pact it is not JSON',
  );
  expect(run.stdout).toContain('✓ a call\n');
  expect(closingLine(run)).toContain(' · 1 verified, 1 unverified · ');
});

for (const name of ['PACT_DESCRIPTION', 'PACT_PROVIDER_STATE', 'PACT_PROVIDER_NO_STATE'])
  test(`${name} in the environment is refused: a filtered run looks complete`, async ({
    pactVerify,
  }) => {
    const run = await pactVerify([], { [name]: 'a call' });
    expect([run.exit, run.stdout]).toEqual([2, '']);
    expect(run.stderr).toMatch(new RegExp(`^${name} is set, which [^\\n]*: unset it\\n$`));
  });

test('words select interactions, which the run reports', async ({ pactVerify }) => {
  const run = await pactVerify(['--interaction', 'OF AN ACCOUNT']);
  expect(run.exit).toBe(0);
  expect(closingLine(run)).toContain(
    '✓ Every pact is kept as far as selected · 2 verified · only "OF AN ACCOUNT" · ',
  );
  expect(report(run).only).toBe('OF AN ACCOUNT');
});

test('a configured broker supplies the pacts, not the project', async ({ folder, pactVerify }) => {
  await using broker = await serve(() => ({ status: 404 }));
  const env = { PACT_BROKER_BASE_URL: broker.url, GIT_COMMIT: 'abc', GIT_BRANCH: 'main' };
  const run = await pactVerify(['--no-publish'], env);
  expect([run.exit, run.stdout]).toEqual([2, '']);
  expect(run.stderr.trim().split('\n')).toHaveLength(1);
  const requests = broker.arrived.length;
  expect(requests).toBeGreaterThan(0);
  put(folder, 'own.json', call);
  const named = await pactVerify(['own.json'], env);
  expect(named.exit).toBe(0);
  expect(named.stdout).toContain('pacts were named: nothing is published');
  expect(broker.arrived).toHaveLength(requests);
});

test('a run that cannot write its report fails', async ({ folder, pactVerify }) => {
  put(folder, 'own.json', call);
  writeFileSync(path.join(folder, 'reports'), '');
  const run = await pactVerify(['own.json']);
  expect(run.exit).toBe(3);
  expect(run.stderr).toMatch(/^the folder reports cannot be written: [^\n]*\n$/);
});

test('an empty address is a mistake, and does not select the sandbox', async ({ pactVerify }) => {
  const run = await pactVerify([], { PUBLIC_API_BASE_URL: '' });
  expect([run.exit, run.stdout]).toEqual([2, '']);
  expect(run.stderr).toBe(
    'PUBLIC_API_BASE_URL is an empty text: set it to the address, or unset it\n',
  );
});

test('headers of the settings go with every request to the provider, and are not shown', async ({
  pactVerify,
  serve,
}) => {
  const key = 'a-key-of-the-gateway-7361';
  const sandbox = await serve({
    ...right,
    finish: (reply, { headers }) =>
      headers['x-gateway'] === key ? reply : { status: 403, body: JSON.stringify(headers) },
  });
  const env = naming(sandbox);
  expect((await pactVerify([], env)).exit).toBe(2);
  const run = await pactVerify([], { ...env, PACT_PROVIDER_HEADERS: `{"X-Gateway":"${key}"}` });
  expect([run.exit, run.stderr]).toEqual([0, '']);
  const wrong = { ...env, PACT_PROVIDER_HEADERS: `{"X-Gateway":"${key}x"}` };
  const refused = await pactVerify([], wrong);
  expect(refused.exit).not.toBe(0);
  for (const text of leftBehind(refused).values()) expect(text).not.toContain(key);
});
