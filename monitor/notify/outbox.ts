import { field, isNumber } from '../../contract/json-value.ts';
import type { StateStore } from '../state/state.ts';
import { type Message, messageFrom } from './alert.ts';

/** A message that a receiver has not received yet. */
export interface Waiting {
  readonly target: string;
  /** The name of the receiver. */
  readonly receiver: string;
  /** Messages of a target are sent in this order. */
  readonly order: number;
  readonly message: Message;
  /** When this process put or loaded it (monotonic milliseconds). */
  readonly since: number;
}

/** The most waiting messages of one target for one receiver; beyond it the oldest are dropped. */
const most = 64;

/** The messages that wait for their receivers. They survive the process, because they are stored with the target. */
export class Outbox {
  readonly #state: StateStore;
  readonly #now: () => number;
  readonly #waiting = new Map<string, Waiting[]>();
  /** How many messages were dropped because too many waited. */
  dropped = 0;

  /** @param now monotonic milliseconds */
  constructor(state: StateStore, now: () => number) {
    this.#state = state;
    this.#now = now;
  }

  /** Loads the messages that an earlier process did not deliver. @throws StateOpenError when the disk fails */
  begin(target: string): void {
    const stored = [...this.#state.entries(target, 'message').values()].flatMap((value) => {
      const order = field(value, 'order');
      const receiver = field(value, 'receiver');
      const message = messageFrom(field(value, 'message'));
      if (!isNumber(order) || typeof receiver !== 'string' || message === undefined) return [];
      return [{ target, receiver, order, message, since: this.#now() }];
    });
    const inOrder = stored.sort((one, other) => one.order - other.order);
    this.#waiting.set(target, inOrder);
  }

  /** Drops a target from memory: another process delivers its waiting messages. */
  end(target: string): void {
    this.#waiting.delete(target);
  }

  add(target: string, receiver: string, message: Message): void {
    const waiting = this.#waiting.get(target) ?? [];
    this.#waiting.set(target, waiting);
    const order = (waiting.at(-1)?.order ?? 0) + 1;
    const row = { receiver, order, message };
    waiting.push({ target, ...row, since: this.#now() });
    this.#state.put(target, 'message', keyOf(row), row);
    const [oldest, ...others] = waiting.filter((one) => one.receiver === receiver);
    if (oldest === undefined || others.length < most) return;
    this.remove(oldest);
    this.dropped += 1;
  }

  /** Removes a message that was delivered, or that will never be. */
  remove(one: Waiting): void {
    const waiting = this.#waiting.get(one.target);
    const index = waiting?.indexOf(one) ?? -1;
    if (index < 0) return;
    waiting?.splice(index, 1);
    this.#state.remove(one.target, 'message', keyOf(one));
  }

  /** Drops messages for all other receivers, which are no longer configured. */
  keepOnly(receivers: ReadonlySet<string>): void {
    const others = [...this.#waiting.values()].flat().filter((one) => !receivers.has(one.receiver));
    for (const one of others) this.remove(one);
  }

  /** The messages that wait for a receiver; for each target the oldest first. */
  waitingFor(receiver: string): Waiting[] {
    return [...this.#waiting.values()].flat().filter((one) => one.receiver === receiver);
  }
}

/** The key of a message among the rows of its target. */
export const keyOf = ({ receiver, message }: Pick<Waiting, 'receiver' | 'message'>): string =>
  `${message.id} ${receiver}`;
