import { readFile, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { ClockError, type SettableClock } from './clock.ts';

/**
 * The file that libfaketime reads for a provider's process (`FAKETIME_TIMESTAMP_FILE`): simulated time for a
 * provider without a test clock. The process must run in UTC, with `FAKETIME_NO_CACHE=1`,
 * `FAKETIME_DONT_FAKE_MONOTONIC=1` and `FAKETIME_FORCE_MONOTONIC_FIX=0`. The file is replaced by a rename:
 * libfaketime ends a process that reads an incomplete one.
 */
export function fileClock(relative: string): SettableClock {
  const file = path.resolve(relative);
  const name = `clock file ${file}`;

  async function write(text: string): Promise<void> {
    try {
      await writeFile(`${file}.new`, `${text}\n`);
      await rename(`${file}.new`, file);
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? ` (${error.code})` : '';
      throw new ClockError(`${name}: cannot be written${code}`, { cause: error });
    }
  }

  return {
    name,
    movesProcess: true,
    // An earlier, killed run may have left it in the future, and another run may move it now.
    async read() {
      const text = await readFile(file, 'utf8').catch(() => '');
      const [, date, time] = /^(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d(?:\.\d+)?)\s*$/.exec(text) ?? [];
      return Date.parse(`${date}T${time}Z`) || Date.now();
    },
    async set(instant) {
      // libfaketime cuts a nanosecond off some fractions: without these digits a token would live too long.
      await write(new Date(instant).toISOString().replace('T', ' ').replace('Z', '0001'));
    },
    release: () => write('+0'),
  };
}
