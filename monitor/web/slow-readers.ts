import type { Time } from '../loop/time.ts';

/** A connection, and the answer on it. Both close when the client disconnects. */
export interface Connection {
  readonly incoming: { readonly socket: { destroy(): unknown } };
  readonly outgoing: { once(event: 'close', listener: () => void): unknown };
}

type Socket = Connection['incoming']['socket'];

/** An answer that is not read within this time is aborted. */
const readWithinMs = 30_000;

/** The most unread bytes in memory. Each text counts once, even if many clients read it. */
const mostUnread = 16 * 1024 * 1024;

/** Limits what clients cost that do not read their answers. The server limits the number of connections. */
export class SlowReaders {
  readonly #time: Pick<Time, 'after'>;
  /** The connections with an unread answer, the oldest answer first, and the bytes that it sends. */
  readonly #reading = new Map<Socket, Uint8Array | undefined>();

  constructor(time: Pick<Time, 'after'>) {
    this.#time = time;
  }

  /** Disconnects a client that has not read its previous answer: each connection gets one answer at a time. */
  begin({ incoming: { socket }, outgoing }: Connection): void {
    if (this.#reading.has(socket)) return void socket.destroy();
    this.#reading.set(socket, undefined);
    const stop = this.#time.after(readWithinMs, () => socket.destroy());
    outgoing.once('close', () => {
      stop();
      this.#reading.delete(socket);
    });
  }

  /** Records what an answer sends. Above the limit, the readers of older texts are disconnected. */
  send({ incoming: { socket } }: Connection, bytes: Uint8Array): void {
    // The client may have disconnected while the text was rendered.
    if (!this.#reading.has(socket)) return;
    this.#reading.set(socket, bytes);
    for (const [oldest, unread] of this.#reading) {
      if (unread === bytes || this.#unread() <= mostUnread) return;
      if (unread === undefined) continue;
      this.#reading.delete(oldest);
      oldest.destroy();
    }
  }

  #unread(): number {
    return [...new Set(this.#reading.values())].reduce(
      (sum, bytes) => sum + (bytes?.length ?? 0),
      0,
    );
  }
}
