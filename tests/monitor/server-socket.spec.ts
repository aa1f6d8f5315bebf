import net from 'node:net';
import { text } from 'node:stream/consumers';
import { expect, test } from '@playwright/test';
import type { Served } from '../../monitor/web/routes.ts';
import { listen } from '../../monitor/web/server.ts';
import { servedBy } from './serving.ts';

const startServer = (more: Partial<Served> = {}, host = '127.0.0.1') =>
  listen({ ...servedBy(), ...more }, { host, port: 0 });

/** Sends bytes to a monitor, and reads its answer until the connection is closed. */
async function sendBytes(
  bytes: string,
  more: Partial<Served> = {},
  host?: string,
): Promise<string> {
  const { page, close } = await startServer(more, host);
  const socket = net.connect(Number(page.port), page.hostname.replace(/[[\]]/g, ''));
  socket.write(bytes);
  const answer = await text(socket);
  await close();
  return answer;
}

const statusIn = (answer: string): number => Number(/^HTTP\/1\.1 (\d+) /.exec(answer)?.[1]);
const reload = async () => ({ ok: true, line: 'loaded' });

test('headers beyond 8 KiB, a body, and a missing Host are refused', async () => {
  expect(statusIn(await sendBytes('GET /sd HTTP/1.0\r\n\r\n'))).toBe(400);
  const long = `GET /?${'x'.repeat(9_000)} HTTP/1.1\r\nHost: a\r\n\r\n`;
  expect(statusIn(await sendBytes(long))).toBe(431);
  const body = 'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 10000000\r\n\r\nabc';
  expect(statusIn(await sendBytes(body))).toBe(413);
});

test('a client that sends further requests before it has an answer gets no page for them', async () => {
  const request = 'GET /metrics HTTP/1.1\r\nHost: 127.0.0.1\r\n';
  const answers = await sendBytes(
    `${request}\r\n${request}\r\n${request}Connection: close\r\n\r\n`,
  );
  expect(answers.match(/^HTTP\/1\.1 \d+/gm)).toEqual([
    'HTTP/1.1 200',
    'HTTP/1.1 429',
    'HTTP/1.1 429',
  ]);
});

const table = `
  200 127.0.0.1 GET:/sd 127.0.0.1:9797 [::1]:9797 Monitor.LOCALHOST:1
  421 127.0.0.1 GET:/sd rebound.example:9797 localhost.example 127.0.0.1.example
  421 ::1       GET:/sd rebound.example
  200 0.0.0.0   GET:/sd monitor.example
  400 127.0.0.1 GET:/sd 999.999.1.1 a:99999 x[::1]
  200 0.0.0.0   POST:/-/reload 127.0.0.1:9797 localhost:9797 10.0.0.7 [::1]
  421 0.0.0.0   POST:/-/reload rebound.example monitor:9797 127.0.0.1.example`;

for (const row of table.trim().split('\n')) {
  const [status, listensOn, request = '', ...hosts] = row.trim().split(/ +/);
  for (const host of hosts)
    test(`a monitor on ${listensOn} answers ${request} with ${status} to host ${host}`, async () => {
      const bytes = `${request.replace(':', ' ')} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`;
      const answer = await sendBytes(bytes, { reload }, listensOn);
      expect(statusIn(answer)).toBe(Number(status));
      if (status !== '200') expect(answer).not.toContain('under-test');
    });
}
