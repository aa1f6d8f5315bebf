import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as after } from 'node:timers/promises';
import { expect, test } from '@playwright/test';
import { mustHold } from '../../contract/clauses.ts';
import { openStateStore } from '../../monitor/state/state.ts';
import type { Status } from '../../monitor/watch/status.ts';
import { nightly } from '../nightly.ts';
import { random } from '../simulation/random.ts';
import { addressOf, type Monitor, startMonitor } from './process.ts';
import { account, startProvider, tokenMark } from './provider.ts';
import { watchingTargets } from './targets-file.ts';

nightly();

const names = Array.from({ length: 6 }, (_, index) => `target-${index}`);

/** How long each monitor runs before it is killed (milliseconds) is the same each time. `KILLS` is their number. */
const { between } = random('kills');
const kills = Number(process.env.KILLS ?? 100);

const statusOf = async (monitor: Monitor): Promise<Status> =>
  JSON.parse(await (await fetch(new URL('/status.json', await addressOf(monitor)))).text());

test('a monitor that is killed under load restarts, loses no written data, and reports no violation', async () => {
  await using provider = await startProvider();
  const folder = test.info().outputPath();
  const state = path.join(folder, 'monitor.sqlite');
  const targets = names.map((name) => ({ name, url: provider.baseUrl.href }));
  const env = { ...watchingTargets(targets, { period: '1s' }), MONITOR_STATE: state };

  /** The current content of the state file: the ids of canaries, and each verdict with its start. */
  function written(): { canaries: Set<string>; verdicts: Map<string, unknown> } {
    const kept = openStateStore(state);
    const canaries = names.flatMap((name) => [...kept.entries(name, 'canary').keys()]);
    const verdicts = names.flatMap((name) =>
      [...kept.entries(name, 'verdict')].map(([id, value]): [string, unknown] => [
        `${name} ${id}`,
        value,
      ]),
    );
    kept.close();
    return { canaries: new Set(canaries), verdicts: new Map(verdicts) };
  }

  // The first monitor runs until every target has all verdicts and a canary.
  const first = startMonitor(env);
  const isKnown = async () =>
    (await statusOf(first)).targets.every(
      (one) => one.state === 'holds' && one.token?.canaries.alive === 1,
    );
  await expect.poll(isKnown, { timeout: 240_000 }).toBe(true);
  await after(1_500);
  await first.stop('SIGKILL');
  const known = written();
  expect(known.canaries.size).toBe(names.length);
  expect(known.verdicts.size).toBe(mustHold.length * names.length);

  for (let kill = 0; kill < kills; kill++) {
    const monitor = startMonitor(env);
    await Promise.race([after(between(100, 600)), monitor.ended]);
    await monitor.stop('SIGKILL');
    expect(monitor.stderr()).toBe('');
    const now = written();
    expect([...known.canaries].filter((id) => !now.canaries.has(id))).toEqual([]);
    expect([...now.verdicts]).toEqual(expect.arrayContaining([...known.verdicts]));
  }

  for (const file of readdirSync(folder)) {
    const bytes = readFileSync(path.join(folder, file));
    for (const secret of [account.apiKey, account.secretKey, tokenMark])
      expect(bytes.includes(secret)).toBe(false);
  }

  const last = startMonitor(env);
  for (const { state: is, clauses, token } of (await statusOf(last)).targets) {
    expect(is).toBe('holds');
    expect(clauses.filter(({ verdict }) => verdict === 'violated')).toEqual([]);
    expect(token?.canaries).toMatchObject({ failed: 0, lost: 0 });
  }
  expect(await last.stop()).toBe(0);
});
