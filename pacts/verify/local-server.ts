import type { IncomingMessage, ServerResponse } from 'node:http';

/** An import would evaluate all of its exports. One of them, WebSocket, loads undici: 35 ms of each start. */
const http = process.getBuiltinModule('node:http');

export interface LocalAnswer {
  readonly status: number;
  readonly headers: readonly (readonly [string, string])[];
  readonly body: Buffer;
}

/**
 * Opens a server that only this machine can reach.
 * @param answer must not throw
 * @param port by default any free port
 * @throws Node's error when the port is in use
 */
export async function openLocalServer(
  answer: (request: IncomingMessage, body: Buffer) => Promise<LocalAnswer>,
  port = 0,
) {
  const server = http.createServer((request, response) => {
    request.toArray().then(
      async (chunks) => write(response, await answer(request, Buffer.concat(chunks))),
      () => response.destroy(),
    );
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(port, '127.0.0.1', resolve);
  });
  return {
    origin: `http://127.0.0.1:${Object(server.address()).port}`,
    close(): void {
      server.close();
      server.closeAllConnections();
    },
  };
}

export const jsonAnswer = (status: number, value: object): LocalAnswer => ({
  status,
  headers: [['Content-Type', 'application/json']],
  body: Buffer.from(JSON.stringify(value)),
});

/** Headers that Node adds, but that a pact may expect from the provider. The end of the connection ends a body. */
const added = ['connection', 'content-length', 'date', 'transfer-encoding'];

function write(response: ServerResponse, { status, headers, body }: LocalAnswer): void {
  if (response.destroyed) return;
  for (const name of added) response.removeHeader(name);
  response.writeHead(status, headers.flat());
  response.end(body);
}
