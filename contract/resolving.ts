import type { ClientRequest } from 'node:http';
import { isIP } from 'node:net';

/**
 * Follows the look-up of a request's name.
 * @param host undefined when the request goes to a socket file
 * @returns whether it is under way: a time limit that ends then is about the name
 */
export function resolvingOf(request: ClientRequest, host: string | undefined): () => boolean {
  let isUnderWay = false;
  if (host !== undefined && isIP(host) === 0)
    request.once('socket', (socket) => {
      isUnderWay = socket.connecting;
      socket.once('lookup', () => {
        isUnderWay = false;
      });
    });
  return () => isUnderWay;
}
