import type { Socket } from 'node:net';
import { bearer } from '../../contract/http/client.ts';
import { keepConnections } from '../../contract/http/connections.ts';
import type { CallOptions } from '../../contract/http/request.ts';
import { Secret } from '../../contract/secrets/secret.ts';
import { account, widgets } from './simulated-service.ts';
import { clientOf, expect, ok, outcome, test } from './stage.ts';

const token = ok('{"success":true,"message":"","data":{"accessToken":"a-token-of-the-stage"}}');
const day = 86_400_000;

/** Records which connection each request used. Connections are numbered from 0 in the order of their first use. */
function numbering() {
  const sockets: Socket[] = [];
  const taken: number[] = [];
  return {
    taken,
    answer(socket: Socket, request: string) {
      if (!sockets.includes(socket)) sockets.push(socket);
      taken.push(sockets.indexOf(socket));
      socket.write(request.startsWith('POST') ? token : ok('{}'));
    },
  };
}

test('requests with a valid token share a connection, all others another', async ({ raise }) => {
  const { taken, answer } = numbering();
  const stage = await raise(answer);
  await clientOf(stage).connection(async (kept) => {
    const issued = await kept.issue(account);
    await kept.call(widgets, bearer(issued));
    await kept.call(widgets);
    await kept.call(widgets, bearer(issued));
    await kept.call(widgets, bearer({ ...issued, secret: new Secret('made-up') }));
    await kept.issue(account);
  }, 'shared');
  expect(taken).toEqual([0, 1, 0, 1, 0, 0]);
  await expect.poll(() => stage.connections.open).toBe(0);
});

test('a request with an expired token is apart from those with valid ones', async ({ raise }) => {
  let now = 0;
  const { taken, answer } = numbering();
  await clientOf(await raise(answer), { now: () => now }).connection(async (kept) => {
    const issued = await kept.issue(account);
    now = day - 1;
    await kept.call(widgets, bearer(issued));
    now = day;
    await kept.call(widgets, bearer(issued));
  }, 'shared');
  expect(taken).toEqual([0, 1, 0]);
});

const own: readonly [name: string, options: CallOptions, method?: string][] = [
  ['with an unusual method', {}, 'FOO'],
  ['over HTTP/1.0', { version: '1.0' }],
  ['with a Connection header', { headers: { Connection: 'X-Any' } }],
  ['with an Expect header', { headers: { expect: '100-continue' } }],
  ['in chunks', { chunked: true, body: { type: 'text/plain', text: 'a' } }],
];
for (const [name, options, method = 'PUT'] of own)
  test(`a request ${name} has its own connection`, async ({ raise }) => {
    const { taken, answer } = numbering();
    await clientOf(await raise(answer)).connection(async (kept) => {
      await kept.call(widgets);
      await kept.call({ ...widgets, method }, options);
      await kept.call(widgets);
    }, 'shared');
    expect(taken).toEqual([0, 1, 0]);
  });

test('requests at the same time have connections of their own', async ({ raise }) => {
  const waiting: Socket[] = [];
  const stage = await raise((socket) => {
    waiting.push(socket);
    if (waiting.length === 2) for (const one of waiting) one.write(ok('{}'));
  });
  await clientOf(stage).connection(async (kept) => {
    await Promise.all([kept.call(widgets), kept.call(widgets)]);
  }, 'shared');
  expect(stage.connections.ever).toBe(2);
});

test('a run keeps one of several connections that become idle', async ({ raise }) => {
  const stage = await raise((socket) => socket.write(ok('{}')));
  await clientOf(stage).connection(async (kept) => {
    await Promise.all([1, 2, 3].map(() => kept.call(widgets)));
    await expect.poll(() => stage.connections.open).toBe(1);
    await kept.call(widgets);
  }, 'shared');
  expect(stage.connections.ever).toBe(3);
});

test('a request that is sent again keeps its time limit, and says it whole', async ({ raise }) => {
  let seen = 0;
  const stage = await raise((socket) => {
    seen += 1;
    if (seen === 1) socket.write(ok('{}'));
    else if (seen === 2) setTimeout(() => socket.resetAndDestroy(), 50);
  });
  await clientOf(stage, { connection: { timeoutMs: 400 } }).connection(async (kept) => {
    await kept.call(widgets);
    await expect(kept.call(widgets)).rejects.toThrow('no complete answer in time (400 ms)');
  }, 'shared');
  expect(seen).toBe(3);
});

test('a request whose answer was cut off within itself is not sent again', async ({ raise }) => {
  let seen = 0;
  const stage = await raise((socket) => {
    seen += 1;
    if (seen === 1) socket.write(ok('{}'));
    else socket.write('HTTP/1.1 2', () => setImmediate(() => socket.resetAndDestroy()));
  });
  await clientOf(stage).connection(async (kept) => {
    await kept.call(widgets);
    expect(await outcome(kept.call(widgets))).toMatch(/reset|truncated/);
  }, 'shared');
  expect(stage.requests).toHaveLength(2);
});

test('requests under way when another one fails end by themselves', async ({ raise }) => {
  const slow: Socket[] = [];
  const stage = await raise((socket, request) => {
    if (request.includes('/bad ')) return void socket.resetAndDestroy();
    slow.push(socket);
  });
  const client = clientOf(stage);
  const ends: string[] = [];
  const use = client.connection(async (kept) => {
    const call = (path: string) => kept.call(widgets, { path: `/public-api/v1/${path}` });
    for (const path of ['one', 'other'])
      void call(path).then(({ status }) => ends.push(`${path} ${status}`));
    await expect.poll(() => slow.length).toBe(2);
    await call('bad');
  }, 'shared');
  await expect(use).rejects.toThrow();
  for (const socket of slow) socket.write(ok('{}'));
  await expect.poll(() => ends.toSorted()).toEqual(['one 200', 'other 200']);
  await expect.poll(() => stage.connections.open).toBe(0);
  expect(stage.requests).toHaveLength(3);
});

test('a kept connection that receives unrequested bytes is closed', async ({ raise }) => {
  const sockets: Socket[] = [];
  const stage = await raise((socket) => {
    sockets.push(socket);
    socket.write(ok('{}'));
  });
  await clientOf(stage).connection(async (kept) => {
    await kept.call(widgets);
    sockets[0]?.write('more than was promised');
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect((await kept.call(widgets)).status).toBe(200);
    expect(stage.connections).toEqual({ ever: 2, open: 1 });
  }, 'shared');
  expect(stage.requests).toHaveLength(2);
});

test('runs that share connections of their client leave them open', async ({ raise }) => {
  const { taken, answer } = numbering();
  const stage = await raise(answer);
  const shared = keepConnections(stage, { maxFreeSockets: 1 });
  const client = clientOf(stage, { shared });
  for (const sharing of ['shared', 'shared', 'one', 'shared'] as const)
    await client.connection(async (kept) => {
      await kept.call(widgets, bearer(await kept.issue(account)));
    }, sharing);
  expect(taken).toEqual([0, 1, 0, 1, 2, 2, 0, 1]);
  expect(stage.connections.open).toBe(2);
  shared.close();
  await expect.poll(() => stage.connections.open).toBe(0);
});

test('a run that renews shared connections opens each once, for all runs', async ({ raise }) => {
  const { taken, answer } = numbering();
  const stage = await raise(answer);
  const shared = keepConnections(stage, { maxFreeSockets: 1 });
  const client = clientOf(stage, { shared });
  for (const sharing of ['shared', 'renewed', 'shared'] as const)
    await client.connection(async (kept) => {
      const token = await kept.issue(account);
      await kept.call(widgets, { version: '1.0' });
      for (let use = 0; use < 2; use++) await kept.call(widgets, bearer(token));
    }, sharing);
  expect(taken).toEqual([0, 1, 2, 2, 3, 4, 5, 5, 3, 6, 5, 5]);
  await expect.poll(() => stage.connections.open).toBe(2);
  shared.close();
  await expect.poll(() => stage.connections.open).toBe(0);
});

test('shared connections that are idle for too long are closed', async ({ raise }) => {
  const stage = await raise((socket) => socket.write(ok('{}')));
  const shared = keepConnections(stage, { maxFreeSockets: 1, timeout: 50 });
  await clientOf(stage, { shared }).connection((kept) => kept.call(widgets), 'shared');
  await expect.poll(() => stage.connections.open).toBe(0);
});
