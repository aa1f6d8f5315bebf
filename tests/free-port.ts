import { once } from 'node:events';
import net from 'node:net';

/** A port that is free now. A concurrent test may take it a moment later. */
export async function freePort(): Promise<number> {
  const server = net.createServer();
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as net.AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
