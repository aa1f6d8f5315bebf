/** Receivers of notifications: a closed list, used as a label. */
export const receiverKinds = ['alertmanager', 'webhook'] as const;
export type ReceiverKind = (typeof receiverKinds)[number];

/** How notifications are, for each kind of receiver that is configured. */
export type NotificationGauges = ReadonlyMap<
  ReceiverKind,
  {
    readonly waiting: number;
    /** Whether the last attempt on each of them succeeded. */
    readonly isDelivering: boolean;
  }
>;
