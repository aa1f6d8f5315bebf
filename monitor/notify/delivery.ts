import type { Alert, Message } from './alert.ts';
import type { Waiting } from './outbox.ts';
import type { Receiver } from './receiver.ts';

export interface DeliveryContext {
  /** Two clocks (milliseconds): a monotonic one, and the time since 1970. */
  readonly time: { monotonic(): number; wall(): number };
  /** Since when (monotonic) this process may send messages about a target; undefined: it may not any more. */
  readonly sendsSince: (target: string) => number | undefined;
  /** Whether a message may be sent: it must outlive this process, so that no other one reports the same anew. */
  readonly isSafe: (waiting: Waiting) => boolean;
  readonly onDelivered: (waiting: Waiting) => void;
  readonly onFailed: () => void;
  /** @param problem why an attempt failed after a success: one line; undefined when delivery works again */
  readonly onProblem: (problem: string | undefined) => void;
}

export interface FiringOf {
  readonly target: string;
  readonly alert: Alert;
}

/** The first pause after a failure, and the longest (milliseconds). */
const pause = { first: 1_000, most: 60_000 };

const pauseAfter = (failures: number): number =>
  Math.min(pause.most, pause.first * 2 ** Math.min(failures - 1, 10));

/** Delivers messages to one receiver, at least once each. Messages about the same alert stay in order. */
export class Delivery {
  receiver: Receiver;
  /** Why the last attempt failed. */
  problem: string | undefined;
  readonly #context: DeliveryContext;
  readonly #startedAt: number;
  /** When an alert was last sent, by its target and labels. */
  readonly #sentAt = new Map<string, number>();
  /** Messages that were refused, by their ids. */
  readonly #refused = new Map<string, { readonly count: number; readonly until: number }>();
  #under: Promise<void> | undefined;
  #isStopped = false;
  #failures = 0;
  #pausedUntil = Number.NEGATIVE_INFINITY;
  #repeatedAt = Number.NEGATIVE_INFINITY;

  constructor(receiver: Receiver, context: DeliveryContext) {
    this.receiver = receiver;
    this.#context = context;
    this.#startedAt = context.time.monotonic();
  }

  /** @param receiver the same one, perhaps with other credentials, so that the next attempt need not wait */
  to(receiver: Receiver): this {
    this.receiver = receiver;
    const until = Number.NEGATIVE_INFINITY;
    this.#pausedUntil = until;
    for (const [id, { count }] of this.#refused) this.#refused.set(id, { count, until });
    return this;
  }

  /** Resolves when no delivery is in progress. */
  async settled(): Promise<void> {
    await this.#under;
  }

  /** Sends nothing from now on. @returns when the request in progress has ended */
  stop(): Promise<void> {
    this.#isStopped = true;
    return this.settled();
  }

  /** Sends what is due, unless a delivery is in progress. @param waiting the oldest first, for each target */
  send(waiting: readonly Waiting[], firing: readonly FiringOf[]): void {
    const now = this.#context.time.monotonic();
    if (this.#under !== undefined || now < this.#pausedUntil) return;
    this.#forget(waiting, now);
    const due = this.#due(waiting, now);
    const repeated = this.#repeated(waiting, firing, now);
    if (due.length + repeated.length === 0) return;
    this.#under = this.#sendAll(due, repeated).finally(() => {
      this.#under = undefined;
    });
  }

  /** The first message of each alert, if it may be sent now. */
  #due(waiting: readonly Waiting[], now: number): Waiting[] {
    const seen = new Set<string>();
    return waiting.filter((one) => {
      const key = keyOf(one.target, one.message.alert);
      if (seen.has(key)) return false;
      seen.add(key);
      return now >= this.#earliest(key, one) && this.#context.isSafe(one);
    });
  }

  /** When another process may have sent an alert before, its end waits for the full spacing. */
  #earliest(key: string, { target, message: { id, status } }: Waiting): number {
    const never = Number.NEGATIVE_INFINITY;
    const since = Math.max(this.#startedAt, this.#context.sendsSince(target) ?? never);
    const sentAt = Math.max(this.#sentAt.get(key) ?? never, status === 'resolved' ? since : never);
    const spaced = sentAt + this.receiver.spacingMs;
    return Math.max(spaced, this.#refused.get(id)?.until ?? spaced);
  }

  /** Firing alerts that must be sent again, because otherwise the receiver would end them. */
  #repeated(waiting: readonly Waiting[], firing: readonly FiringOf[], now: number): FiringOf[] {
    const { repeatMs } = this.receiver;
    if (repeatMs === undefined || now < this.#repeatedAt + repeatMs) return [];
    this.#repeatedAt = now;
    const before = new Set(waiting.map(({ target, message }) => keyOf(target, message.alert)));
    return firing.filter(({ target, alert }) => !before.has(keyOf(target, alert)));
  }

  async #sendAll(due: readonly Waiting[], repeated: readonly FiringOf[]): Promise<void> {
    const { time, onDelivered } = this.#context;
    for (const some of chunks(due, this.receiver.most)) {
      const own = some.filter(({ target }) => this.#maySend(target));
      if (!(await this.#attempt(own.map(({ message }) => message)))) return;
      for (const one of own.filter(({ message }) => !this.#refused.has(message.id))) {
        this.#sentAt.set(keyOf(one.target, one.message.alert), time.monotonic());
        onDelivered(one);
      }
    }
    for (const some of chunks(repeated, this.receiver.most)) {
      const own = some.filter(({ target }) => this.#maySend(target));
      const messages = own.map(({ alert }): Message => ({ id: '', status: 'firing', alert }));
      if (!(await this.#attempt(messages))) return;
    }
  }

  #maySend(target: string): boolean {
    return !this.#isStopped && this.#context.sendsSince(target) !== undefined;
  }

  /** @returns whether further messages may be tried now */
  async #attempt(messages: readonly Message[]): Promise<boolean> {
    if (messages.length === 0) return true;
    const { time } = this.#context;
    const { receiver } = this;
    const { problem, isRefused = false } = await receiver.send(messages, time.wall());
    // After a reload in the meantime the next attempt need not wait.
    const now = receiver === this.receiver ? time.monotonic() : Number.NEGATIVE_INFINITY;
    this.#note(problem);
    for (const { id } of messages)
      if (!isRefused) this.#refused.delete(id);
      else {
        const count = (this.#refused.get(id)?.count ?? 0) + 1;
        this.#refused.set(id, { count, until: now + pauseAfter(count) });
      }
    if (problem === undefined || isRefused) this.#failures = 0;
    else {
      this.#failures += 1;
      this.#repeatedAt = Number.NEGATIVE_INFINITY;
      this.#pausedUntil = now + pauseAfter(this.#failures);
    }
    if (problem !== undefined) this.#context.onFailed();
    return problem === undefined || isRefused;
  }

  #note(problem: string | undefined): void {
    if (problem !== this.problem) this.#context.onProblem(problem);
    this.problem = problem;
  }

  /** Drops entries that have no effect any more. */
  #forget(waiting: readonly Waiting[], now: number): void {
    for (const [key, at] of this.#sentAt)
      if (now >= at + this.receiver.spacingMs) this.#sentAt.delete(key);
    const ids = new Set(waiting.map(({ message }) => message.id));
    for (const id of this.#refused.keys()) if (!ids.has(id)) this.#refused.delete(id);
  }
}

const keyOf = (target: string, { labels }: Alert): string =>
  JSON.stringify([target, labels.alertname, labels.clause]);

const chunks = <Item>(items: readonly Item[], most: number): Item[][] =>
  Array.from({ length: Math.ceil(items.length / most) }, (_, index) =>
    items.slice(index * most, (index + 1) * most),
  );
