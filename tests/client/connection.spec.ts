import type net from 'node:net';
import type { Phases } from '../../contract/http/answer.ts';
import { widgets } from './simulated-service.ts';
import { clientOf, expect, limit, ok, outcome, send, test } from './stage.ts';

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

test('a kept-alive connection that is reset under a request reopens once', async ({ raise }) => {
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

test('a kept-alive connection ends after an answer to an unread request', async ({ raise }) => {
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

const sum = (phases: Phases): number =>
  Object.values(phases).reduce((all, phase) => all + phase, 0);

/** Sends a request, and checks that its phases together take no longer than the request. */
async function measured(request: () => Promise<{ readonly phases: Phases }>): Promise<Phases> {
  const startedAt = performance.now();
  const { phases } = await request();
  const total = (performance.now() - startedAt) / 1000;
  for (const [name, seconds] of Object.entries(phases))
    expect(seconds, name).toBeGreaterThanOrEqual(0);
  expect(sum(phases)).toBeLessThanOrEqual(total);
  return phases;
}

test('a slow provider shows in the processing phase', async ({ raise }) => {
  const stage = await raise((socket) => setTimeout(() => socket.end(ok('{}')), 60));
  const { resolve, tls, connect, processing, transfer } = await measured(() => send(stage));
  expect(processing).toBeGreaterThan(0.055);
  expect(connect).toBeGreaterThan(0);
  expect(transfer).toBeGreaterThan(0);
  expect({ resolve, tls }, 'an address needs no lookup, and plain HTTP no TLS').toEqual({
    resolve: 0,
    tls: 0,
  });
});
