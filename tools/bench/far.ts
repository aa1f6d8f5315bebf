import net from 'node:net';

/** A distant provider: its requests and answers are delayed. */
export interface Far extends Disposable {
  readonly port: number;
}

/**
 * Simulates a network in front of a local port: a round trip for the handshake, and one for each exchange.
 * @param roundTripMs milliseconds from request to answer, in addition to the provider's own time
 */
export async function far(port: number, roundTripMs: number): Promise<Far> {
  const sockets = new Set<net.Socket>();
  const server = net.createServer({ allowHalfOpen: true }, (near) => {
    const provider = net.connect({ port, host: '127.0.0.1', allowHalfOpen: true });
    for (const socket of [near, provider]) {
      sockets.add(socket);
      socket.setNoDelay(true);
      socket.on('error', () => socket.destroy()).on('close', () => sockets.delete(socket));
    }
    carry(near, provider, roundTripMs / 2, roundTripMs);
    carry(provider, near, roundTripMs / 2, 0);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return {
    port: address.port,
    [Symbol.dispose]() {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}

function carry(from: net.Socket, to: net.Socket, delayMs: number, firstMs: number): void {
  let wait = delayMs + firstMs;
  from.on('data', (chunk) => {
    setTimeout(() => to.write(chunk), wait);
    wait = delayMs;
  });
  from.on('end', () => setTimeout(() => to.end(), wait));
}
