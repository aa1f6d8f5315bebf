import type { NotificationGauges, ReceiverKind } from '../metrics/own.ts';
import type { Delivery } from './delivery.ts';
import type { Outbox } from './outbox.ts';

/** The page's data about notifications. */
export interface NotificationStatus {
  readonly receivers: readonly ReceiverStatus[];
  /** Messages that were dropped because too many waited. */
  readonly dropped: number;
}

export interface ReceiverStatus {
  /** `Alertmanager at HOST`. */
  readonly receiver: string;
  readonly waiting: number;
  /** Why the last attempt failed: one line. */
  readonly problem?: string;
}

type Deliveries = readonly Delivery[];

export const notificationStatus = (
  deliveries: Deliveries,
  outbox: Pick<Outbox, 'waitingFor' | 'dropped'>,
): NotificationStatus => ({
  receivers: deliveries.map(({ receiver, problem }) => ({
    receiver: receiver.title,
    waiting: outbox.waitingFor(receiver.name).length,
    problem,
  })),
  dropped: outbox.dropped,
});

export function notificationGauges(
  deliveries: Deliveries,
  outbox: Pick<Outbox, 'waitingFor'>,
): NotificationGauges {
  const gauges = new Map<ReceiverKind, { waiting: number; isDelivering: boolean }>();
  for (const { receiver, problem } of deliveries) {
    const before = gauges.get(receiver.kind) ?? { waiting: 0, isDelivering: true };
    gauges.set(receiver.kind, {
      waiting: before.waiting + outbox.waitingFor(receiver.name).length,
      isDelivering: before.isDelivering && problem === undefined,
    });
  }
  return gauges;
}
