import type { Time } from '../schedule/time.ts';

/** An answer that is on its way. */
export interface Answer {
  /** Calls the listener once all of it has been sent, or its connection is gone. */
  onEnd(listener: () => void): void;
  /** Closes its connection. */
  cut(): void;
}

/** A connection, or an answer on it. */
interface Closing {
  once(event: 'close', listener: () => void): unknown;
}

export interface AnswerLimits {
  /** Answers on their way at once. */
  readonly most: number;
  /** How long one may take, from its request to its last byte. */
  readonly withinMs: number;
  readonly time: Pick<Time, 'after'>;
}

/** The answers of a server that are on their way. */
export interface Answers {
  /**
   * @param isEndless whether it is a stream, which may take as long as it likes
   * @returns undefined when there are enough
   */
  begin(
    socket: Closing & { destroy(): unknown },
    response: Closing,
    isEndless: boolean,
  ): Answer | undefined;
}

/**
 * Bounds the answers of a server. A client may send thousands of requests on one connection before it reads the first
 * answer, and may never read any.
 */
export function answersOnTheirWay({ most, withinMs, time }: AnswerLimits): Answers {
  /** What ends the answers of a connection: Node does not tell those that wait behind another that it is gone. */
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
    begin(socket, response, isEndless) {
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
