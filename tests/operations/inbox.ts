import { startWebhook } from '../notify/webhook-server.ts';

/** An alert in a notification of Alertmanager. */
export interface Alert {
  readonly status: 'firing' | 'resolved';
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
}

/** A request that was posted to a webhook. */
interface Notification {
  readonly path: string;
  /** The unchanged body. */
  readonly body: string;
  readonly alerts: readonly Alert[];
}

/** A webhook: a pager, tickets, and a dead man's switch. */
export interface Inbox extends AsyncDisposable {
  readonly address: URL;
  /** All of them, the oldest first. */
  readonly received: readonly Notification[];
}

export async function startInbox(): Promise<Inbox> {
  const server = await startWebhook();
  return {
    ...server,
    get received() {
      return server.posted.map(({ path, body }) => ({
        path,
        body,
        alerts: JSON.parse(body).alerts,
      }));
    },
  };
}
