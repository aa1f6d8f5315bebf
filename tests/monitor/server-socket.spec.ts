import { once } from 'node:events';
import net from 'node:net';
import { text } from 'node:stream/consumers';
import { expect, test } from '@playwright/test';
import { Secret } from '../../contract/secrets/secret.ts';
import type { Served } from '../../monitor/web/routes.ts';
import { listen } from '../../monitor/web/server.ts';
import { servedOf } from './serving.ts';

const listening = (more: Partial<Served> = {}, host = '127.0.0.1') =>
  listen({ ...servedOf(), ...more }, { host, port: 0 });

/** Sends bytes to a monitor, and reads its answer until the connection is closed. */
async function raw(bytes: string, more: Partial<Served> = {}, host?: string): Promise<string> {
  const { page, close } = await listening(more, host);
  const socket = net.connect(Number(page.port), page.hostname.replace(/[[\]]/g, ''));
  socket.write(bytes);
  const answer = await text(socket);
  await close();
  return answer;
}

const answerTo = (host: string, more: Partial<Served> = {}, listensOn?: string): Promise<string> =>
  raw(`GET /sd HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`, more, listensOn);

const authToken = new Secret('planted-token-0123456789');
const authorization = 'Authorization: Bearer planted-token-0123456789';
const statusIn = (answer: string): number => Number(/^HTTP\/1\.1 (\d+) /.exec(answer)?.[1]);

test('headers beyond 8 KiB are refused, and a body with its connection', async () => {
  const long = `GET /?${'x'.repeat(9_000)} HTTP/1.1\r\nHost: a\r\n\r\n`;
  expect(statusIn(await raw(long))).toBe(431);
  const body = 'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 10000000\r\n\r\nabc';
  expect(statusIn(await raw(body))).toBe(413);
});

test('an IPv6 address is written in brackets', async () => {
  const { metrics, close } = await listening({}, '::1');
  await close();
  expect(metrics.href).toMatch(/^http:\/\/\[::1\]:\d+\/metrics$/);
});

for (const [status, listensOn, ...hosts] of [
  [
    200,
    '127.0.0.1',
    '127.0.0.1:9797',
    'localhost',
    'Monitor.LOCALHOST:1',
    '[::1]:9797',
    '10.0.0.7',
  ],
  [421, '127.0.0.1', 'rebound.example:9797', 'localhost.example', '127.0.0.1.example'],
  [421, '::1', 'rebound.example'],
  [200, '0.0.0.0', 'monitor.example'],
  [400, '127.0.0.1', '999.999.1.1', '1.2.3.4.5', 'a:99999', '256.1', 'x[::1]'],
] as const)
  for (const host of hosts)
    test(`a monitor on ${listensOn} answers the host ${host} with ${status}`, async () => {
      const answer = await answerTo(host, {}, listensOn);
      expect(statusIn(answer)).toBe(status);
      if (status !== 200) expect(answer).not.toContain('under-test');
    });

test('a monitor that is protected by a token accepts any host with it', async () => {
  expect(statusIn(await answerTo('proxied.example', { authToken }))).toBe(401);
  expect(statusIn(await answerTo('256.1', { authToken }))).toBe(400);
  const proxied = `proxied.example\r\n${authorization}`;
  expect(statusIn(await answerTo(proxied, { authToken }))).toBe(200);
});

for (const [status, more, ...hosts] of [
  [200, {}, '127.0.0.1:9797', 'localhost:9797', '10.0.0.7', '[::1]'],
  [421, {}, 'rebound.example', 'monitor:9797', '127.0.0.1.example'],
  [200, { authToken }, `monitor.example\r\n${authorization}`],
  [401, { authToken }, 'localhost'],
] as const)
  for (const host of hosts)
    test(`a reload beyond the loopback interface, as ${host}, is answered with ${status}`, async () => {
      const reload = async () => ({ ok: true, line: 'loaded' });
      const bytes = `POST /-/reload HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`;
      expect(statusIn(await raw(bytes, { reload, ...more }, '0.0.0.0'))).toBe(status);
    });

test('a request without a Host gets no page', async () => {
  expect(statusIn(await raw('GET /sd HTTP/1.0\r\n\r\n'))).toBe(400);
});

test('a client that sends many requests before it reads is disconnected, one that waits is not', async () => {
  const request = 'GET /-/ready HTTP/1.1\r\nHost: a.localhost\r\n\r\n';
  expect((await raw(request.repeat(50))).match(/^ready/gm)?.length ?? 0).toBeLessThan(2);
  const { page, close } = await listening();
  const socket = net.connect(Number(page.port), page.hostname);
  for (let count = 0; count < 20; count += 1) {
    socket.write(request);
    const [bytes] = await once(socket, 'data');
    expect(statusIn(String(bytes))).toBe(200);
  }
  socket.destroy();
  await close();
});
