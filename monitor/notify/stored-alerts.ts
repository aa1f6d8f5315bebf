import { field, isNumber } from '../../contract/http/answer.ts';
import type { StateStore } from '../state/state.ts';
import { alertFrom, type Message, messageFrom } from './alert.ts';
import { type Alerts, type FiringAlert, noAlerts } from './decide.ts';

type Store = Pick<StateStore, 'entries' | 'put' | 'remove'>;

/** A message that a receiver has not received yet. */
export interface Waiting {
  readonly target: string;
  /** The name of the receiver. */
  readonly receiver: string;
  /** Messages of a target are sent in this order. */
  readonly order: number;
  readonly message: Message;
}

/** The firing alerts of a target, as an earlier process stored them. @throws StateOpenError when the disk fails */
export function storedAlerts(target: string, state: Store): Alerts {
  const firing = [...state.entries(target, 'alert')].flatMap(
    ([key, value]): [string, FiringAlert][] => {
      const alert = alertFrom(value);
      return alert === undefined ? [] : [[key, { alert, isHeld: 'clause' in alert.labels }]];
    },
  );
  return { ...noAlerts, firing: new Map(firing) };
}

/** Stores which alerts have begun and ended. */
export function storeAlerts(
  target: string,
  before: Alerts,
  { firing }: Alerts,
  state: Store,
): void {
  for (const key of before.firing.keys()) if (!firing.has(key)) state.remove(target, 'alert', key);
  for (const [key, { alert }] of firing)
    if (before.firing.get(key)?.alert !== alert) state.put(target, 'alert', key, alert);
}

/** The messages of a target that an earlier process did not deliver, in their order. @throws StateOpenError */
export function storedMessages(target: string, state: Store): Waiting[] {
  return [...state.entries(target, 'message').values()]
    .flatMap((value) => {
      const [order, receiver] = [field(value, 'order'), field(value, 'receiver')];
      const message = messageFrom(field(value, 'message'));
      if (!isNumber(order) || typeof receiver !== 'string' || message === undefined) return [];
      return [{ target, receiver, order, message }];
    })
    .sort((one, other) => one.order - other.order);
}

export const storeMessage = ({ target, ...rest }: Waiting, state: Store): void =>
  state.put(target, 'message', rowOf(rest), rest);

export const removeMessage = ({ target, ...rest }: Waiting, state: Store): void =>
  state.remove(target, 'message', rowOf(rest));

const rowOf = ({ receiver, message }: Pick<Waiting, 'receiver' | 'message'>): string =>
  `${message.id} ${receiver}`;
