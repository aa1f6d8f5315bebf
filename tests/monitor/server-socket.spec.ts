import { once } from 'node:events';
import net from 'node:net';
import { expect, test } from '@playwright/test';
import { Secret } from '../../contract/secrets/secret.ts';
import type { Served } from '../../monitor/web/routes.ts';
import { listen } from '../../monitor/web/server.ts';
import { fakeMetrics } from './serving.ts';
import { statusWith } from './statuses.ts';

const served: Served = { status: () => statusWith([]), metrics: fakeMetrics() };

const listening = (more: Partial<Served> = {}, host = '127.0.0.1') =>
  listen({ ...served, ...more }, { host, port: 0 });

/** Sends bytes to a monitor, and reads its answer until the connection is closed. */
async function raw(bytes: string, more: Partial<Served> = {}, host = '127.0.0.1'): Promise<string> {
  const { page, close } = await listening(more, host);
  const answer = await new Promise<string>((resolve, reject) => {
    let text = '';
    const socket = net.connect(Number(page.port), host, () => socket.write(bytes));
    socket.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk;
    });
    socket.on('close', () => resolve(text)).on('error', reject);
  });
  await close();
  return answer;
}

const answerTo = (host: string, more: Partial<Served> = {}): Promise<string> =>
  raw(`GET /status.json HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`, more);

test('headers beyond 8 KiB are refused', async () => {
  const answer = await raw(`GET /?${'x'.repeat(9_000)} HTTP/1.1\r\nHost: a\r\n\r\n`);
  expect(answer).toMatch(/^HTTP\/1\.1 431 /);
});

test('a body is refused and its connection closed', async () => {
  const answer = await raw('POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 10000000\r\n\r\nabc');
  expect(answer).toMatch(/^HTTP\/1\.1 413 /);
});

test('an IPv6 address is written in brackets', async () => {
  const { metrics, close } = await listening({}, '::1');
  await close();
  expect(metrics.href).toMatch(/^http:\/\/\[::1\]:\d+\/metrics$/);
});

for (const host of ['127.0.0.1:9797', 'localhost', 'Monitor.LOCALHOST:1', '[::1]:9797', '10.0.0.7'])
  test(`the monitor on the loopback interface accepts the host ${host}`, async () => {
    expect(await answerTo(host)).toMatch(/^HTTP\/1\.1 200 /);
  });

for (const host of ['rebound.example:9797', 'localhost.example', '127.0.0.1.example'])
  test(`the monitor on the loopback interface refuses the host ${host}`, async () => {
    const answer = await answerTo(host);
    expect(answer).toMatch(/^HTTP\/1\.1 421 /);
    expect(answer).toMatch(
      /\r\nThe monitor accepts local requests only, .* set MONITOR_AUTH_TOKEN\.\n/,
    );
    expect(answer).not.toContain('clauses');
  });

test('the loopback interface of IPv6 is guarded too', async () => {
  const request = 'GET / HTTP/1.1\r\nHost: rebound.example\r\nConnection: close\r\n\r\n';
  expect(await raw(request, {}, '::1')).toMatch(/^HTTP\/1\.1 421 /);
});

test('a monitor that is protected by a token accepts any host', async () => {
  const authToken = new Secret('planted-token-0123456789');
  expect(await answerTo('proxied.example', { authToken })).toMatch(/^HTTP\/1\.1 401 /);
  const authorization = 'proxied.example\r\nAuthorization: Bearer planted-token-0123456789';
  expect(await answerTo(authorization, { authToken })).toMatch(/^HTTP\/1\.1 200 /);
});

test('a monitor beyond the loopback interface accepts any host', async () => {
  const { page, close } = await listening({}, '0.0.0.0');
  const socket = net.connect(Number(page.port), '127.0.0.1');
  socket.write('GET /-/ready HTTP/1.1\r\nHost: monitor.example\r\n\r\n');
  const [first] = await new Promise<Buffer[]>((resolve) => {
    socket.once('data', (...chunks: Buffer[]) => resolve(chunks));
  });
  socket.destroy();
  await close();
  expect(String(first)).toMatch(/^HTTP\/1\.1 200 /);
});

test('a reload beyond the loopback interface needs an address, localhost or the token', async () => {
  const reload = async () => ({ ok: true, line: 'loaded' });
  const authToken = new Secret('planted-token-0123456789');
  const authorization = 'Authorization: Bearer planted-token-0123456789\r\n';
  const statusOf = async (host: string, headers = '', more: Partial<Served> = {}) => {
    const bytes = `POST /-/reload HTTP/1.1\r\nHost: ${host}\r\n${headers}Connection: close\r\n\r\n`;
    const answer = await raw(bytes, { reload, ...more }, '0.0.0.0');
    return Number(/^HTTP\/1\.1 (\d+)/.exec(answer)?.[1]);
  };
  for (const host of ['127.0.0.1:9797', 'localhost:9797', '10.0.0.7', '[::1]'])
    expect([host, await statusOf(host)]).toEqual([host, 200]);
  for (const host of ['rebound.example', 'monitor:9797', '127.0.0.1.example'])
    expect([host, await statusOf(host)]).toEqual([host, 421]);
  expect(await statusOf('monitor.example', authorization, { authToken })).toBe(200);
  expect(await statusOf('localhost', '', { authToken })).toBe(401);
});

for (const host of ['999.999.1.1', '1.2.3.4.5', 'a:99999', '256.1'])
  test(`a host called ${host} is an error of the client`, async () => {
    expect(await answerTo(host)).toMatch(/^HTTP\/1\.1 4\d\d /);
    expect(await answerTo(host, { authToken: new Secret('planted-token-0123456789') })).toMatch(
      /^HTTP\/1\.1 4\d\d /,
    );
  });

test('a request with a missing or wrong Host gets no page', async () => {
  expect(await raw('GET /sd HTTP/1.0\r\n\r\n')).toMatch(/^HTTP\/1\.1 400 /);
  expect(await answerTo('x[::1]')).toMatch(/^HTTP\/1\.1 400 /);
});

test('a client that sends many requests before it reads is disconnected', async () => {
  const request = 'GET /-/ready HTTP/1.1\r\nHost: a.localhost\r\n\r\n';
  const answers = (await raw(request.repeat(50))).match(/^ready/gm) ?? [];
  expect(answers.length).toBeLessThan(2);
});

test('a client that waits for each answer may use one connection for many', async () => {
  const { page, close } = await listening();
  const socket = net.connect(Number(page.port), page.hostname);
  const statuses: string[] = [];
  for (let count = 0; count < 20; count += 1) {
    socket.write('GET /-/ready HTTP/1.1\r\nHost: a.localhost\r\n\r\n');
    const [bytes] = await once(socket, 'data');
    statuses.push(String(bytes).slice(0, 15));
  }
  socket.destroy();
  await close();
  expect(statuses).toEqual(Array(20).fill('HTTP/1.1 200 OK'));
});
