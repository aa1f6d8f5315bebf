import { lookOf } from '../../../contract/report/look.ts';
import { printable } from '../../../contract/secrets/printable.ts';

/** What is told on a terminal while pacts are verified. */
export interface Progress {
  next(description: string): void;
  end(): void;
}

/** One line that is redrawn; elsewhere, where lines stay for ever, nothing: a run takes a second. */
export function progress(stream: NodeJS.WriteStream, total: number): Progress {
  const { paint } = lookOf(stream);
  let done = 0;
  return {
    next(description) {
      done += 1;
      if (!stream.isTTY) return;
      const counted = `${done}/${total}  `;
      const room = Math.max(stream.columns - counted.length - 1, 0);
      const shown = printable(description).slice(0, room);
      stream.write(`\r\u001b[K${counted}${paint('dim', shown)}`);
    },
    end() {
      if (stream.isTTY) stream.write('\r\u001b[K');
    },
  };
}
