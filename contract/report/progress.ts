import { printable } from '../secrets/printable.ts';

const clearLine = '\r\u001b[K';

/**
 * How far a command is: one line that is redrawn on a terminal; in a log, where lines stay, one line every thirty
 * seconds. `end` restores the terminal, and must be called in any case.
 * @param units the name of the steps: `runs`
 * @param now milliseconds on a monotonic clock
 */
export function progress(stream: NodeJS.WriteStream, units: string, now = () => performance.now()) {
  const { isTTY } = stream;
  const beganAt = now();
  let writtenAt = isTTY ? Number.NEGATIVE_INFINITY : beganAt;
  let done = 0;
  return {
    /** A step has ended. @param total how many there are in all */
    step({ name, total }: { readonly name: string; readonly total: number }): void {
      done += 1;
      if (now() - writtenAt < (isTTY ? 50 : 30_000)) return;
      writtenAt = now();
      const counted = `${done} of ${total} ${units} done`;
      // A longer line would scroll.
      const drawn = `${counted}  ${printable(name)}`.slice(0, stream.columns - 1);
      const seconds = Math.round((writtenAt - beganAt) / 1000);
      stream.write(isTTY ? clearLine + drawn : `${counted} after ${seconds} s\n`);
    },
    /** A line above the progress. */
    note(line: string): void {
      stream.write(isTTY ? clearLine + line : line);
    },
    end(): void {
      if (isTTY && done > 0) stream.write(clearLine);
    },
  };
}
