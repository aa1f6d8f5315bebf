import type { Time } from '../schedule/time.ts';

const mostListeners = 32;

/** A page reloads at most once in this time. */
const atMostEveryMs = 1_000;

/** Sent at this interval, because proxies close idle connections. */
const heartbeatMs = 15_000;

/** A listener with this number of unread events does not read, and is disconnected. */
const mostUnread = 16;

type Listener = ReadableStreamDefaultController<Uint8Array>;

/** Server-sent events: a `change` event after runs, so that pages reload. */
export class Changes {
  readonly #time: Time;
  readonly #listeners = new Set<Listener>();
  readonly #stopHearing: () => void;
  #nextAt: number;
  #isClosed = false;
  #count = 0;
  #cancelEvent: (() => void) | undefined;
  #cancelHeartbeat = (): void => {};

  /** @param onChange calls its listener after each run, and returns a function that removes the listener */
  constructor(onChange: (listener: () => void) => () => void, time: Time) {
    this.#time = time;
    this.#nextAt = time.monotonic();
    this.#stopHearing = onChange(() => this.#changed());
  }

  count(): number {
    return this.#count;
  }

  /** @returns a stream for one more listener, or undefined when there are too many */
  open(): ReadableStream<Uint8Array> | undefined {
    if (this.#isClosed || this.#listeners.size >= mostListeners) return undefined;
    let own: Listener | undefined;
    return new ReadableStream<Uint8Array>(
      {
        start: (controller) => {
          own = controller;
          this.#begin(controller);
        },
        cancel: () => {
          if (own !== undefined) this.#listeners.delete(own);
        },
      },
      { highWaterMark: mostUnread },
    );
  }

  /** Ends all streams; no new one is opened. */
  close(): void {
    this.#isClosed = true;
    this.#stopHearing();
    this.#cancelEvent?.();
    this.#cancelHeartbeat();
    for (const listener of this.#listeners) this.#end(listener);
  }

  #begin(listener: Listener): void {
    this.#listeners.add(listener);
    listener.enqueue(new TextEncoder().encode('retry: 5000\n\n'));
    if (this.#listeners.size > 1) return;
    this.#cancelHeartbeat();
    this.#cancelHeartbeat = this.#time.after(heartbeatMs, () => this.#beat());
  }

  #end(listener: Listener): void {
    this.#listeners.delete(listener);
    listener.close();
  }

  #beat(): void {
    this.#publish(': still here\n\n');
    if (this.#listeners.size > 0)
      this.#cancelHeartbeat = this.#time.after(heartbeatMs, () => this.#beat());
  }

  #changed(): void {
    this.#count += 1;
    if (this.#cancelEvent !== undefined || this.#listeners.size === 0) return;
    const inMs = Math.max(0, this.#nextAt - this.#time.monotonic());
    this.#cancelEvent = this.#time.after(inMs, () => {
      this.#cancelEvent = undefined;
      this.#nextAt = this.#time.monotonic() + atMostEveryMs;
      this.#publish('event: change\ndata: a run has ended\n\n');
    });
  }

  #publish(text: string): void {
    const bytes = new TextEncoder().encode(text);
    for (const listener of this.#listeners) {
      if ((listener.desiredSize ?? 0) > 0) listener.enqueue(bytes);
      else this.#end(listener);
    }
  }
}
