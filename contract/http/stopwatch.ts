import type { ClientRequest } from 'node:http';
import type { Phases } from './answer.ts';
import { takeOpening } from './tunnel.ts';

/**
 * Measures the phases of an exchange on the monotonic clock, in microseconds: changes of the wall clock have no
 * effect. Through a proxy, the name of the proxy is resolved, and the phase `connect` ends when the proxy has
 * answered CONNECT.
 * @returns a function that reads the phases; call it when the body has ended
 */
export function stopwatch(request: ClientRequest): () => Phases {
  const start = performance.now();
  let resolved = start;
  let connected = start;
  let secured = start;
  let answered = start;
  request.once('socket', (socket) => {
    const tunnel = takeOpening(socket);
    if (tunnel !== undefined) {
      // A connection that was opened for another request may be older than this one.
      resolved = Math.max(start, tunnel.resolvedAt);
      connected = secured = Math.max(start, tunnel.connectedAt);
    } else if (!socket.connecting) return;
    socket.once('lookup', () => {
      resolved = connected = secured = performance.now();
    });
    socket.once('connect', () => {
      connected = secured = performance.now();
    });
    socket.once('secureConnect', () => {
      secured = performance.now();
    });
  });
  request.once('response', () => {
    answered = performance.now();
  });
  return () => ({
    resolve: (resolved - start) / 1000,
    connect: (connected - resolved) / 1000,
    tls: (secured - connected) / 1000,
    processing: (answered - secured) / 1000,
    transfer: (performance.now() - answered) / 1000,
  });
}
