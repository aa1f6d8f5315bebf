import type { Answer } from '../../contract/http/answer.ts';
import { bearer } from '../../contract/http/client.ts';
import { type CallOptions, type Endpoint, tokenPath } from '../../contract/http/request.ts';
import { Secret } from '../../contract/secrets/secret.ts';
import { account } from './simulated-service.ts';
import { clientOf, expect, ok, test } from './stage.ts';

const search: Endpoint = {
  method: 'POST',
  path: '/public-api/v1/search?page=2',
  headers: { 'X-Tenant': 'blue', 'Content-Type': 'application/vnd.search+json' },
  body: { json: { words: 'of its own' } },
};
const token = { secret: new Secret('t0k3n'), madeAt: 0 };

/** The request line, the headers that are not in every request, and the body, as they were on the wire. */
function sent(request: string): { readonly line: string; headers: string[]; body: string } {
  const [head = '', body = ''] = request.split('\r\n\r\n');
  const [line = '', ...headers] = head.split('\r\n');
  const usual = /^(Host|Accept|Accept-Encoding|User-Agent|traceparent|Connection|Content-Length):/;
  return { line, headers: headers.filter((one) => !usual.test(one)), body };
}

const own = ['X-Tenant: blue', 'Content-Type: application/vnd.search+json'];
const ownBody = '{"words":"of its own"}';
const path = '/public-api/v1/search?page=2';
const nowhere = { origin: new URL('http://nowhere.invalid') };

/** Options for a call of an endpoint that has its own headers and body, and the request on the wire. */
const calls: [what: string, options: CallOptions, line: string, headers: string[], body: string][] =
  [
    ['nothing otherwise', {}, `POST ${path} HTTP/1.1`, own, ownBody],
    [
      'a token and a query',
      { ...bearer(token), query: new Secret('q=1') },
      `POST ${path}&q=1 HTTP/1.1`,
      ['Authorization: Bearer t0k3n', ...own],
      ownBody,
    ],
    ['another method that takes a body', { method: 'PUT' }, `PUT ${path} HTTP/1.1`, own, ownBody],
    ['a method that takes none', { method: 'OPTIONS' }, `OPTIONS ${path} HTTP/1.1`, own, ''],
    [
      'one of its headers, spelt otherwise',
      { headers: { 'x-tenant': new Secret('red') } },
      `POST ${path} HTTP/1.1`,
      ['Content-Type: application/vnd.search+json', 'x-tenant: red'],
      ownBody,
    ],
    [
      'another body, whose type is its own',
      { body: { type: 'text/plain', text: 'words' } },
      `POST ${path} HTTP/1.1`,
      ['Content-Type: text/plain', 'X-Tenant: blue'],
      'words',
    ],
    [
      'another spelling of its path',
      { path: '/public-api/v1//search' },
      'POST /public-api/v1//search HTTP/1.1',
      own,
      ownBody,
    ],
    [
      'the path of the token endpoint',
      { path: tokenPath, headers: { 'X-Original-URL': '/x' } },
      `POST ${tokenPath} HTTP/1.1`,
      ['X-Original-URL: /x'],
      '',
    ],
  ];

for (const [what, options, line, headers, body] of calls)
  test(`the endpoint's own headers and body are sent with a call that has ${what}`, async ({
    raise,
  }) => {
    const stage = await raise((socket) => socket.end(ok('{}')));
    await clientOf(stage).call(search, options);
    expect(stage.requests.map(sent)).toEqual([{ line, headers, body }]);
  });

test('a configured method sends its configured body, whatever the method is', async ({ raise }) => {
  const stage = await raise((socket) => socket.end(ok('{}')));
  await clientOf(stage).call({ ...search, method: 'DELETE' });
  await clientOf(stage)
    .call({ ...search, method: 'GET' }, { method: 'HEAD' })
    .catch(() => {});
  expect(stage.requests.map((request) => sent(request).body)).toEqual([ownBody, '']);
});

test('configured headers and body are sent over a kept-alive connection too, and never to the token endpoint', async ({
  raise,
}) => {
  const issued = ok('{"success":true,"message":"","data":{"accessToken":"t"}}');
  const stage = await raise((socket, request) =>
    socket.write(request.includes(tokenPath) ? issued : ok('{}')),
  );
  const client = clientOf(stage);
  await client.connection(async (kept) => {
    await kept.issue(account);
    await kept.call(search);
    await kept.exchange({ json: {} });
  });
  expect(stage.requests.map((request) => request.includes('X-Tenant: blue'))).toEqual([
    false,
    true,
    false,
  ]);
});

test('a finding shows the header names of the endpoint, and that the body is configured', async ({
  raise,
}) => {
  const stage = await raise((socket) => socket.end(ok('{}')));
  const line = async (options: CallOptions): Promise<string> =>
    (await clientOf(stage).call(search, options)).request.line;
  expect(await line(bearer(token))).toBe(
    `POST ${path}   Authorization: Bearer [secret]   X-Tenant: …   Content-Type: …   its own body`,
  );
  expect(await line({ body: { json: [1] }, headers: { 'x-tenant': 'red' } })).toBe(
    `POST ${path}   x-tenant: red   [1]`,
  );
});

test('a configured Authorization header is refused before anything is sent', async ({ raise }) => {
  const stage = await raise((socket) => socket.end(ok('{}')));
  const request = clientOf(stage).call({
    ...search,
    headers: { authorization: 'Bearer mine' },
  });
  await expect(request).rejects.toThrow(
    /Authorization cannot be configured as an endpoint's header$/,
  );
  expect(stage.connections.ever).toBe(0);
});

test('a substituted network receives every request instead of the real one', async () => {
  const requests: string[] = [];
  const answers: Answer[] = [];
  const client = clientOf(nowhere, {
    onAnswer: (answer) => void answers.push(answer),
    async exchange(connection, request, where) {
      requests.push(`${connection.origin.host} ${request.method} ${request.path} ${where}`);
      const phases = { resolve: 0, connect: 0, tls: 0, processing: 1, transfer: 0 };
      const body = Buffer.from('{"success":true,"message":"","data":{"accessToken":"simulated"}}');
      return { status: 200, httpVersion: '1.1', headers: [], body, phases };
    },
  });
  const made = await client.issue(account);
  await client.connection((kept) => kept.call(search, bearer(made)));
  expect(made.secret.equals(new Secret('simulated'))).toBe(true);
  expect(requests).toEqual([
    `nowhere.invalid POST ${tokenPath} POST ${tokenPath}`,
    `nowhere.invalid POST ${path} POST ${path}`,
  ]);
  expect([client.requests(), answers.length]).toEqual([2, 2]);
  expect(client.scrub('a simulated one')).toBe('a [secret] one');
});

test('a kept-alive secret is removed from messages, from the start or once it is learnt', () => {
  const secrets = [new Secret('kept-token-5f1c'), new Secret('canary-99e2')];
  const client = clientOf(nowhere, { secrets });
  const message = 'kept-token-5f1c, canary-99e2, renewed=07aab3';
  expect(client.scrub(message)).toBe('[secret], [secret], renewed=07aab3');
  client.learn(new Secret('renewed=07aab3'));
  expect(client.scrub(message)).toBe('[secret], [secret], [secret]');
});
