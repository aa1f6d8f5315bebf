import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import type { Status } from '../../monitor/status/status.ts';
import { openDatabase } from '../../monitor/store/opening.ts';
import { Store } from '../../monitor/store/store.ts';
import { startNode } from '../process.ts';
import { night } from '../sample.ts';
import { expect, test } from '../test.ts';
import { account, startProvider, tokenMark } from './provider.ts';

const program = fileURLToPath(new URL('store-process.ts', import.meta.url));
const kills = Number(process.env.KILLS ?? (night === undefined ? 10 : 100));

/** A monitor that is killed once it has printed this many lines. @returns what it has printed */
async function killed(file: string, provider: URL, lines: number): Promise<string[]> {
  const monitor = startNode(os.tmpdir(), [program, 'watch', file, provider.href]);
  await monitor.line(new RegExp(`^((.*\n){${lines}})`));
  monitor.child.kill('SIGKILL');
  return (await monitor.ended).stdout.split('\n').slice(0, -1);
}

const countRuns = ({ counters }: Status): number =>
  Object.values(counters.runs).reduce((sum, runs) => sum + runs, 0);

/** What a file holds after a kill. */
function stored(file: string) {
  const store = new Store(openDatabase(file));
  const { status, canaries } = store.load('under-test');
  store.close();
  const db = new DatabaseSync(file);
  expect(db.prepare('pragma integrity_check').get()).toEqual({ integrity_check: 'ok' });
  db.close();
  return { status: status as Status, canaries: [...canaries.keys()] };
}

test('a monitor that is killed again and again loses at most the round that runs, and no canary', async () => {
  await using provider = await startProvider();
  const file = test.info().outputPath('monitor.sqlite');
  const canaries = new Set<string>();
  let runs = 0;
  for (let kill = 0; kill < kills; kill += 1) {
    const lines = await killed(file, provider.baseUrl, 1 + ((kill * 5) % 8));
    const rounds = lines.flatMap((line) => (line.startsWith('round ') ? [line.slice(6)] : []));
    for (const line of lines) if (line.startsWith('canary ')) canaries.add(line.slice(7));
    const now = stored(file);
    const before = runs;
    runs = countRuns(now.status);
    expect(runs).toBeGreaterThanOrEqual(before);
    const last = rounds.at(-1);
    if (last !== undefined) expect(runs).toBeGreaterThanOrEqual(countRuns(JSON.parse(last)));
    expect([...canaries].filter((id) => !now.canaries.includes(id))).toEqual([]);
    expect(now.status.events).toEqual([]);
  }
  expect(canaries.size).toBeGreaterThan(1);
  expect(runs).toBeGreaterThan(kills);
  const bytes = readFileSync(file);
  for (const secret of [account.apiKey, account.secretKey, tokenMark])
    expect(bytes.includes(secret)).toBe(false);
});

test('a user without rights learns what cannot be written', async () => {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'state-'));
  const file = path.join(folder, 'monitor.sqlite');
  new Store(openDatabase(file)).close();
  const opened = async (): Promise<string> => {
    const { stdout } = await startNode(os.tmpdir(), [program, 'open', file]).ended;
    return stdout.replaceAll(folder, '').trim();
  };
  const refused =
    /^the state file \/monitor.sqlite cannot be used \([\w ]+\): give this user the right to write it and its folder, or set/;
  chmodSync(folder, 0o777);
  chmodSync(file, 0o444);
  expect(await opened()).toMatch(refused);
  chmodSync(file, 0o666);
  expect(await opened()).toBe('opened');
  chmodSync(folder, 0o555);
  expect(await opened()).toMatch(refused);
  rmSync(file);
  expect(await opened()).toMatch(refused);
  writeFileSync(file, '');
  rmSync(folder, { recursive: true });
});
