import { once } from 'node:events';
import http from 'node:http';
import type net from 'node:net';

/** What was posted. */
export interface Posted {
  readonly headers: http.IncomingHttpHeaders;
  readonly body: string;
}

/** A real server that gets messages. */
export interface WebhookServer extends AsyncDisposable {
  readonly address: URL;
  readonly posted: readonly Posted[];
  /** The status of its answers. */
  status: number;
}

export async function startWebhook(): Promise<WebhookServer> {
  const posted: Posted[] = [];
  const server = http.createServer(async (request, response) => {
    const body = Buffer.concat(await request.toArray()).toString();
    posted.push({ headers: request.headers, body });
    response.writeHead(made.status).end();
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as net.AddressInfo;
  const made: WebhookServer = {
    address: new URL(`http://127.0.0.1:${port}/planted-path`),
    posted,
    status: 200,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
    },
  };
  return made;
}
