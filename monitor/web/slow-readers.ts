import type { Time } from '../loop/time.ts';

/** A connection, and the answer on it. Both close when the client disconnects. */
export interface Connection {
  readonly incoming: { readonly socket: { destroy(): unknown } };
  readonly outgoing: { once(event: 'close', listener: () => void): unknown };
}

/** An answer that is not read within this time is aborted. */
const readWithinMs = 30_000;

/** The most unread bytes in memory. Each text counts once, even if many clients read it. */
const mostUnread = 16 * 1024 * 1024;

/** Limits what clients cost that do not read their answers. The server limits the number of connections. */
export function slowReaders({ after }: Pick<Time, 'after'>) {
  /** The connections with an unread answer, the oldest answer first, and the bytes that it sends. */
  const unread = new Map<Connection['incoming']['socket'], Uint8Array | undefined>();
  const unreadBytes = (): number =>
    [...new Set(unread.values())].reduce((sum, bytes) => sum + (bytes?.length ?? 0), 0);
  return {
    /** Disconnects a client that has not read its previous answer: each connection gets one answer at a time. */
    begin({ incoming: { socket }, outgoing }: Connection): void {
      if (unread.has(socket)) return void socket.destroy();
      unread.set(socket, undefined);
      const stop = after(readWithinMs, () => socket.destroy());
      outgoing.once('close', () => {
        stop();
        unread.delete(socket);
      });
    },
    /** Records what an answer sends. Above the limit, the readers of older texts are disconnected. */
    send({ incoming: { socket } }: Connection, bytes: Uint8Array): void {
      // The client may have disconnected while the text was rendered.
      if (!unread.has(socket)) return;
      unread.set(socket, bytes);
      for (const [oldest, text] of unread) {
        if (text === bytes || unreadBytes() <= mostUnread) return;
        if (text === undefined) continue;
        unread.delete(oldest);
        oldest.destroy();
      }
    },
  };
}
