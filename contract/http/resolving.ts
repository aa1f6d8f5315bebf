import type { ClientRequest } from 'node:http';

/** URL writes every IPv4 address in digits, and IPv6 addresses in brackets. */
const isAddress = (hostname: string): boolean => /^([\d.]+|\[.*\])$/.test(hostname);

/**
 * Watches the name lookup of a request.
 * @param hostname of the URL; undefined when the request goes to a socket file
 * @returns whether the lookup is pending: a time limit that ends then is about the name
 */
export function resolvingOf(request: ClientRequest, hostname: string | undefined): () => boolean {
  let isUnderWay = false;
  if (hostname !== undefined && !isAddress(hostname))
    request.once('socket', (socket) => {
      // A kept connection has looked its name up, and would collect a listener at each of its requests.
      if (!socket.connecting) return;
      isUnderWay = true;
      socket.once('lookup', () => {
        isUnderWay = false;
      });
    });
  return () => isUnderWay;
}
