import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import {
  type Answer,
  altered,
  type Fault,
  fieldLines,
  formatHead,
  type Header,
  headed,
  lengthFor,
  mebibyte,
  message,
  type Step,
  statusLine,
  transport,
  upTo,
} from './fault.ts';

/** Where a message can be interrupted, and what was sent before. */
const places: readonly (readonly [where: string, sent: (answer: Answer) => Buffer | string])[] = [
  ['before the answer', () => ''],
  ['in a header', (answer) => `${statusLine(answer)}Content-Ty`],
  ['in the body', (answer) => upTo(0.9, message(answer))],
];

const endings = [
  ['connection reset', 'reset'],
  ['connection closed', 'close'],
  ['nothing more sent', 'hang'],
] as const;

const interrupted: readonly Fault[] = endings.flatMap(([what, end]) =>
  places.map(([where, sent]) =>
    transport(
      `${what} ${where}`,
      (answer) => [sent(answer), end],
      end === 'hang' ? { timesOut: true } : {},
    ),
  ),
);

/** Faults of a connection that was accepted: it ends early, is slow, or has bytes behind the answer. */
export const connectionFaults: readonly Fault[] = [
  ...interrupted,
  transport('answer after 300 ms', (answer) => [{ pauseMs: 300 }, message(answer)]),
  transport(
    'a byte each 100 ms',
    function* (answer) {
      for (const byte of message(answer)) yield* [Buffer.of(byte), { pauseMs: 100 }];
    },
    { timesOut: true },
  ),
  transport('reset 50 ms after the answer', (answer) => [
    message(answer),
    { pauseMs: 50 },
    'reset',
  ]),
  transport('a second answer, status 500, behind the first', (answer) => [
    Buffer.concat([message(answer), message({ ...answer, status: 500, reason: 'Error' })]),
  ]),
  transport('1 MiB of text behind the answer', (answer) => [
    Buffer.concat([message(answer), Buffer.alloc(mebibyte, 'garbage ')]),
  ]),
];

/** The same answer with another status line. */
const startingWith = (name: string, line: (status: number) => string): Fault =>
  headed(name, (answer) => {
    const [, ...rest] = formatHead(answer, lengthFor(answer)).split(/(?<=\r\n)/);
    return line(answer.status) + rest.join('');
  });

/** The correct answer with further headers. */
const adding = (name: string, ...headers: readonly Header[]): Fault =>
  altered(name, (answer) => ({ headers: [...answer.headers, ...headers] }));

/** The correct answer with lines in its header section that may not be `name: value`. */
const inserting = (name: string, lines: string): Fault =>
  headed(
    name,
    (answer) =>
      `${statusLine(answer) + lines + fieldLines([...answer.headers, lengthFor(answer)])}\r\n`,
  );

/** Faults of what stands before the body. */
export const headerFaults: readonly Fault[] = [
  headed('HTTP/0.9: the body alone', () => ''),
  transport('1 KiB of zero bytes', () => [Buffer.alloc(1024)]),
  startingWith('status 1000', () => 'HTTP/1.1 1000 Odd\r\n'),
  startingWith('status line without a reason phrase', (status) => `HTTP/1.1 ${status}\r\n`),
  startingWith('version HTTP/1.0', (status) => `HTTP/1.0 ${status} OK\r\n`),
  startingWith(
    'reason phrase with escape sequences',
    (status) => `HTTP/1.1 ${status} \x1b[2J\x1b]0;x\x07\r\n`,
  ),
  adding('a header of 1 MiB', ['X-Large', 'x'.repeat(mebibyte)]),
  adding(
    '10,000 headers',
    ...Array.from({ length: 10_000 }, (_, index): Header => [`X-${index}`, '1']),
  ),
  transport('headers without end', function* (answer) {
    yield statusLine(answer);
    for (;;) yield 'X-More: 1\r\n'.repeat(100);
  }),
  inserting('a header without a colon', 'X-Odd\r\n'),
  inserting('a header with escape sequences', 'X-Odd: \x1b[31mred\r\n'),
  inserting('a header in UTF-8', `X-Odd: ${Buffer.from('naïve ☃').toString('latin1')}\r\n`),
  adding('Date in 1970', ['Date', 'Thu, 01 Jan 1970 00:00:00 GMT']),
  adding('Date that is garbled', ['Date', 'yesterday, 25:61']),
  adding('Location to another host', ['Location', 'http://127.0.0.1:1/elsewhere']),
  adding('Retry-After without status 429', ['Retry-After', '86400']),
  altered('no Content-Type', () => ({ headers: [] })),
  altered('Content-Type text/html', () => ({ headers: [['Content-Type', 'text/html']] })),
];

/** The correct body with these headers; the connection closes after it. */
const framed = (name: string, more: (answer: Answer) => readonly Header[]): Fault =>
  transport(name, (answer) => [formatHead(answer, ...more(answer)), answer.body, 'close']);

const chunk = (bytes: Buffer): Buffer =>
  Buffer.concat([Buffer.from(`${bytes.length.toString(16)}\r\n`), bytes, Buffer.from('\r\n')]);

/** The body in chunks, which these steps send. */
const chunked = (
  name: string,
  steps: (body: Buffer) => Iterable<Step>,
  more: Pick<Fault, 'timesOut'> = {},
): Fault =>
  transport(
    name,
    function* (answer) {
      yield formatHead(answer, ['Transfer-Encoding', 'chunked']);
      yield* steps(answer.body);
    },
    more,
  );

const last = '0\r\n\r\n';
const continued = 'HTTP/1.1 100 Continue\r\n\r\n';

/** Faults of where a message ends (RFC 9112 6 and 7), and interim answers (RFC 9110 15.2) before the correct one. */
export const framingFaults: readonly Fault[] = [
  framed('no Content-Length, ended by the close', () => []),
  transport(
    'no Content-Length, never closed',
    (answer) => [formatHead(answer), answer.body, 'hang'],
    {
      timesOut: true,
    },
  ),
  framed('Content-Length too large, then closed', ({ body }) => [
    ['Content-Length', `${body.length + 10}`],
  ]),
  framed('Content-Length that is not a number', () => [['Content-Length', 'many']]),
  framed('Content-Length twice, different', (answer) => [
    lengthFor(answer),
    ['Content-Length', '7'],
  ]),
  framed('Content-Length and chunked', (answer) => [
    lengthFor(answer),
    ['Transfer-Encoding', 'chunked'],
  ]),
  chunked('one chunk', (body) => [chunk(body), last]),
  chunked('chunks and trailers', (body) => [
    chunk(body),
    '0\r\nX-Trailer: 1\r\nDate: never\r\n\r\n',
  ]),
  chunked('a chunk size that is not hexadecimal', (body) => ['xyz\r\n', body, '\r\n', last]),
  chunked('no last chunk, then closed', (body) => [chunk(body), 'close']),
  chunked('no last chunk, never closed', (body) => [chunk(body), 'hang'], { timesOut: true }),
  chunked('chunks without end', function* () {
    for (;;) yield chunk(Buffer.alloc(1024, ' '));
  }),
  transport('100 Continue before the answer', (answer) => [continued, message(answer)]),
  transport(
    '100 Continue without end',
    function* () {
      for (;;) yield* [continued.repeat(10), { pauseMs: 10 }];
    },
    { timesOut: true },
  ),
  transport('101 to another protocol', () => [
    'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n\r\n',
    Buffer.alloc(64),
  ]),
];

/** A body with a Content-Encoding, which may not match it. */
const coded = (name: string, coding: string | undefined, code: (body: Buffer) => Buffer): Fault =>
  altered(name, ({ headers, body }) => ({
    headers: coding === undefined ? headers : [...headers, ['Content-Encoding', coding]],
    body: code(body),
  }));

/** Compressed when it is first sent, and kept: it takes a while. */
const once = (code: () => Buffer): (() => Buffer) => {
  let bytes: Buffer | undefined;
  return () => (bytes ??= code());
};

const bomb = once(() => gzipSync(Buffer.alloc(64 * mebibyte)));
// The highest quality, the default, takes a second, and as many bytes.
const brotliBomb = once(() =>
  brotliCompressSync(Buffer.alloc(64 * mebibyte), {
    params: { [constants.BROTLI_PARAM_QUALITY]: 4 },
  }),
);

/** Faults of the Content-Encoding (RFC 9110 8.4). */
export const codingFaults: readonly Fault[] = [
  coded('gzip', 'gzip', (body) => gzipSync(body)),
  coded('br', 'br', (body) => brotliCompressSync(body)),
  coded('gzip that is cut', 'gzip', (body) => gzipSync(body).subarray(0, -12)),
  coded('gzip of 64 MiB in 64 KiB', 'gzip', bomb),
  coded('br of 64 MiB in 100 bytes', 'br', brotliBomb),
  coded('says gzip, is plain', 'gzip', (body) => body),
  coded('says nothing, is gzip', undefined, (body) => gzipSync(body)),
  coded('says zstd, is binary', 'zstd', () => Buffer.from('28b52ffd04000000ff', 'hex')),
];
