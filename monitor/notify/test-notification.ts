import type { NotifyConfig } from '../config/notify.ts';
import { messageOf } from './alert.ts';
import { alertOf } from './conditions.ts';
import { receiverOf } from './receiver.ts';

/** Sends each receiver a test message, once. @param now milliseconds since 1970 */
export function testNotifications(config: NotifyConfig, now: number) {
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
