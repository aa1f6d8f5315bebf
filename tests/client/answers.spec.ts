import net from 'node:net';
import { gzipSync } from 'node:zlib';
import { header } from '../../contract/http/answer.ts';
import { type Reason, toUnreachable } from '../../contract/http/unreachable.ts';
import { answering, type Behaviour, expect, listening, ok, outcome, send, test } from './stage.ts';

/** What a provider may send, and the answer that the client reads from it. */
const whole: [what: string, sent: string | Buffer, status: number, body: string][] = [
  ['plain text', ok('no JSON at all'), 200, 'no JSON at all'],
  ['wrong JSON', ok('[1,2'), 200, '[1,2'],
  ['no body', ok(''), 200, ''],
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
  ['204', 'HTTP/1.1 204 No Content\r\n\r\n', 204, ''],
  ['an unknown coding on plain text', ok('{"a":1}', 'Content-Encoding: utf-8'), 200, '{"a":1}'],
];

for (const [what, sent, status, body] of whole)
  test(`${what} is accepted as an answer`, async ({ raise }) => {
    const answer = await send(await raise(answering(sent)));
    expect(answer.status).toBe(status);
    expect(answer.body.toString()).toBe(body);
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

test('a redirect is an answer and is never followed, not even into a loop', async ({ raise }) => {
  for (const status of [301, 302, 303, 307, 308]) {
    const head = `HTTP/1.1 ${status} Moved\r\nLocation: /public-api/v1/widgets`;
    const stage = await raise(answering(`${head}\r\nContent-Length: 0\r\n\r\n`));
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

const packed = gzipSync('{"success":true,"message":"a text that takes some bytes"}');

const coded = (coding: string, body: Buffer): Buffer =>
  Buffer.concat([
    Buffer.from(`HTTP/1.1 200 OK\r\nContent-Encoding: ${coding}\r\n`),
    Buffer.from(`Content-Length: ${body.length}\r\n\r\n`),
    body,
  ]);

const reset =
  (first: string): Behaviour =>
  (socket) => {
    if (first === '') socket.resetAndDestroy();
    else socket.write(first, () => setImmediate(() => socket.resetAndDestroy()));
  };

const chunked = 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n';

/** Answers that are not complete, or other behaviours, and the reason that the client reports. */
const none: [what: string, behave: Behaviour | string | Buffer, reason: Reason][] = [
  ['a connection closed at once', (socket) => socket.end(), 'reset'],
  ['a connection reset at once', reset(''), 'reset'],
  ['an end within the status line', 'HTTP/1.1 20', 'reset'],
  ['a reset within the body', reset('HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n{}'), 'truncated'],
  ['a body cut short', 'HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n{}', 'truncated'],
  ['a broken chunk', `${chunked}zz\r\n{}\r\n0\r\n\r\n`, 'protocol'],
  ['a gzip cut short', coded('gzip', packed.subarray(0, 30)), 'truncated'],
  ['a gzip that is none', ok('{}', 'Content-Encoding: gzip'), 'protocol'],
  ['an unknown coding', coded('zstd', Buffer.from([0x28, 0xb5, 0x2f, 0xfd])), 'protocol'],
  ['garbage', '\x00\x01\x02 hello\r\n\r\n', 'protocol'],
  ['an unasked upgrade', 'HTTP/1.1 101 X\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n', 'protocol'],
  ['two lengths', ok('{}', 'Content-Length: 3'), 'protocol'],
];

for (const [what, behave, reason] of none)
  test(`${what} is ${reason}`, async ({ raise }) => {
    const stage = await raise(typeof behave === 'function' ? behave : answering(behave));
    expect(await outcome(send(stage))).toBe(reason);
    expect(stage.requests, 'nothing is sent again').toHaveLength(1);
  });

test('a port without a listener is connect', async () => {
  const server = net.createServer();
  const origin = await listening(server);
  await new Promise((resolve) => server.close(resolve));
  expect(await outcome(send({ origin }))).toBe('connect');
});

test('a host name without an address is dns', async () => {
  expect(await outcome(send({ origin: new URL('http://nowhere.invalid') }))).toBe('dns');
});

/** Error codes of node:net, dns, tls, http and zlib, and their reasons before and after the answer began. */
const codes: [before: Reason | undefined, after: Reason | undefined, codes: string][] = [
  ['dns', 'dns', 'ENOTFOUND EAI_AGAIN'],
  // A network policy such as Cilium's refuses the call itself, and so does a kernel without IPv6.
  ['connect', 'connect', 'ECONNREFUSED EHOSTUNREACH ENETUNREACH EPERM EAFNOSUPPORT'],
  ['timeout', 'timeout', 'ETIMEDOUT'],
  ['reset', 'truncated', 'ECONNRESET EPIPE'],
  ['protocol', 'protocol', 'Z_DATA_ERROR HPE_INVALID_CONSTANT'],
  ['too-large', 'too-large', 'HPE_HEADER_OVERFLOW ERR_BUFFER_TOO_LARGE'],
  ['tls', 'tls', 'CERT_HAS_EXPIRED ERR_TLS_CERT_ALTNAME_INVALID EPROTO'],
  // An error of the client itself is not an outage.
  [undefined, undefined, 'ERR_INVALID_CHAR ERR_HTTP_HEADERS_SENT EMFILE'],
];

test('the codes of errors have reasons', () => {
  const reasonOf = (code: string, answered: boolean) =>
    Object(
      toUnreachable(Object.assign(new Error(), { code }), '', { answered, handshaking: false }),
    ).reason;
  for (const [before, after, names] of codes)
    for (const code of names.split(' ')) {
      expect(reasonOf(code, false), code).toBe(before);
      expect(reasonOf(code, true), `${code} after the status`).toBe(after);
    }
});
