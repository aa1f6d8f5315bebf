import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@playwright/test';
import { scratch } from '../../contract/round/scratch.ts';
import { startCore } from '../../pacts/verify/core.ts';
import { processesWith } from '../process.ts';
import { ownPact, verifying } from './verifying.ts';

/** The processes of a core in this folder; only Linux can list them. */
const processesIn = (folder: string): string[] => processesWith(folder) ?? [];

const relay = { origin: 'http://127.0.0.1:9', states: 'http://127.0.0.1:9/states' };

/** Starts a core whose own folder is in this one. */
function started(folder: string): ReturnType<typeof startCore> {
  const { TMPDIR } = process.env;
  process.env.TMPDIR = folder;
  try {
    return startCore();
  } finally {
    if (TMPDIR === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = TMPDIR;
  }
}

// Only Linux can list the processes.
if (process.platform === 'linux') {
  test('a core that is killed ends, and its caller is notified', async () => {
    const { folder } = scratch('core');
    const core = started(folder);
    await expect.poll(() => processesIn(folder)).toHaveLength(1);
    for (const id of processesIn(folder)) process.kill(Number(id), 'SIGKILL');
    const verdict = core.verify('{}', relay, 10_000);
    await expect(verdict).rejects.toThrow("Pact's core has ended (SIGKILL)");
    await expect(core.verify('{}', relay, 10_000)).rejects.toThrow('has ended');
  });

  test('a core that exceeds its time limit is stopped', async () => {
    const { folder } = scratch('core');
    const core = started(folder);
    await expect(core.verify('{}', relay, 1)).rejects.toThrow("Pact's core has ended");
    await expect.poll(() => processesIn(folder)).toEqual([]);
  });

  test('a core has its own environment', async () => {
    const { folder } = scratch('core');
    process.env.PACT_DESCRIPTION = 'of the tests';
    const core = started(folder);
    delete process.env.PACT_DESCRIPTION;
    await expect.poll(() => processesIn(folder)).toHaveLength(1);
    const [id] = processesIn(folder);
    const names = readFileSync(`/proc/${id}/environ`, 'utf8')
      .split('\0')
      .map((pair) => pair.split('=')[0])
      .filter((name) => name !== '');
    core.close();
    expect(names.filter((name) => !/^NODE_CHANNEL_/.test(name ?? '')).sort()).toEqual([
      'PACT_DO_NOT_TRACK',
      'SSL_CERT_FILE',
    ]);
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

test('a core that crashes is a defect', async () => {
  const run = await verifying([ownPact, ownPact], {
    isDefective: true,
    core: {
      close: () => {},
      verify: () => Promise.reject(new Error("Pact's core has ended (SIGSEGV)")),
    },
  });
  expect(run.exit).toBe(3);
  expect(run.defect).toContain("Pact's core has ended (SIGSEGV)");
  const all = run.pacts.flatMap(({ interactions }) => interactions);
  expect(all).toHaveLength(2 * ownPact.pact.interactions.length);
  expect(new Set(all.map(({ ending }) => ending))).toEqual(new Set(['unverified']));
});
