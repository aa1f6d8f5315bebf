/** Receivers of notifications: a closed list, used as a label. */
export const receiverKinds = ['alertmanager', 'webhook'] as const;
export type ReceiverKind = (typeof receiverKinds)[number];

/** The state of notifications, for each configured kind of receiver. */
export type NotificationGauges = ReadonlyMap<
  ReceiverKind,
  {
    readonly waiting: number;
    /** Whether the last attempt at each receiver of this kind succeeded. */
    readonly isDelivering: boolean;
  }
>;
