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
interface Posted {
  readonly path: string;
  readonly headers: http.IncomingHttpHeaders;
  /** The unchanged body. */
  readonly body: string;
  /** The alerts of a notification of Alertmanager. */
  readonly alerts: readonly Alert[];
}

/** A webhook: a pager, and tickets. */
export interface Inbox extends AsyncDisposable {
  readonly address: URL;
  /** All requests, the oldest first. */
  readonly received: readonly Posted[];
}

export async function startInbox(host = '127.0.0.1'): Promise<Inbox> {
  const received: Posted[] = [];
  const server = http.createServer(async (request, response) => {
    const body = Buffer.concat(await request.toArray()).toString();
    const { url = '', headers } = request;
    received.push({ path: url, headers, body, alerts: JSON.parse(body).alerts });
    response.end();
  });
  await once(server.listen(0, host), 'listening');
  const { port } = server.address() as net.AddressInfo;
  return {
    address: new URL(`http://${host}:${port}`),
    received,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
    },
  };
}
