import type { Phases } from '../../contract/http/answer.ts';
import { expect, keepAliveAgent, ok, send, test } from './stage.ts';

const sum = (phases: Phases): number => Object.values(phases).reduce((all, one) => all + one, 0);

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
  const phases = await measured(() => send(stage));
  expect(phases.processing).toBeGreaterThan(0.055);
  expect(phases.connect).toBeGreaterThan(0);
  expect(phases.transfer).toBeGreaterThan(0);
  expect(phases.transfer).toBeLessThan(phases.processing);
});

test('a slow body shows in the transfer phase', async ({ raise }) => {
  const stage = await raise((socket) => {
    socket.write('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{');
    setTimeout(() => socket.end('}'), 60);
  });
  const phases = await measured(() => send(stage));
  expect(phases.transfer).toBeGreaterThan(0.055);
  expect(phases.processing).toBeLessThan(phases.transfer);
});

test('an IP address needs no DNS lookup and plain HTTP no TLS', async ({ raise }) => {
  const phases = await measured(async () => send(await raise((socket) => socket.end(ok('{}')))));
  expect([phases.resolve, phases.tls]).toEqual([0, 0]);
});

test('a host name shows in the resolve phase', async ({ raise }) => {
  const stage = await raise((socket) => socket.end(ok('{}')));
  const origin = new URL(`http://localhost:${stage.origin.port}`);
  const phases = await measured(() => send({ origin }));
  expect(phases.resolve).toBeGreaterThan(0);
  expect(phases.connect).toBeGreaterThan(0);
});

test('a kept-alive connection is established once', async ({ raise }) => {
  const stage = await raise((socket) => socket.write(ok('{}')));
  const agent = keepAliveAgent(stage.origin, { maxSockets: 1 });
  const first = await measured(() => send(stage, { agent }));
  const second = await measured(() => send(stage, { agent }));
  agent.destroy();
  expect(first.connect).toBeGreaterThan(0);
  expect(second.connect).toBe(0);
  expect(second.processing).toBeGreaterThan(0);
  expect(stage.connections.ever).toBe(1);
});
