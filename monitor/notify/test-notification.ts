import type { NotifyConfig } from '../config/notify.ts';
import { messageOf } from './alert.ts';
import { alertOf } from './conditions.ts';
import { type Attempt, receiverOf } from './receiver.ts';

/** The result of a test message. */
export interface TestResult extends Attempt {
  /** `Alertmanager at HOST`. */
  readonly title: string;
}

/** Sends each receiver a test message, once. @param now milliseconds since 1970 */
export function testNotifications(config: NotifyConfig, now: number): Promise<TestResult[]> {
  const description = 'It was sent by npm start -- --check --notify. There is nothing to do.';
  const alert = alertOf('ContractMonitorTestNotification', config, { description });
  const message = messageOf('test', { ...alert, startsAt: now });
  return Promise.all(
    config.receivers.map(async (one) => {
      const receiver = receiverOf(one);
      return { title: receiver.title, ...(await receiver.send([message], now)) };
    }),
  );
}
