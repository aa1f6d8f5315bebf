import { realTime, type Time } from '../schedule/time.ts';
import type { Answer } from './answers.ts';

/** A text as bytes, rendered once for all requests. */
export type Rendered = Uint8Array<ArrayBuffer>;

/** A stream of the bytes. For any other kind of body, each answer would hold a copy. */
export const streamOf = (bytes: Rendered): ReadableStream<Uint8Array> =>
  new ReadableStream({
    start(controller) {
      controller.enqueue(bytes);
      controller.close();
    },
  });

export interface RendererOptions {
  /** The share of the time that rendering may take, between 0 and 1. */
  readonly share: number;
  /** When this value changes, what was rendered may be outdated. */
  readonly version: () => unknown;
  readonly time?: Pick<Time, 'monotonic' | 'after'>;
}

interface Latest {
  readonly bytes: Rendered;
  readonly version: unknown;
  readonly at: number;
}

interface Waiting extends PromiseWithResolvers<Rendered> {
  readonly render: () => PromiseLike<unknown> | unknown;
}

/** The longest time for which a rendered text is served: pages show the time, and maintenance begins at an instant. */
const freshMs = 1_000;

/** The most unread bytes in memory. Each version counts once, even if many clients read it. */
const mostUnread = 16 * 1024 * 1024;

/**
 * Renders texts so that neither many requests nor slow readers harm the monitor. Each text is rendered once per
 * change. Texts are rendered one after the other, with pauses in which probes run. Requests that arrive meanwhile
 * wait, and all get the same bytes. If too many versions are still being read, the readers of the oldest are
 * disconnected.
 */
export class Renderer {
  readonly #share: number;
  readonly #version: () => unknown;
  readonly #time: Pick<Time, 'monotonic' | 'after'>;
  readonly #latest = new Map<string, Latest>();
  readonly #waiting = new Map<string, Waiting>();
  readonly #readers = new Map<Rendered, Set<Answer>>();
  #isBusy = false;

  constructor({ share, version, time = realTime }: RendererOptions) {
    this.#share = share;
    this.#version = version;
    this.#time = time;
  }

  /**
   * @param key names the text
   * @param render makes the text; its exceptions are passed on
   * @returns bytes at most one second older than the request
   */
  get(key: string, render: Waiting['render']): Promise<Rendered> {
    const latest = this.#latest.get(key);
    if (latest !== undefined && this.#isFresh(latest)) return Promise.resolve(latest.bytes);
    const known = this.#waiting.get(key);
    if (known !== undefined) return known.promise;
    const waiting: Waiting = { render, ...Promise.withResolvers<Rendered>() };
    this.#waiting.set(key, waiting);
    void this.#work();
    return waiting.promise;
  }

  /** Records that an answer sends these bytes, and limits the memory for clients that do not read. */
  lend(bytes: Rendered, answer: Answer): void {
    const readers = this.#readers.get(bytes) ?? new Set();
    this.#readers.set(bytes, readers.add(answer));
    answer.onEnd(() => {
      readers.delete(answer);
      if (readers.size === 0) this.#readers.delete(bytes);
    });
    for (const [oldest, all] of this.#readers) {
      if (this.#unread() <= mostUnread || this.#readers.size === 1) return;
      this.#readers.delete(oldest);
      for (const one of all) one.cut();
    }
  }

  #unread(): number {
    return [...this.#readers.keys()].reduce((sum, { length }) => sum + length, 0);
  }

  #isFresh({ version, at }: Latest): boolean {
    return version === this.#version() && this.#time.monotonic() - at < freshMs;
  }

  /** Renders the text that has waited longest, then pauses so that rendering stays within its share of the time. */
  async #work(): Promise<void> {
    if (this.#isBusy) return;
    const [next] = this.#waiting;
    if (next === undefined) return;
    this.#isBusy = true;
    const [key, { render, resolve, reject }] = next;
    const version = this.#version();
    const at = this.#time.monotonic();
    try {
      const bytes = new TextEncoder().encode(String(await render()));
      this.#keep(key, { bytes, version, at });
      resolve(bytes);
    } catch (error) {
      reject(error);
    }
    this.#waiting.delete(key);
    const tookMs = this.#time.monotonic() - at;
    this.#time.after(tookMs / this.#share - tookMs, () => {
      this.#isBusy = false;
      void this.#work();
    });
  }

  #keep(key: string, latest: Latest): void {
    this.#latest.set(key, latest);
    this.#time.after(freshMs, () => {
      if (this.#latest.get(key) === latest) this.#latest.delete(key);
    });
  }
}
