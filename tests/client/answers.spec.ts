import { header, jsonOf } from '../../contract/http/answer.ts';
import { answering, expect, ok, outcome, send, test } from './stage.ts';

/** What a provider may send, and the answer that the client reads from it. */
const whole: [what: string, sent: string | Buffer, status: number, body: string][] = [
  ['plain text', ok('no JSON at all'), 200, 'no JSON at all'],
  ['wrong JSON', ok('[1,2'), 200, '[1,2'],
  ['JSON behind a byte order mark', ok('\ufeff{"success":true}'), 200, '\ufeff{"success":true}'],
  ['no body', ok(''), 200, ''],
  ['no reason phrase', 'HTTP/1.1 401\r\nContent-Length: 2\r\n\r\n{}', 401, '{}'],
  ['an empty reason phrase', 'HTTP/1.1 401 \r\nContent-Length: 2\r\n\r\n{}', 401, '{}'],
  ['HTTP/1.0', 'HTTP/1.0 200 OK\r\n\r\nuntil the end', 200, 'until the end'],
  ['no length', 'HTTP/1.1 200 OK\r\n\r\nuntil the end', 200, 'until the end'],
  [
    'chunks',
    'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{"\r\n3;x=y\r\na":\r\n2\r\n1}\r\n0\r\n\r\n',
    200,
    '{"a":1}',
  ],
  ['a 100 first', `HTTP/1.1 100 Continue\r\n\r\n${ok('{}')}`, 200, '{}'],
  ['a 103 first', `HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n${ok('{}')}`, 200, '{}'],
  ['many 1xx first', `${'HTTP/1.1 102 Processing\r\n\r\n'.repeat(50)}${ok('{}')}`, 200, '{}'],
  ['204', 'HTTP/1.1 204 No Content\r\n\r\n', 204, ''],
  ['304', 'HTTP/1.1 304 Not Modified\r\nContent-Length: 20\r\n\r\n', 304, ''],
  ['an unknown status', 'HTTP/1.1 799 Odd\r\nContent-Length: 0\r\n\r\n', 799, ''],
  ['an unknown coding on plain text', ok('{"a":1}', 'Content-Encoding: utf-8'), 200, '{"a":1}'],
  ['the coding identity', ok('{}', 'Content-Encoding: identity'), 200, '{}'],
];

for (const [what, sent, status, body] of whole)
  test(`${what} is accepted as an answer`, async ({ raise }) => {
    const answer = await send(await raise(answering(sent)));
    expect(answer.status).toBe(status);
    expect(answer.body.toString()).toBe(body);
  });

test('a 101 is an answer to a request for another protocol', async ({ raise }) => {
  const switching = 'HTTP/1.1 101 X\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\nframes';
  const stage = await raise((socket) => socket.write(switching));
  const headers = [['Connection', 'Upgrade'] as const, ['Upgrade', 'websocket'] as const];
  const { status, body } = await send(stage, { headers });
  expect([status, body.length]).toEqual([101, 0]);
  await expect.poll(() => stage.connections.open).toBe(0);
});

test('a body longer than its Content-Length is cut there or is invalid HTTP', async ({ raise }) => {
  // Extra bytes after an answer belong to no answer. Whether the client sees them in time depends on the packets.
  const together = await raise(answering('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}{}'));
  expect(await outcome(send(together))).toBe('protocol');
  const apart = await raise((socket) => {
    socket.write('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}');
    socket.once('end', () => socket.end('{}'));
  });
  expect((await send(apart)).body.toString()).toBe('{}');
});

test('a body that is not UTF-8 is an answer that is not JSON', async ({ raise }) => {
  const body = Buffer.concat([
    Buffer.from('HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\n'),
    Buffer.from([0x22, 0xff, 0xfe, 0x22]),
  ]);
  const received = await send(await raise(answering(body)));
  expect(received.body).toEqual(Buffer.from([0x22, 0xff, 0xfe, 0x22]));
  expect(jsonOf({ ...received, request: { line: '' } })).toEqual({
    is: 'not json',
    why: 'not UTF-8',
  });
});

test('JSON with a byte order mark is accepted, and malformed JSON is not', async ({ raise }) => {
  const output = async (body: string) =>
    jsonOf({ ...(await send(await raise(answering(ok(body))))), request: { line: '' } });
  expect(await output('\ufeff{"a":1}')).toEqual({ is: 'json', value: { a: 1 } });
  expect(await output('')).toEqual({ is: 'not json', why: 'empty' });
  expect(await output('<html>')).toEqual({ is: 'not json', why: 'not JSON' });
});

test('headers keep their order, spelling, bytes and repetitions', async ({ raise }) => {
  const sent = 'HTTP/1.1 200 OK\r\nX-Odd: a\tb\xfc\r\nx-odd:\r\nSET-Cookie: a\r\nset-cookie: b\r\n';
  const stage = await raise(answering(Buffer.from(`${sent}Content-Length: 0\r\n\r\n`, 'latin1')));
  const answer = await send(stage);
  expect(answer.headers).toEqual([
    ['X-Odd', 'a\tb\xfc'],
    ['x-odd', ''],
    ['SET-Cookie', 'a'],
    ['set-cookie', 'b'],
    ['Content-Length', '0'],
  ]);
  expect(header(answer, 'set-cookie')).toBe('a, b');
  expect(header(answer, 'x-none')).toBeUndefined();
});

test('no header is lost behind a thousand others', async ({ raise }) => {
  const many = Array.from({ length: 1500 }, () => 'a: b');
  const { headers } = await send(await raise(answering(ok('{}', ...many, 'X-Last: c'))));
  expect(headers.slice(1500)).toEqual([
    ['X-Last', 'c'],
    ['Content-Length', '2'],
  ]);
});

test('a redirect is an answer and is never followed, not even into a loop', async ({ raise }) => {
  for (const status of [301, 302, 303, 307, 308]) {
    const stage = await raise((socket) =>
      socket.end(
        `HTTP/1.1 ${status} Moved\r\nLocation: /public-api/v1/widgets\r\nContent-Length: 0\r\n\r\n`,
      ),
    );
    expect(await outcome(send(stage))).toBe(String(status));
    expect(stage.requests).toHaveLength(1);
  }
});

test('a HEAD is answered without a body, whatever length it states', async ({ raise }) => {
  const head = 'HTTP/1.1 200 OK\r\nContent-Length: 500\r\nContent-Encoding: gzip\r\n\r\n';
  const answer = await send(await raise(answering(head)), { method: 'HEAD' });
  expect(answer.status).toBe(200);
  expect(answer.body).toHaveLength(0);
});
