import net from 'node:net';
import tls from 'node:tls';
import type { Authority } from './certificates.ts';
import { listening } from './stage.ts';

/** TLS in front of a provider that speaks plain HTTP. @param pair the certificate and key @param host listens there */
export async function tlsFront(
  behind: URL,
  pair: Authority['good'],
  host = '127.0.0.1',
): Promise<{ readonly url: URL; close(): void }> {
  const sockets = new Set<net.Socket>();
  const server = tls.createServer({ ...pair, noDelay: true }, (socket) => {
    const upstream = net.connect({
      port: Number(behind.port),
      host: behind.hostname,
      noDelay: true,
    });
    sockets.add(socket).add(upstream);
    socket.on('error', () => upstream.destroy()).pipe(upstream);
    upstream.on('error', () => socket.destroy()).pipe(socket);
  });
  return {
    url: await listening(server, host, 'https'),
    close() {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}
