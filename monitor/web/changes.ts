import type { Time } from '../schedule/time.ts';

/** Server-sent events: an event `change` after runs, for pages that keep themselves current. */
export interface Changes {
  /** @returns a stream for one more listener, or undefined when there are enough */
  open(): ReadableStream<Uint8Array> | undefined;
  /** How many changes there have been. */
  count(): number;
  /** Ends all streams; none is opened any more. */
  close(): void;
}

const mostListeners = 32;

/** A page renews itself at most so often. */
const atMostEveryMs = 1_000;

/** Proxies end connections on which nothing comes. */
const heartbeatMs = 15_000;

/** A listener with this number of unread events does not read at all. */
const mostUnread = 16;

/** @param onChange calls its listener after each run; it returns what takes the listener back */
export function changesOf(onChange: (listener: () => void) => () => void, time: Time): Changes {
  const listeners = new Set<ReadableStreamDefaultController<Uint8Array>>();
  let nextAt = time.monotonic();
  let closed = false;
  let count = 0;
  let cancelEvent: (() => void) | undefined;
  let cancelHeartbeat = (): void => {};

  function publish(text: string): void {
    const bytes = new TextEncoder().encode(text);
    for (const listener of listeners) {
      if ((listener.desiredSize ?? 0) > 0) listener.enqueue(bytes);
      else end(listener);
    }
  }

  function end(listener: ReadableStreamDefaultController<Uint8Array>): void {
    listeners.delete(listener);
    listener.close();
  }

  function beat(): void {
    publish(': still here\n\n');
    if (listeners.size > 0) cancelHeartbeat = time.after(heartbeatMs, beat);
  }

  function changed(): void {
    count += 1;
    if (cancelEvent !== undefined || listeners.size === 0) return;
    cancelEvent = time.after(Math.max(0, nextAt - time.monotonic()), () => {
      cancelEvent = undefined;
      nextAt = time.monotonic() + atMostEveryMs;
      publish('event: change\ndata: a run has ended\n\n');
    });
  }

  const stopHearing = onChange(changed);
  return {
    count: () => count,
    open() {
      if (closed || listeners.size >= mostListeners) return undefined;
      let own: ReadableStreamDefaultController<Uint8Array> | undefined;
      return new ReadableStream<Uint8Array>(
        {
          start(controller) {
            own = controller;
            listeners.add(controller);
            controller.enqueue(new TextEncoder().encode('retry: 5000\n\n'));
            if (listeners.size > 1) return;
            cancelHeartbeat();
            cancelHeartbeat = time.after(heartbeatMs, beat);
          },
          cancel() {
            if (own !== undefined) listeners.delete(own);
          },
        },
        { highWaterMark: mostUnread },
      );
    },
    close() {
      closed = true;
      stopHearing();
      cancelEvent?.();
      cancelHeartbeat();
      for (const listener of listeners) end(listener);
    },
  };
}
