import { closeSync, openSync, statSync, writeSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from '@playwright/test';
import { openStore } from '../../monitor/store/store.ts';
import { addressOf, startMonitor } from './process.ts';
import { startProvider } from './provider.ts';
import { sample, targetsAt, targetsFile } from './targets-file.ts';

/** Fills a state file with more rows of one target than SQLite caches in memory. */
function fill(file: string, target: string): void {
  const store = openStore(file);
  for (let key = 0; key < 4_000; key += 1)
    store.saveCanary(target, String(key), { text: 'x'.repeat(1_000) });
  store.close();
}

/** Overwrites everything after the first page of the file while the monitor has it open. */
function damage(file: string): void {
  const descriptor = openSync(file, 'r+');
  writeSync(descriptor, Buffer.alloc(statSync(file).size - 4_096, 0x5a), 0, undefined, 4_096);
  closeSync(descriptor);
}

test('a reload that needs what the state file cannot give changes nothing, and the monitor keeps running', async () => {
  await using provider = await startProvider();
  const file = targetsFile(provider.baseUrl);
  const state = path.join(file.folder, 'monitor.sqlite');
  fill(state, 'two');
  file.name('one');
  await using monitor = startMonitor({ ...file.env, MONITOR_STATE: state });
  const page = await addressOf(monitor);
  damage(state);
  file.name('two');

  const reloaded = await fetch(new URL('/-/reload', page), { method: 'POST' });
  const line = await reloaded.text();
  expect([reloaded.status, line]).toEqual([
    422,
    expect.stringMatching(
      /^nothing is changed: the state file cannot be read \(.*\): move it away/,
    ),
  ]);
  expect(await targetsAt(page)).toEqual(['one']);
  expect(await sample(page, 'contract_monitor_config_last_reload_successful')).toMatch(/ 0$/);

  process.kill(monitor.pid, 'SIGHUP');
  const message = () => monitor.stdout().split('"event":"reload"').length - 1;
  await expect.poll(message).toBe(2);
  expect(await targetsAt(page)).toEqual(['one']);
  await monitor.stop();
});
