import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@playwright/test';
import { scratch } from '../../contract/round/scratch.ts';
import { copyOf } from '../../pacts/verify/copy.ts';
import { type Core, startCore } from '../../pacts/verify/core.ts';
import { processesWith } from '../process.ts';
import { interaction, pactOf } from './pact-builder.ts';
import { defective, ownPact, sharedCore, verifying } from './verifying.ts';

/* Pact's core in its own process. It is never believed alone: ways in which it is green for nothing are defects. */

/** The processes of a core in this folder; only Linux can list them. */
const processesIn = (folder: string): string[] => processesWith(folder) ?? [];

const relay = { origin: 'http://127.0.0.1:9', states: 'http://127.0.0.1:9/states' };

/** Starts a core whose own folder is in this one, in an environment with a filter of Pact. */
function started(folder: string): Core {
  const { TMPDIR } = process.env;
  Object.assign(process.env, { TMPDIR: folder, PACT_DESCRIPTION: 'of the tests' });
  try {
    return startCore();
  } finally {
    delete process.env.PACT_DESCRIPTION;
    if (TMPDIR === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = TMPDIR;
  }
}

if (process.platform === 'linux') {
  test('a core has its own environment', async () => {
    const { folder } = scratch('core');
    const core = started(folder);
    await expect.poll(() => processesIn(folder)).toHaveLength(1);
    const environment = readFileSync(`/proc/${processesIn(folder)[0]}/environ`, 'utf8');
    core.close();
    const names = environment.split('\0').map((pair) => pair.split('=')[0] ?? '');
    expect(names.filter((name) => !/^NODE_CHANNEL_|^$/.test(name)).sort()).toEqual([
      'PACT_DO_NOT_TRACK',
      'SSL_CERT_FILE',
    ]);
  });

  test('a core that exceeds its time limit is stopped', async () => {
    const { folder } = scratch('core');
    const core = started(folder);
    await expect(core.verify('{}', relay, 1)).rejects.toThrow("Pact's core has ended (SIGKILL)");
    await expect.poll(() => processesIn(folder)).toEqual([]);
  });

  test('a core ends with its parent process, however that ends', async () => {
    const { folder } = scratch('core');
    const module = fileURLToPath(new URL('../../pacts/verify/core.ts', import.meta.url));
    const program = `const { startCore } = await import(${JSON.stringify(module)});
    startCore(); setInterval(() => {}, 1000);`;
    const parent = spawn(process.execPath, ['--input-type=module', '-e', program], {
      env: { ...process.env, TMPDIR: folder },
    });
    await expect.poll(() => processesIn(folder)).toHaveLength(1);
    parent.kill('SIGKILL');
    await once(parent, 'exit');
    await expect.poll(() => processesIn(folder)).toEqual([]);
  });
}

/** Changes the results of a core. */
const change = (by: (all: { result: string }[]) => unknown[]) => (output: string) => {
  const results = JSON.parse(output);
  return JSON.stringify({ ...results, interactionResults: by(results.interactionResults) });
};
const lying =
  (lie: (output: string) => string): Core['verify'] =>
  async (...job) =>
    lie(await sharedCore().verify(...job));

/** The results of a copy if all its interactions passed. */
function goodOf(copy: string): object[] {
  const marks = copy.matchAll(/"providerStates":\[\{"name":"([^"]*)"/g);
  return Array.from(marks, ([, mark]) => ({ providerStates: [mark], result: 'OK' }));
}

for (const [what, verify, defect] of [
  ['crashes', () => Promise.reject(new Error("Pact's core crashed")), 'crashed'],
  ['reports all as well, without results', lying(() => '{"result":true}'), 'gave no results'],
  ['reports nothing', lying(() => ''), 'gave no results'],
  ['leaves one out', lying(change((all) => all.slice(1))), 'gave 0 results'],
  ['reports one twice', lying(change((all) => [...all, all[0]])), 'gave 2 results'],
  [
    'reports neither good nor bad',
    lying(change((all) => all.map((one) => ({ ...one, result: 'Skipped' })))),
    'gave no verdict',
  ],
  [
    'reports good, with a difference',
    lying(change((all) => all.map((one) => ({ ...one, mismatch: { mismatches: [{}] } })))),
    'gave no verdict',
  ],
  [
    'passes interactions without a request',
    async (copy) => JSON.stringify({ interactionResults: goodOf(copy) }),
    'one interaction was set up 0 times and asked 0 times',
  ],
  [
    'sends each request twice',
    async (...job) => {
      await sharedCore().verify(...job);
      return sharedCore().verify(...job);
    },
    'one interaction was set up 2 times and asked 2 times',
  ],
] satisfies [string, Core['verify'], string][])
  test(`a core that ${what} is a defect, and never a pass`, async () => {
    const core = { close: () => {}, verify };
    const run = await verifying(ownPact, { isDefective: true, core });
    expect(run).toMatchObject({ exit: 3, defect: expect.stringContaining(defect) });
    expect(run.endings).toHaveLength(ownPact.pact.interactions.length);
    expect(run.results.filter(({ ending }) => ending !== 'unverified')).toEqual([]);
  });

test('a state that throws is a defect, and the example token is not sent instead', async () => {
  const run = await verifying(ownPact, defective);
  expect(run).toMatchObject({ exit: 3, defect: expect.stringContaining('this state is broken') });
  expect(run.endings[0]).toBe('unverified, a defect of this suite ended the run before it');
});

test('only requests and expectations of a pact reach the core', () => {
  const parts = {
    ...interaction('a call', ['a valid token'], {
      request: { headers: { 'X-Pact-Interaction': ['another'], 'Content-Length': ['7'] } },
    }),
    ...{ key: 'its own', pending: true, transport: 'grpc', comments: { text: ['a comment'] } },
    pluginConfiguration: { protobuf: {} },
  };
  const { pact } = pactOf(parts);
  const marks = new Map(pact.interactions.map((only) => [only, 'a-mark']));
  expect(JSON.parse(copyOf(pact, marks))).toEqual({
    consumer: { name: 'a-consumer' },
    provider: { name: 'public-api' },
    interactions: [
      {
        type: 'Synchronous/HTTP',
        description: 'a call',
        providerStates: [{ name: 'a-mark' }],
        request: {
          method: 'GET',
          path: '/public-api/v1/widgets',
          headers: { 'x-pact-interaction': ['a-mark'] },
        },
        response: { status: 200 },
      },
    ],
    metadata: { pactSpecification: { version: '4.0.0' } },
  });
});
