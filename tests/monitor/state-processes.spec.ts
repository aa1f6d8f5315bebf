import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import { openStateStore } from '../../monitor/state/state.ts';
import { night } from '../sample.ts';
import { expect, test } from './state-file.ts';

const program = fileURLToPath(new URL('state-process.ts', import.meta.url));

/** A process that uses a state file. */
interface User {
  /** Resolves when the process has printed this number of lines, or has ended. */
  output(lines: number): Promise<void>;
  /** @returns everything that the process printed */
  kill(): Promise<string>;
}

function start(file: string): User {
  const child = spawn(process.execPath, [program, 'write', file], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(child, 'close');
  let printed = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    printed += text;
  });
  return {
    async output(lines) {
      while (printed.split('\n').length <= lines && child.exitCode === null)
        await Promise.race([once(child.stdout, 'data'), ended]);
    },
    async kill() {
      child.kill('SIGKILL');
      await ended;
      return printed;
    },
  };
}

const inUse =
  ' is in use, most likely by another monitor: stop that one, or set MONITOR_STATE to another file';

test('a process that was killed does not hold the file any more', async ({ file, open }) => {
  const first = start(file);
  await first.output(2);
  expect(() => open()).toThrow(inUse);
  await first.kill();
  expect(open().entries('one', 'meta').get('number')).toBeGreaterThan(0);
});

/** The last number in the file of a killed process. Checks that all rows of one write have this number. */
function written(file: string): number {
  const state = openStateStore(file);
  const number = Number(state.entries('one', 'meta').get('number') ?? 0);
  const slots = [...state.entries('one', 'slot').values()];
  const [latest] = state.events('one', { limit: 1 });
  const [hour] = state.hours('one', 0);
  state.close();
  const db = new DatabaseSync(file);
  const check = db.prepare('pragma integrity_check').get();
  const events = db.prepare('select count(*) as number from events').get();
  db.close();
  expect(check).toEqual({ integrity_check: 'ok' });
  expect(slots).toEqual(Array(number === 0 ? 0 : 100).fill({ number }));
  expect(events).toEqual({ number });
  expect([latest?.at ?? 0, hour?.kept ?? 0]).toEqual([number, number]);
  return number;
}

const kills = night === undefined ? 10 : 100;

test('a process that is killed again and again keeps all confirmed writes', async ({ file }) => {
  let before = 0;
  for (let time = 0; time < kills; time++) {
    const writer = start(file);
    await writer.output(1 + Math.floor(Math.random() * 30));
    const output = (await writer.kill()).trimEnd().split('\n').map(Number);
    const number = written(file);
    expect(number).toBeGreaterThanOrEqual(Math.max(before, ...output));
    before = number;
  }
  expect(before).toBeGreaterThan(kills);
});
