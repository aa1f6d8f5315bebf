import type net from 'node:net';
import { widgets } from './simulated-service.ts';
import { clientOf, expect, limit, ok, outcome, test } from './stage.ts';

test('each request has its own connection', async ({ raise }) => {
  const stage = await raise((socket) => socket.write(ok('{}')));
  const client = clientOf(stage);
  for (let nth = 0; nth < 3; nth++) await client.call(widgets);
  expect(stage.connections.ever).toBe(3);
});

test('a kept-alive connection is reused, and closed at the end', async ({ raise }) => {
  const stage = await raise((socket) => socket.write(ok('{}')));
  await clientOf(stage).connection(async (kept) => {
    for (let nth = 0; nth < 3; nth++) await kept.call(widgets);
    await Promise.all([kept.call(widgets), kept.call(widgets)]);
    expect(stage.connections).toEqual({ ever: 1, open: 1 });
  });
  expect(stage.requests).toHaveLength(5);
  await expect.poll(() => stage.connections.open).toBe(0);
});

test('a kept-alive connection is closed when a request on it fails', async ({ raise }) => {
  const stage = await raise((socket) => socket.write(ok('{}')));
  const used = clientOf(stage).connection(async (kept) => {
    await kept.call(widgets);
    throw new Error('the use failed');
  });
  await expect(used).rejects.toThrow('the use failed');
  await expect.poll(() => stage.connections.open).toBe(0);
});

test('a provider that closes after each answer gets a new connection', async ({ raise }) => {
  const stage = await raise((socket) => socket.end(ok('{}', 'Connection: close')));
  await clientOf(stage).connection(async (kept) => {
    for (let nth = 0; nth < 3; nth++) await kept.call(widgets);
  });
  expect(stage.connections.ever).toBe(3);
});

test('a kept-alive connection that is reset under a request is reopened once', async ({
  raise,
}) => {
  let seen = 0;
  const stage = await raise((socket) => {
    seen += 1;
    if (seen === 1) socket.write(ok('{}'));
    else if (seen === 2) socket.resetAndDestroy();
    else socket.end(ok('{"third":true}'));
  });
  await clientOf(stage).connection(async (kept) => {
    await kept.call(widgets);
    expect((await kept.call(widgets)).body.toString()).toBe('{"third":true}');
  });
  expect(stage.connections.ever).toBe(2);
});

test('a new connection that is reset is a reset', async ({ raise }) => {
  const stage = await raise((socket, request) =>
    request.includes('/first ') ? socket.write(ok('{}')) : socket.resetAndDestroy(),
  );
  await clientOf(stage).connection(async (kept) => {
    await kept.call(widgets, { path: '/public-api/v1/first' });
    expect(await outcome(kept.call(widgets))).toBe('reset');
  });
  expect(stage.requests).toHaveLength(3);
});

test('a kept-alive connection without an answer is a timeout, and the request is not repeated', async ({
  raise,
}) => {
  const stage = await raise((socket, request) => {
    if (request.includes('/first ')) socket.write(ok('{}'));
  });
  await clientOf(stage, { connection: { timeoutMs: 300 } }).connection(async (kept) => {
    await kept.call(widgets, { path: '/public-api/v1/first' });
    expect(await outcome(kept.call(widgets))).toBe('timeout');
    await expect.poll(() => stage.connections.open).toBe(0);
  });
  expect(stage.connections.ever).toBe(1);
  expect(stage.requests).toHaveLength(2);
});

test('a kept-alive connection is closed after an answer that arrives before the request is written', async ({
  raise,
}) => {
  const answerUnread = (socket: net.Socket) =>
    socket.once('data', () => {
      socket.pause();
      socket.write(ok('{}'));
    });
  const stage = await raise(() => {}, '127.0.0.1', answerUnread);
  const body = { type: 'text/plain', text: 'x'.repeat(limit) };
  await clientOf(stage, { connection: { timeoutMs: 2000 } }).connection(async (kept) => {
    expect(await outcome(kept.call(widgets, { method: 'POST', body }))).toBe('200');
    expect(await outcome(kept.call(widgets))).toBe('200');
  });
  expect(stage.connections.ever).toBe(2);
});

test('HTTP/1.0 is used for one request on a kept-alive connection, and 1.1 again after it', async ({
  raise,
}) => {
  const stage = await raise((socket) => socket.write(ok('{}', 'Connection: keep-alive')));
  await clientOf(stage).connection(async (kept) => {
    await kept.call(widgets, { version: '1.0' });
    await kept.call(widgets);
  });
  expect(stage.requests.map((request) => request.split('\r\n')[0])).toEqual([
    'GET /public-api/v1/widgets HTTP/1.0',
    'GET /public-api/v1/widgets HTTP/1.1',
  ]);
  expect(stage.connections.ever).toBe(1);
});

for (const host of ['127.0.0.1', 'localhost'])
  test(`a kept-alive connection to ${host} does not accumulate listeners`, async ({ raise }) => {
    const warnings: Error[] = [];
    const listen = (warning: Error): void => void warnings.push(warning);
    process.on('warning', listen);
    const stage = await raise((socket) => socket.write(ok('{}')));
    const origin = new URL(`http://${host}:${stage.origin.port}`);
    await clientOf({ origin }).connection(async (kept) => {
      for (let nth = 0; nth < 20; nth++) await kept.call(widgets);
    });
    await new Promise(setImmediate);
    process.off('warning', listen);
    expect(stage.connections.ever).toBe(1);
    expect(warnings).toEqual([]);
  });
