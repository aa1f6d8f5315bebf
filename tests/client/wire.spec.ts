import { bearer } from '../../contract/http/client.ts';
import { version } from '../../contract/http/http-request.ts';
import type { CallOptions } from '../../contract/http/request.ts';
import { Secret, seal } from '../../contract/secrets/secret.ts';
import { widgets } from './simulated-service.ts';
import { clientOf, exchangeInChild, expect, ok, outcome, type Stage, send, test } from './stage.ts';

const issued = ok('{"success":true,"message":"","data":{"accessToken":"t0k3n"}}');

function clientTo(stage: Pick<Stage, 'origin'>, apiKey = 'key', secretKey = 'secret') {
  const account = { apiKey: new Secret(apiKey), secretKey: new Secret(secretKey) };
  return { client: clientOf(stage, { account }), account };
}

/** The requests on the wire, with another trace than their random one. */
const sentTo = ({ requests }: Stage): string[] =>
  requests.map((request) => request.replace(/(?<=\r\ntraceparent: )\S+/, traceparent));

const traceparent = '00-a-b-00';

/** A request line, and the headers of every request in the order in which the client sends them. */
const head = (line: string, { host }: URL, ...more: string[]): string =>
  [
    line,
    `Host: ${host}`,
    'Accept: application/json',
    'Accept-Encoding: gzip, deflate, br',
    `User-Agent: public-api-contract/${version}`,
    ...more.filter((header) => isOfBody.test(header)),
    `traceparent: ${traceparent}`,
    ...more.filter((header) => !isOfBody.test(header)),
    'Connection: close',
    '\r\n',
  ].join('\r\n');

const isOfBody = /^Content-Type:/;

test('a token is requested by one POST of the two credentials as JSON', async ({ raise }) => {
  const stage = await raise((socket) => socket.end(issued));
  const { client, account } = clientTo(stage);
  const token = await client.issue(account);
  expect(token.secret.equals(new Secret('t0k3n'))).toBe(true);
  const own = ['Content-Type: application/json', 'Content-Length: 37'];
  const sent = head('POST /public-api/v1/auth/token HTTP/1.1', stage.origin, ...own);
  expect(sentTo(stage)).toEqual([`${sent}{"apiKey":"key","secretKey":"secret"}`]);
  expect(client.requests()).toBe(1);
});

const path = '/public-api/v1/widgets';
const get = `GET ${path} HTTP/1.1`;

/** Options of a probe's request, and the request on the wire. */
const calls: [what: string, options: CallOptions, line: string, ...headers: string[]][] = [
  ['nothing', {}, get],
  ['a token', bearer(tokenOf('t')), get, 'Authorization: Bearer t'],
  [
    'two Authorization headers',
    { authorization: ['Bearer a', new Secret('Bearer b')] },
    get,
    'Authorization: Bearer a',
    'Authorization: Bearer b',
  ],
  ['HEAD', { method: 'HEAD' }, `HEAD ${path} HTTP/1.1`],
  ['POST without a body', { method: 'POST' }, `POST ${path} HTTP/1.1`, 'Content-Length: 0'],
  ['a query', { query: seal`a=1&token=${new Secret('t')}` }, `GET ${path}?a=1&token=t HTTP/1.1`],
  ['an encoded query', { query: new Secret('a=é b') }, `GET ${path}?a=%C3%A9%20b HTTP/1.1`],
  ['dot segments', { path: `${path}/../%2e/x` }, `GET ${path}/../%2e/x HTTP/1.1`],
];

for (const [what, options, line, ...headers] of calls)
  test(`${what} is on the wire exactly as requested`, async ({ raise }) => {
    const stage = await raise((socket, request) =>
      socket.end(request.startsWith('HEAD') ? ok('') : ok('{}')),
    );
    await clientTo(stage).client.call(widgets, options);
    expect(sentTo(stage)).toEqual([head(line, stage.origin, ...headers)]);
  });

test('headers of a probe replace the usual ones', async ({ raise }) => {
  const stage = await raise((socket) => socket.end(ok('{}')));
  const headers = { Host: 'localhost', 'user-agent': 'curl', 'X-Api-Key': new Secret('key') };
  await clientTo(stage).client.call(widgets, { headers });
  expect(sentTo(stage)[0]?.split('\r\n').slice(1, -3)).toEqual([
    'Accept: application/json',
    'Accept-Encoding: gzip, deflate, br',
    `traceparent: ${traceparent}`,
    'Host: localhost',
    'user-agent: curl',
    'X-Api-Key: key',
  ]);
});

test('credentials of any characters arrive unchanged', async ({ raise }) => {
  const odd = ` "quoted" \\ # $ = %41 é 日本 😀 \0\n\r\t \ud800 </script> `;
  const stage = await raise((socket) => socket.end(issued));
  const { client, account } = clientTo(stage, odd, `${odd}2`);
  await client.issue(account);
  const body = Buffer.from(stage.requests[0]?.split('\r\n\r\n')[1] ?? '', 'latin1').toString();
  expect(JSON.parse(body)).toEqual({ apiKey: odd, secretKey: `${odd}2` });
});

test('a path prefix of the base address precedes every path', async ({ raise }) => {
  const stage = await raise((socket) => socket.end(issued));
  for (const path of ['/gateway/api', '/gateway/api/']) {
    const { client, account } = clientTo({ origin: new URL(path, stage.origin) });
    await client.issue(account);
    await client.call(widgets);
  }
  const both = ['/gateway/api/public-api/v1/auth/token', '/gateway/api/public-api/v1/widgets'];
  expect(stage.requests.map((request) => request.split(' ')[1])).toEqual([...both, ...both]);
});

test('an IPv6 address is accepted as a base address', async ({ raise }) => {
  const stage = await raise((socket) => socket.end(ok('{}')), '::1');
  expect(await outcome(send(stage))).toBe('200');
  expect(stage.requests[0]).toContain(`Host: [::1]:${stage.origin.port}\r\n`);
});

test('the client requests nothing outside /public-api/v1/', async ({ raise }) => {
  const stage = await raise((socket) => socket.end(ok('{}')));
  const send = (path: string) => clientTo(stage).client.call({ method: 'GET', path });
  for (const path of ['/', '/public-api/v2/widgets', '/public-api/v1', '//public-api/v1/x'])
    await expect(send(path)).rejects.toThrow(/^VERSION-1: /);
  expect(stage.connections.ever).toBe(0);
});

test('a gateway that answers 503 is not an answer of the service', async ({ raise }) => {
  for (const status of [502, 503, 504]) {
    const stage = await raise((socket) =>
      socket.end(`HTTP/1.1 ${status} X\r\nContent-Length: 0\r\n\r\n`),
    );
    expect(await outcome(clientTo(stage).client.call(widgets))).toBe('unavailable');
  }
});

test('no environment variable routes requests through a proxy', async ({ raise }) => {
  const stage = await raise((socket) => socket.end(ok('{}')));
  const proxy = 'http://127.0.0.1:1';
  const env = { NODE_USE_ENV_PROXY: '1', HTTP_PROXY: proxy, http_proxy: proxy };
  expect(await exchangeInChild(stage.origin, env)).toBe('200');
});

function tokenOf(text: string) {
  return { secret: new Secret(text), madeAt: 0 };
}
