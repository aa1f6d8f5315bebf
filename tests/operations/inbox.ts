import { once } from 'node:events';
import http from 'node:http';
import type net from 'node:net';

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
  const received: Notification[] = [];
  const server = http.createServer(async (request, response) => {
    const body = Buffer.concat(await request.toArray()).toString();
    const { alerts }: { alerts: Alert[] } = JSON.parse(body);
    received.push({ path: request.url ?? '', body, alerts });
    response.end();
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as net.AddressInfo;
  return {
    address: new URL(`http://127.0.0.1:${port}`),
    received,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
    },
  };
}
