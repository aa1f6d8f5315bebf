import type net from 'node:net';
import tls from 'node:tls';
import { type Authority, authority } from './certificates.ts';
import { test as base, listening, ok } from './stage.ts';

/** The certificate and TLS options of a server. */
export type Served = tls.TlsOptions & { readonly cert: string; readonly key: string };

/** Tests over TLS get certificates, and providers that use one of them and answer every request. */
export const test = base.extend<
  {
    serve: (served: Served, seen?: (socket: net.Socket) => void) => Promise<URL>;
    listen: (server: net.Server) => Promise<URL>;
  },
  { ca: Authority }
>({
  ca: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of the fixtures from it.
    async ({}, use) => {
      const ca = await authority();
      await use(ca);
      await ca.remove();
    },
    { scope: 'worker' },
  ],
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of the fixtures from it.
  listen: async ({}, use) => {
    const servers: net.Server[] = [];
    await use(async (server) => {
      servers.push(server);
      return listening(server, '127.0.0.1', 'https');
    });
    for (const server of servers) server.close();
  },
  serve: async ({ listen }, use) => {
    await use((served, seen = () => {}) => {
      const server = tls.createServer(served, (socket) => {
        seen(socket);
        socket.on('error', () => socket.destroy());
        socket.on('data', () => socket.write(ok('{}')));
      });
      return listen(server);
    });
  },
});
