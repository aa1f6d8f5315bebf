import type { Time } from '../schedule/time.ts';

export interface Answer {
  /** Calls the listener once the whole answer has been sent, or its connection has closed. */
  onEnd(listener: () => void): void;
  /** Closes its connection. */
  cut(): void;
}

/** A connection, or an answer on it. */
interface Closing {
  once(event: 'close', listener: () => void): unknown;
}

interface Socket extends Closing {
  destroy(): unknown;
}

interface AnswerLimits {
  /** The most pending answers. */
  readonly most: number;
  /** How long one answer may take, from its request to its last byte. */
  readonly withinMs: number;
  readonly time: Pick<Time, 'after'>;
}

/**
 * Limits the answers of a server. A client may send thousands of requests on one connection before it reads the
 * first answer, and may never read one.
 */
export function answersOnTheirWay({ most, withinMs, time }: AnswerLimits) {
  /** The callbacks that end each connection's answers: Node does not notify queued answers when a connection closes. */
  const ofSocket = new Map<Closing, Set<() => void>>();
  let count = 0;

  function waitingOn(socket: Closing): Set<() => void> {
    const known = ofSocket.get(socket);
    if (known !== undefined) return known;
    const ends = new Set<() => void>();
    ofSocket.set(socket, ends);
    socket.once('close', () => {
      ofSocket.delete(socket);
      for (const end of ends) end();
    });
    return ends;
  }

  return {
    /** @param isEndless whether it is a stream, which has no time limit @returns undefined when there are too many */
    begin(socket: Socket, response: Closing, isEndless: boolean): Answer | undefined {
      if (count >= most) return undefined;
      count += 1;
      const cut = (): void => void socket.destroy();
      const stopTimer = isEndless ? () => {} : time.after(withinMs, cut);
      const listeners = new Set<() => void>();
      const ends = waitingOn(socket);
      function end(): void {
        if (!ends.delete(end)) return;
        count -= 1;
        stopTimer();
        for (const listener of listeners) listener();
      }
      ends.add(end);
      response.once('close', end);
      return { cut, onEnd: (listener) => void listeners.add(listener) };
    },
  };
}
