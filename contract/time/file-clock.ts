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
      const text = new Date(instant).toISOString().replace('T', ' ').replace('Z', '');
      await write(isCutShort(text) ? `${text}${halfMicrosecond}` : text);
    },
    release: () => write('+0'),
  };
}

/**
 * Digits after the milliseconds: more than libfaketime cuts off, and less than a provider reads as the next one.
 * libfaketime takes the last digit of the seconds as a part of the fraction. `58.501` is then
 * 58.500999999, which PHP and Perl store as 58.501: the token would live a microsecond too long.
 */
const halfMicrosecond = '0005';

function isCutShort(text: string): boolean {
  const fraction = Number(text.slice(-5));
  return Math.floor((fraction - Math.floor(fraction)) * 1e9) < Number(text.slice(-3)) * 1e6;
}
