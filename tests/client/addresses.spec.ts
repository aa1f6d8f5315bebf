import net from 'node:net';
import { Worker } from 'node:worker_threads';
import type { Connection } from '../../contract/http/connections.ts';
import { expect, outcome, send, test } from './stage.ts';

/** A server that at first accepts no connection, so that the kernel drops a SYN, which is sent again after 1 s. */
const slow = `
const { parentPort, workerData: blockedMs } = require('node:worker_threads');
const server = require('node:net').createServer((socket) => {
  socket.on('error', () => {});
  socket.once('data', () => socket.end('HTTP/1.1 200 OK\\r\\nContent-Length: 2\\r\\n\\r\\n{}'));
});
server.listen({ port: 0, host: '127.0.0.1', backlog: 1 }, () => {
  parentPort.postMessage(server.address().port);
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, blockedMs);
});`;

/** Calls `use` with the port of such a server, whose queue is full. */
async function withSlowServer(use: (port: number) => Promise<void>, blockedMs = 600) {
  const worker = new Worker(slow, { eval: true, workerData: blockedMs });
  const port = await new Promise<number>((resolve) => worker.once('message', resolve));
  const queued = [1, 2, 3].map(() => net.connect(port, '127.0.0.1').on('error', () => {}));
  await new Promise((resolve) => queued[0]?.once('connect', resolve));
  try {
    await use(port);
  } finally {
    for (const socket of queued) socket.destroy();
    await worker.terminate();
  }
}

/** A name with an address that connects slowly, and one that never connects. */
const lookup: Connection['lookup'] = (_name, _options, done) =>
  setImmediate(done, null, [
    { address: '127.0.0.1', family: 4 },
    { address: '::1', family: 6 },
  ]);

test('an address that connects slowly is not given up for another one that fails', async () => {
  await withSlowServer(async (port) => {
    const origin = new URL(`http://api.test:${port}`);
    expect(await outcome(send({ origin }, {}, { lookup }))).toBe('200');
  });
});

test('an address that never connects ends with the time limit of the request', async () => {
  await withSlowServer(async (port) => {
    const origin = new URL(`http://api.test:${port}`);
    const request = send({ origin }, {}, { lookup, timeoutMs: 400 });
    expect(await outcome(request)).toBe('timeout');
  }, 60_000);
});
