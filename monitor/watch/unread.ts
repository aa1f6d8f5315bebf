import type { Writable } from 'node:stream';
import type { Lines } from './log.ts';

/** More than a reader that is alive ever leaves unread. */
const mostUnread = 1024 * 1024;

/**
 * Lines for a stream whose reader may stop without going away: a stopped terminal, a log collector that hangs. What it
 * does not read waits in memory, so lines beyond a bound are dropped, and counted in one line once there is room.
 */
export function unlessUnread(stream: Pick<Writable, 'write' | 'writableLength'>): Lines {
  let dropped = 0;
  return {
    write(line) {
      if (stream.writableLength > mostUnread) {
        dropped += 1;
        return;
      }
      if (dropped > 0) {
        const time = new Date().toISOString();
        const msg = `${dropped} lines of the log were dropped because it was not read`;
        stream.write(`${JSON.stringify({ level: 'warn', time, dropped, msg })}\n`);
      }
      dropped = 0;
      stream.write(line);
    },
  };
}
