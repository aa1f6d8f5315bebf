import { bearer } from '../../contract/http/client.ts';
import {
  apiPrefix,
  type CallOptions,
  type Endpoint,
  tokenPath,
} from '../../contract/http/request.ts';
import { Secret } from '../../contract/secrets/secret.ts';
import { answering, clientOf, expect, ok, test } from './stage.ts';

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
  return { line, headers: headers.filter((field) => !usual.test(field)), body };
}

const own = ['X-Tenant: blue', 'Content-Type: application/vnd.search+json'];
const ownBody = '{"words":"of its own"}';
const path = '/public-api/v1/search?page=2';

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
      'the path of the token endpoint',
      { path: tokenPath, headers: { 'X-Original-URL': '/x' } },
      `POST ${tokenPath} HTTP/1.1`,
      ['X-Original-URL: /x'],
      '',
    ],
  ];

for (const [what, options, line, headers, body] of calls)
  test(`the endpoint's headers and body are sent with a call of ${what}`, async ({ raise }) => {
    const stage = await raise((socket) => socket.end(ok('{}')));
    await clientOf(stage).call(search, options);
    expect(stage.requests.map(sent)).toEqual([{ line, headers, body }]);
  });

test('a finding shows the header names of the endpoint, and no own body', async ({ raise }) => {
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

for (const [path, arrives] of [
  [`${apiPrefix}widgets`, `${apiPrefix}widgets?token=t-7361`],
  [`${apiPrefix}widgets?all=1`, `${apiPrefix}widgets?all=1&token=t-7361`],
] as const)
  test(`the probe's own query reaches ${path} as a separate parameter`, async ({ raise }) => {
    const stage = await raise(answering(ok('')));
    const query = new Secret('token=t-7361');
    const { request } = await clientOf(stage).call({ method: 'GET', path }, { query });
    expect(stage.requests[0]).toContain(`GET ${arrives} HTTP/1.1`);
    expect(request.line).toBe(`GET ${arrives.replace('token=t-7361', '[secret]')}`);
  });
