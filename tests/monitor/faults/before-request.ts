import { once } from 'node:events';
import net, { type AddressInfo, type Socket } from 'node:net';

/** A fault that does not wait for a request, so it is the same for all of them. */
interface EarlyFault {
  readonly name: string;
  /** `https:` unless it is plain. */
  readonly secure?: true;
  /** What happens to a connection at once; a host without a server of ours otherwise. */
  readonly on: ((socket: Socket) => void) | string;
  readonly timesOut?: true;
}

const sending =
  (...bytes: readonly string[]) =>
  (socket: Socket): void =>
    void socket.write(Buffer.from(bytes.join(''), 'latin1'));

const nothing = (): void => {};
const plainServer = (socket: Socket): void =>
  void socket.once('data', () =>
    socket.end('HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n'),
  );

export const earlyFaults: readonly EarlyFault[] = [
  { name: 'nothing listens on the port', on: '127.0.0.1:1' },
  { name: 'the host name does not resolve', on: 'no-such-host.invalid' },
  { name: 'connection accepted, never answered', on: nothing, timesOut: true },
  { name: 'connection accepted and closed', on: (socket) => void socket.end() },
  { name: 'connection accepted and reset', on: (socket) => void socket.resetAndDestroy() },
  { name: 'an SSH banner at once', on: sending('SSH-2.0-OpenSSH_9.2p1\r\n') },
  {
    name: 'an answer before the request',
    on: sending('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}'),
  },
  {
    name: 'status 503 before the request',
    on: sending('HTTP/1.1 503 Busy\r\nContent-Length: 0\r\n\r\n'),
  },
  { name: 'plain HTTP on an https address', on: plainServer, secure: true },
  { name: 'https, handshake never answered', on: nothing, secure: true, timesOut: true },
  {
    name: 'https, reset in the handshake',
    on: (socket) => void socket.once('data', () => socket.resetAndDestroy()),
    secure: true,
  },
];

/** Starts a server for each of them. */
export async function startEarlyFaults() {
  const sockets = new Set<Socket>();
  const servers: net.Server[] = [];

  async function findHost({ on }: EarlyFault): Promise<string> {
    if (typeof on === 'string') return on;
    const server = net.createServer((socket) => {
      sockets.add(socket);
      socket.on('error', () => {}).on('close', () => sockets.delete(socket));
      socket.resume();
      on(socket);
    });
    servers.push(server);
    await once(server.listen(0, '127.0.0.1'), 'listening');
    return `127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  const hosts = await Promise.all(earlyFaults.map(findHost));
  return {
    urls: earlyFaults.map(({ secure }, index) => `http${secure ? 's' : ''}://${hosts[index]}/`),
    async [Symbol.asyncDispose]() {
      for (const server of servers) server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}
