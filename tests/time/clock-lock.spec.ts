import { randomUUID } from 'node:crypto';
import { expect, test } from '@playwright/test';
import { lockClock } from '../../contract/time/clock-lock.ts';
import { processesWith, startNode } from '../process.ts';

/** A new name, so that no two tests share a clock. */
const aClock = (): string => `test clock ${randomUUID()}`;
const silent = { onWait: () => {} };

test('a run waits for the one that has the clock, and prints so once', async () => {
  const name = aClock();
  const lines: string[] = [];
  const order: string[] = [];
  const first = await lockClock(name, silent);
  const second = lockClock(name, { onWait: (line) => lines.push(line) }).then((unlock) => {
    order.push('second begins');
    unlock();
  });
  await expect.poll(() => lines).toEqual([`another run moves the ${name}: waiting for its end`]);
  order.push('first ends');
  first();
  await second;
  expect(order).toEqual(['first ends', 'second begins']);
  expect(lines).toHaveLength(1);
});

test('another clock is nothing to wait for', async () => {
  const one = await lockClock(aClock(), silent);
  const other = await lockClock(aClock(), silent);
  one();
  other();
});

test('a run does not wait for ever, and can be interrupted', async () => {
  const name = aClock();
  const first = await lockClock(name, silent);
  await expect(lockClock(name, { ...silent, mostWaitMs: 50 })).rejects.toThrow(
    `${name}: another run has moved it for 0.05 s: end that one, or wait for it`,
  );
  const ending = new AbortController();
  const waiting = lockClock(name, { signal: ending.signal, onWait: () => ending.abort('enough') });
  await expect(waiting).rejects.toBe('enough');
  first();
  (await lockClock(name, silent))();
});

test('a killed run leaves the clock to the next one', async () => {
  const name = aClock();
  const lock = new URL('../../contract/time/clock-lock.ts', import.meta.url).href;
  const program = `import { lockClock } from ${JSON.stringify(lock)};
await lockClock(${JSON.stringify(name)}, { onWait() {} });
console.log('locked'); setInterval(() => {}, 1000);`;
  await using run = startNode(
    test.info().outputDir.replace(/[^/]*$/, ''),
    ['--input-type=module', '--eval', program],
    { LOCK_OF: name, TMPDIR: process.env.TMPDIR ?? '/tmp' },
  );
  expect(await run.line(/(locked)/)).toBe('locked');
  expect(processesWith(name) ?? ['one']).toHaveLength(1);
  await expect(lockClock(name, { ...silent, mostWaitMs: 50 })).rejects.toThrow('another run');
  run.child.kill('SIGKILL');
  await run.ended;
  (await lockClock(name, silent))();
});
