import type { ClientRequest } from 'node:http';
import type net from 'node:net';

/** node:http writes HTTP/1.1 and a method in capitals into every request: this corrects the first line. */
export function correctFirstLine(
  socket: net.Socket,
  { method: written }: ClientRequest,
  method: string,
  end: string,
): void {
  const write = socket.write;
  socket.write = (chunk: unknown, ...rest: unknown[]) => {
    socket.write = write;
    const line = method + String(chunk).slice(written.length).replace(' HTTP/1.1\r\n', end);
    return Reflect.apply(write, socket, [line, ...rest]);
  };
}
