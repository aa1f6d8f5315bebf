import { readFile, writeFile } from 'node:fs/promises';
import { expect, test } from '@playwright/test';
import { ClockError, type SettableClock } from '../../contract/time/clock.ts';
import { fileClock } from '../../contract/time/file-clock.ts';

const fileNamed = (...names: string[]): string => test.info().outputPath(...names);

test('libfaketime never reads less than the instant, nor another millisecond', async () => {
  const file = fileNamed('time');
  const clock = fileClock(file);
  for (const second of [0, 1, 2, 3, 4, 5, 6, 7, 8, 9])
    for (const millisecond of [0, 1, 250, 499, 500, 501, 998, 999]) {
      const instant = Date.UTC(2026, 11, 1, 12, 59, 50 + second, millisecond);
      await clock.set(instant);
      const read = asLibfaketime(await readFile(file, 'utf8'));
      expect(read).toBeGreaterThanOrEqual(millisecond * 1e6);
      expect(read).toBeLessThan(millisecond * 1e6 + 1000);
      expect(await clock.read()).toBe(instant);
    }
});

/** The nanoseconds of a second, as libfaketime 0.9.10 reads them: from the last digit of the seconds on. */
function asLibfaketime(text: string): number {
  const fraction = Number.parseFloat(text.slice(text.indexOf('.') - 1));
  return Math.trunc((fraction - Math.floor(fraction)) * 1e9);
}

async function expectRealTime(clock: SettableClock): Promise<void> {
  const before = Date.now();
  const read = await clock.read();
  expect(read).toBeGreaterThanOrEqual(before);
  expect(read).toBeLessThanOrEqual(Date.now());
}

test('a released clock file contains real time, and is read as real time', async () => {
  const file = fileNamed('time');
  const clock = fileClock(file);
  await clock.set(0);
  await clock.release();
  expect(await readFile(file, 'utf8')).toBe('+0\n');
  await expectRealTime(clock);
});

test('a missing or malformed clock file means real time', async () => {
  const file = fileNamed('time');
  for (const text of [undefined, '', '+0\n', 'nonsense', '2026-13-41 00:00:00']) {
    if (text !== undefined) await writeFile(file, text);
    await expectRealTime(fileClock(file));
  }
});

test('a file that cannot be written is one line that names it, and shows real time', async () => {
  const file = fileNamed('no', 'such', 'folder');
  const clock = fileClock(file);
  const failed = clock.set(0);
  await expect(failed).rejects.toThrow(ClockError);
  await expect(failed).rejects.toThrow(`clock file ${file}: cannot be written (ENOENT)`);
  await expectRealTime(clock);
});
