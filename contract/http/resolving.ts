import type { ClientRequest } from 'node:http';

/** URL writes every IPv4 address in digits, and IPv6 addresses in brackets. */
const isAddress = (hostname: string): boolean => /^([\d.]+|\[.*\])$/.test(hostname);

/**
 * Watches the name lookup of a request.
 * @param hostname of the URL; undefined when the request goes to a socket file
 * @returns a function that returns whether the lookup is pending: a timeout during it is a DNS failure
 */
export function resolvingOf(request: ClientRequest, hostname: string | undefined): () => boolean {
  let isUnderWay = false;
  if (hostname !== undefined && !isAddress(hostname))
    request.once('socket', (socket) => {
      // A kept connection has already resolved its name, and each of its requests would add a listener.
      if (!socket.connecting) return;
      isUnderWay = true;
      socket.once('lookup', () => {
        isUnderWay = false;
      });
    });
  return () => isUnderWay;
}
