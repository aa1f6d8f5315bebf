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

/** The progress that a command shows. */
export interface Progress {
  readonly step: (step: Step) => void;
  /** Restores the terminal; must be called in any case. */
  readonly end: () => void;
}

/** A run of a probe as a step. */
export const stepOf = ({ probe, endpoint, outcome }: ProbeResult): Omit<Step, 'total'> => ({
  name: `${probe.name}  ${probe.scope === 'service' ? '' : endpoint}`,
  isBroken: outcome === 'failed',
});

const redrawnEveryMs = 50;
const printEveryMs = 30_000;
const barLength = 20;

/**
 * One line that is redrawn on a terminal; in a log, where lines stay, one line every thirty seconds.
 * @param units the name of the steps: `runs`
 * @param now milliseconds on a monotonic clock
 */
export function progress(
  stream: NodeJS.WriteStream,
  units: string,
  now = () => performance.now(),
): Progress {
  return stream.isTTY ? redrawn(stream, now) : printed(stream, units, now);
}

function redrawn(stream: NodeJS.WriteStream, now: () => number): Progress {
  const { paint } = terminalStyleOf(stream);
  let drawnAt: number | undefined;
  let done = 0;
  let broken = 0;
  return {
    step({ name, total, isBroken = false }) {
      done += 1;
      if (isBroken) broken += 1;
      if (drawnAt !== undefined && now() - drawnAt < redrawnEveryMs && done < total) return;
      drawnAt = now();
      const full = total === 0 ? 0 : Math.round((done / total) * barLength);
      const failed = broken === 0 ? '' : `${broken} broken  `;
      const counted = `${String(done).padStart(String(total).length)}/${total}  `;
      const room = stream.columns - barLength - counted.length - failed.length - 3;
      const shown = printable(name).slice(0, Math.max(room, 0));
      stream.write(
        `\r\u001b[K${paint('cyan', '━'.repeat(full))}${paint('dim', '━'.repeat(barLength - full))}  ` +
          `${counted}${paint('red', failed)}${paint('dim', shown)}`,
      );
    },
    end() {
      if (drawnAt !== undefined) stream.write('\r\u001b[K');
      drawnAt = undefined;
    },
  };
}

function printed(stream: NodeJS.WriteStream, units: string, now: () => number): Progress {
  const began = now();
  let printedAt = began;
  let done = 0;
  return {
    step({ total }) {
      done += 1;
      if (now() - printedAt < printEveryMs) return;
      printedAt = now();
      stream.write(
        `${done} of ${total} ${units} done after ${Math.round((printedAt - began) / 1000)} s\n`,
      );
    },
    end() {},
  };
}
