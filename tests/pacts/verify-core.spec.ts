import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { expect, test } from '@playwright/test';
import { scratch } from '../../contract/command.ts';
import { type Core, createCopy, markHeader, startCore } from '../../pacts/verify/core.ts';
import { fromRoot, processesWith } from '../process.ts';
import { interaction, pactOf } from './pact-builder.ts';
import { ownPact, sharedCore, verifying } from './verifying.ts';

/* Pact's core in its own process. It is never believed alone: ways in which it is green for nothing are defects. */

/** Only Linux can list the processes of a core, by the folder in their environment. */
if (process.platform === 'linux') {
  test('a core has its own environment, and ends when it is closed', async () => {
    const { folder } = scratch('core');
    const { TMPDIR = '/tmp' } = process.env;
    Object.assign(process.env, { TMPDIR: folder, PACT_DESCRIPTION: 'of the tests' });
    const core = startCore();
    delete process.env.PACT_DESCRIPTION;
    process.env.TMPDIR = TMPDIR;
    await expect.poll(() => processesWith(folder)).toHaveLength(1);
    const environment = readFileSync(`/proc/${processesWith(folder)?.[0]}/environ`, 'utf8');
    const names = environment.split('\0').map((pair) => pair.split('=')[0] ?? '');
    expect(names.filter((name) => !/^NODE_CHANNEL_|^$/.test(name)).sort()).toEqual([
      'PACT_DO_NOT_TRACK',
      'SSL_CERT_FILE',
    ]);
    // From now on it would wait for further jobs.
    await core.verify('{}', { origin: 'http://127.0.0.1:9', states: 'http://127.0.0.1:9' });
    core.close();
    await expect.poll(() => processesWith(folder)).toEqual([]);
  });

  test('a core ends with its parent process, however that ends', async () => {
    const { folder } = scratch('core');
    const module = JSON.stringify(fromRoot('pacts/verify/core.ts'));
    const program = `(await import(${module})).startCore(); setInterval(() => {}, 1000);`;
    const parent = spawn(process.execPath, ['--input-type=module', '-e', program], {
      env: { ...process.env, TMPDIR: folder },
    });
    // The parent has the folder in its environment too.
    await expect.poll(() => processesWith(`SSL_CERT_FILE=${folder}`)).toHaveLength(1);
    parent.kill('SIGKILL');
    await once(parent, 'exit');
    await expect.poll(() => processesWith(folder)).toEqual([]);
  });
}

/** A core whose results are changed. */
const lying =
  (by: (all: { result: string }[]) => unknown[]): Core['verify'] =>
  async (...job) => {
    const results = JSON.parse(await sharedCore().verify(...job));
    return JSON.stringify({ ...results, interactionResults: by(results.interactionResults) });
  };
type Ask = (mark: string, relay: Parameters<Core['verify']>[1]) => Promise<unknown>;

/** A core that passes all interactions of a copy, after a request of its own about each. */
const passing =
  (ask: Ask = async () => {}): Core['verify'] =>
  async (copy, relay) => {
    const marks = [...copy.matchAll(/"providerStates":\[\{"name":"([^"]*)"/g)];
    for (const [, mark = ''] of marks) await ask(mark, relay);
    const good = marks.map(([, mark]) => ({ providerStates: [mark], result: 'OK' }));
    return JSON.stringify({ interactionResults: good });
  };
const onlySetUp = passing((state, { states }) =>
  fetch(states, { method: 'POST', body: JSON.stringify({ state, action: 'setup' }) }),
);
const onlyAsk = passing((mark, { origin }) =>
  fetch(`${origin}/public-api/v1/widgets`, { headers: { [markHeader]: mark } }),
);
const mismatch = { mismatches: [{}] };

for (const [what, verify, defect] of [
  ['crashes', () => Promise.reject(new Error("Pact's core crashed")), 'crashed'],
  ['reports nothing', async () => '', 'gave no results'],
  ['leaves one out', lying((all) => all.slice(1)), 'gave 0 results'],
  ['reports one twice', lying((all) => [...all, all[0]]), 'gave 2 results'],
  [
    'reports good, with a difference',
    lying((all) => all.map((result) => ({ ...result, mismatch }))),
    'gave no verdict',
  ],
  ['passes interactions without a request', passing(), 'was set up 0 times and asked 0 times'],
  ['only sets up states', onlySetUp, 'was set up 1 times and asked 0 times'],
  ['sets up no state', onlyAsk, 'was set up 0 times and asked 1 times'],
] satisfies [string, Core['verify'], string][])
  test(`a core that ${what} is a defect, and never a pass`, async () => {
    const core = { close: () => {}, verify };
    const run = await verifying(ownPact, { isDefective: true, core });
    expect(run).toMatchObject({ exit: 3, defect: expect.stringContaining(defect) });
    expect(run.endings).toHaveLength(ownPact.pact.interactions.length);
    expect(run.results.filter(({ ending }) => ending !== 'unverified')).toEqual([]);
  });

test('a state of the team is torn down also when the core fails after its setup', async () => {
  const core = { close: () => {}, verify: onlySetUp };
  const options = { isDefective: true, core, handler: () => ({}) };
  const run = await verifying(pactOf(interaction('a call', ['a widget'])), options);
  expect(run.changes).toEqual(['setup a widget {}', 'teardown a widget {}']);
});

test('only requests and expectations of a pact reach the core', () => {
  const headers = { 'X-Pact-Interaction': ['another'], 'Content-Length': ['7'] };
  const interactionUnderTest = interaction('a call', ['a valid token'], { request: { headers } });
  const { pact } = pactOf({
    ...interactionUnderTest,
    ...{ key: 'its own', pending: true, transport: 'grpc', comments: { text: ['a comment'] } },
    pluginConfiguration: { protobuf: {} },
  });
  const marks = new Map(pact.interactions.map((only) => [only, 'a-mark']));
  const request = {
    ...Object(interactionUnderTest.request),
    headers: { 'x-pact-interaction': ['a-mark'] },
  };
  expect(JSON.parse(createCopy(pact, marks))).toEqual({
    consumer: { name: 'a-consumer' },
    provider: { name: 'public-api' },
    interactions: [{ ...interactionUnderTest, providerStates: [{ name: 'a-mark' }], request }],
    metadata: { pactSpecification: { version: '4.0.0' } },
  });
});
