import { once } from 'node:events';
import http from 'node:http';
import type net from 'node:net';

/** An alert in a notification of Alertmanager. */
export interface Alert {
  readonly status: 'firing' | 'resolved';
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
}

/** A request that was posted to a webhook, and its alerts if it is a notification of Alertmanager. */
interface Posted {
  readonly path: string;
  readonly headers: http.IncomingHttpHeaders;
  readonly body: string;
  readonly alerts: readonly Alert[];
}

/** Starts a webhook: a pager, and tickets. It keeps all requests, the oldest first. */
export async function startInbox(host = '127.0.0.1') {
  const received: Posted[] = [];
  const server = http.createServer(async (request, response) => {
    const body = Buffer.concat(await request.toArray()).toString();
    const { url: path = '', headers } = request;
    received.push({ path, headers, body, alerts: JSON.parse(body).alerts });
    response.end();
  });
  await once(server.listen(0, host), 'listening');
  const { port } = server.address() as net.AddressInfo;
  const stop = async (): Promise<void> => {
    server.closeAllConnections();
    server.close();
  };
  return { address: new URL(`http://${host}:${port}`), received, [Symbol.asyncDispose]: stop };
}
