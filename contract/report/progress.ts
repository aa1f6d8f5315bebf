import type { RoundOptions } from '../round/round.ts';
import { printable } from '../secrets/printable.ts';
import { lookOf } from './look.ts';

/** What is told while a round runs. */
export interface Progress {
  /** For `judgeProvider`. */
  readonly onOutcome: NonNullable<RoundOptions['onOutcome']>;
  /** Leaves the terminal as it was; to be called whatever happened. */
  readonly end: () => void;
}

const redrawnEveryMs = 50;
const printEveryMs = 30_000;
const barLength = 20;

/**
 * One line that is redrawn on a terminal; elsewhere, where lines stay for ever, one every thirty seconds.
 * @param now milliseconds on a clock that is never set
 */
export function progress(stream: NodeJS.WriteStream, now = () => performance.now()): Progress {
  return stream.isTTY ? redrawn(stream, now) : message(stream, now);
}

function redrawn(stream: NodeJS.WriteStream, now: () => number): Progress {
  const { paint } = lookOf(stream);
  let drawnAt: number | undefined;
  let broken = 0;
  return {
    onOutcome({ probe, endpoint, ending }, done, total) {
      if (ending === 'broken') broken += 1;
      if (drawnAt !== undefined && now() - drawnAt < redrawnEveryMs && done < total) return;
      drawnAt = now();
      const full = total === 0 ? 0 : Math.round((done / total) * barLength);
      const failed = broken === 0 ? '' : `${broken} broken  `;
      const counted = `${String(done).padStart(String(total).length)}/${total}  `;
      const room = stream.columns - barLength - counted.length - failed.length - 3;
      const name = printable(`${probe.name}  ${probe.once === true ? '' : endpoint}`).slice(
        0,
        Math.max(room, 0),
      );
      stream.write(
        `\r\u001b[K${paint('cyan', '━'.repeat(full))}${paint('dim', '━'.repeat(barLength - full))}  ` +
          `${counted}${paint('red', failed)}${paint('dim', name)}`,
      );
    },
    end() {
      if (drawnAt !== undefined) stream.write('\r\u001b[K');
      drawnAt = undefined;
    },
  };
}

function message(stream: NodeJS.WriteStream, now: () => number): Progress {
  const began = now();
  let printedAt = began;
  return {
    onOutcome(_outcome, done, total) {
      if (now() - printedAt < printEveryMs) return;
      printedAt = now();
      stream.write(
        `${done} of ${total} runs done after ${Math.round((printedAt - began) / 1000)} s\n`,
      );
    },
    end() {},
  };
}
