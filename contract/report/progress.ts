import type { ProbeResult } from '../round/attempt.ts';
import { printable } from '../secrets/printable.ts';
import { terminalStyleOf } from './terminal.ts';

/** One finished step of a command. */
export interface Step {
  readonly name: string;
  /** How many there are in all. */
  readonly total: number;
  readonly isBroken?: boolean;
}

/** A run of a probe as a step. */
export const stepOf = ({ probe, endpoint, outcome }: ProbeResult): Omit<Step, 'total'> => ({
  name: `${probe.name}  ${probe.scope === 'service' ? '' : endpoint}`,
  isBroken: outcome === 'failed',
});

const barLength = 20;

/**
 * One line that is redrawn on a terminal; in a log, where lines stay, one line every thirty seconds. `end` restores the
 * terminal, and must be called in any case.
 * @param units the name of the steps: `runs`
 * @param now milliseconds on a monotonic clock
 */
export function progress(stream: NodeJS.WriteStream, units: string, now = () => performance.now()) {
  const { isTTY } = stream;
  const { paint } = terminalStyleOf(stream);
  const beganAt = now();
  let writtenAt = isTTY ? Number.NEGATIVE_INFINITY : beganAt;
  let done = 0;
  let broken = 0;
  const drawn = ({ name, total }: Step): string => {
    const full = Math.round(Math.min(done / total, 1) * barLength);
    const bar = paint('cyan', '━'.repeat(full)) + paint('dim', '━'.repeat(barLength - full));
    const counted = `${String(done).padStart(String(total).length)}/${total}  `;
    const failed = broken === 0 ? '' : `${broken} broken  `;
    const room = stream.columns - barLength - counted.length - failed.length - 3;
    const shown = printable(name).slice(0, Math.max(room, 0));
    return `\r\u001b[K${bar}  ${counted}${paint('red', failed)}${paint('dim', shown)}`;
  };
  return {
    step(step: Step): void {
      done += 1;
      if (step.isBroken) broken += 1;
      const isLast = isTTY && done >= step.total;
      if (!isLast && now() - writtenAt < (isTTY ? 50 : 30_000)) return;
      writtenAt = now();
      const seconds = Math.round((writtenAt - beganAt) / 1000);
      const printed = `${done} of ${step.total} ${units} done after ${seconds} s\n`;
      stream.write(isTTY ? drawn(step) : printed);
    },
    /** A line above the progress. */
    note(line: string): void {
      stream.write(isTTY ? `\r\u001b[K${line}` : line);
    },
    end(): void {
      if (isTTY && done > 0) stream.write('\r\u001b[K');
    },
  };
}
