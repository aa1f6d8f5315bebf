import type { StateStore } from '../state/state.ts';
import type { Message } from './alert.ts';
import { removeMessage, storedMessages, storeMessage, type Waiting } from './stored-alerts.ts';

/** Messages of one target that wait for one receiver: of more the oldest are dropped. */
const most = 64;

/** The messages that wait for their receivers. What is in it survives the process, with the state of the target. */
export class Outbox {
  readonly #state: StateStore;
  readonly #waiting = new Map<string, Waiting[]>();
  #dropped = 0;

  constructor(state: StateStore) {
    this.#state = state;
  }

  /** Takes up what an earlier process has not delivered. @throws StateOpenError when the disk fails */
  begin(target: string): void {
    this.#waiting.set(target, storedMessages(target, this.#state));
  }

  /** Another process delivers what waits of a target. */
  end(target: string): void {
    this.#waiting.delete(target);
  }

  add(target: string, receiver: string, message: Message): void {
    const waiting = this.#waiting.get(target) ?? [];
    this.#waiting.set(target, waiting);
    const order = (waiting.at(-1)?.order ?? 0) + 1;
    const added = { target, receiver, order, message };
    waiting.push(added);
    storeMessage(added, this.#state);
    const [oldest, ...others] = waiting.filter((one) => one.receiver === receiver);
    if (oldest === undefined || others.length < most) return;
    this.remove(oldest);
    this.#dropped += 1;
  }

  /** It is delivered, or will never be. */
  remove(one: Waiting): void {
    const waiting = this.#waiting.get(one.target);
    const index = waiting?.indexOf(one) ?? -1;
    if (index < 0) return;
    waiting?.splice(index, 1);
    removeMessage(one, this.#state);
  }

  /** Forgets what waits for receivers other than these: they are not configured any more. */
  keepOnly(receivers: ReadonlySet<string>): void {
    const others = [...this.#waiting.values()].flat().filter((one) => !receivers.has(one.receiver));
    for (const one of others) this.remove(one);
  }

  /** What waits for a receiver; of each target the oldest first. */
  waitingFor(receiver: string): Waiting[] {
    return [...this.#waiting.values()].flat().filter((one) => one.receiver === receiver);
  }

  /** How many messages were dropped because too many waited. */
  get dropped(): number {
    return this.#dropped;
  }
}
