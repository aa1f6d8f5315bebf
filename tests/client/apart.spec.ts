import type { Socket } from 'node:net';
import { bearer } from '../../contract/http/client.ts';
import { keepConnections } from '../../contract/http/connections.ts';
import type { CallOptions } from '../../contract/http/request.ts';
import { Secret } from '../../contract/secrets/secret.ts';
import { account, widgets } from './simulated-service.ts';
import { clientOf, expect, ok, test } from './stage.ts';

const token = ok('{"success":true,"message":"","data":{"accessToken":"a-token-of-the-stage"}}');

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

const own: readonly [name: string, options: CallOptions, method?: string][] = [
  ['with an unusual method', {}, 'FOO'],
  ['with a Connection header', { headers: { Connection: 'X-Any' } }],
  ['with an Expect header', { headers: { expect: '100-continue' } }],
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

test('a run that renews shared connections opens that of valid tokens for all runs', async ({
  raise,
}) => {
  const { taken, answer } = numbering();
  const stage = await raise(answer);
  const shared = keepConnections(stage, { maxFreeSockets: 1 });
  const client = clientOf(stage, { shared });
  for (const sharing of ['shared', 'renewed', 'shared'] as const)
    await client.connection(async (kept) => {
      const token = await kept.issue(account);
      await kept.call(widgets, { headers: { Connection: 'X-Any' } });
      for (let use = 0; use < 2; use++) await kept.call(widgets, bearer(token));
    }, sharing);
  expect(taken).toEqual([0, 1, 2, 2, 0, 3, 4, 4, 0, 5, 4, 4]);
  await expect.poll(() => stage.connections.open).toBe(2);
  shared.close();
  await expect.poll(() => stage.connections.open).toBe(0);
});
