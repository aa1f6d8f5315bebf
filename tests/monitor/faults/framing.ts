import {
  type Answer,
  type Fault,
  type Header,
  headOf,
  lengthOf,
  mebibyte,
  message,
  type Step,
  transport,
} from './fault.ts';

/** The correct body with these headers; the connection closes after it. */
const framed = (name: string, more: (answer: Answer) => readonly Header[]): Fault =>
  transport(name, (answer) => [headOf(answer, ...more(answer)), answer.body, 'close']);

const lengths: readonly Fault[] = [
  framed('no Content-Length, ended by the close', () => []),
  transport('no Content-Length, never closed', (answer) => [headOf(answer), answer.body, 'hang'], {
    timesOut: true,
  }),
  framed('Content-Length too large, then closed', ({ body }) => [
    ['Content-Length', `${body.length + 10}`],
  ]),
  transport(
    'Content-Length too large, never closed',
    (answer) => [
      headOf(answer, ['Content-Length', `${answer.body.length + 10}`]),
      answer.body,
      'hang',
    ],
    { timesOut: true },
  ),
  framed('Content-Length of 1 TiB, then closed', () => [['Content-Length', `${2 ** 40}`]]),
  framed('Content-Length of 40 digits', () => [['Content-Length', '9'.repeat(40)]]),
  framed('Content-Length that is negative', () => [['Content-Length', '-1']]),
  framed('Content-Length that is not a number', () => [['Content-Length', 'many']]),
  framed('Content-Length twice, the same', (answer) => [lengthOf(answer), lengthOf(answer)]),
  framed('Content-Length twice, different', (answer) => [
    lengthOf(answer),
    ['Content-Length', '7'],
  ]),
  framed('Content-Length and chunked', (answer) => [
    lengthOf(answer),
    ['Transfer-Encoding', 'chunked'],
  ]),
  framed('Transfer-Encoding that is unknown', () => [['Transfer-Encoding', 'rot13']]),
];

const chunk = (bytes: Buffer, extension = ''): Buffer =>
  Buffer.concat([
    Buffer.from(`${bytes.length.toString(16)}${extension}\r\n`),
    bytes,
    Buffer.from('\r\n'),
  ]);

/** The body in chunks, which these steps send. */
const chunked = (
  name: string,
  steps: (body: Buffer) => Iterable<Step>,
  more: Pick<Fault, 'timesOut'> = {},
): Fault =>
  transport(
    name,
    function* (answer) {
      yield headOf(answer, ['Transfer-Encoding', 'chunked']);
      yield* steps(answer.body);
    },
    more,
  );

const last = '0\r\n\r\n';

const chunks: readonly Fault[] = [
  chunked('one chunk', (body) => [chunk(body), last]),
  chunked('chunks of one byte', (body) => [
    Buffer.concat([...body].map((byte) => chunk(Buffer.of(byte)))),
    last,
  ]),
  chunked('a chunk with an extension', (body) => [chunk(body, ';a=1;b="2"'), last]),
  chunked('a chunk with an extension of 1 MiB', (body) => [
    chunk(body, `;a=${'x'.repeat(mebibyte)}`),
    last,
  ]),
  chunked('chunks and trailers', (body) => [
    chunk(body),
    '0\r\nX-Trailer: 1\r\nDate: never\r\n\r\n',
  ]),
  chunked('chunks and a trailer of 1 MiB', (body) => [
    chunk(body),
    `0\r\nX-Trailer: ${'x'.repeat(mebibyte)}\r\n\r\n`,
  ]),
  chunked('a chunk size that is not hexadecimal', (body) => ['xyz\r\n', body, '\r\n', last]),
  chunked('a chunk size that is negative', (body) => ['-5\r\n', body, '\r\n', last]),
  chunked('a chunk size of 17 digits', (body) => [`${'F'.repeat(17)}\r\n`, body, '\r\n', last]),
  chunked('a chunk longer than its size', (body) => ['2\r\n', body, '\r\n', last]),
  chunked('a chunk shorter than its size, then closed', (body) => ['fff\r\n', body, 'close']),
  chunked('no last chunk, then closed', (body) => [chunk(body), 'close']),
  chunked('no last chunk, never closed', (body) => [chunk(body), 'hang'], { timesOut: true }),
  chunked('chunks without end', function* () {
    for (;;) yield chunk(Buffer.alloc(1024, ' '));
  }),
];

const continued = (count: number): string => 'HTTP/1.1 100 Continue\r\n\r\n'.repeat(count);

/** Interim answers (RFC 9110 15.2) before the correct one. */
const interim: readonly Fault[] = [
  transport('100 Continue before the answer', (answer) => [continued(1), message(answer)]),
  {
    ...transport('100 Continue 1,000 times', (answer) => [continued(1000), message(answer)]),
    large: true,
  },
  transport(
    '100 Continue without end',
    function* () {
      for (;;) yield* [continued(10), { pauseMs: 10 }];
    },
    { timesOut: true },
  ),
  transport('100 Continue and nothing more', () => [continued(1), 'hang'], { timesOut: true }),
  transport('101 to another protocol', () => [
    'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n\r\n',
    Buffer.alloc(64),
  ]),
  transport('101 without a protocol', () => ['HTTP/1.1 101 Switching Protocols\r\n\r\n', 'hang'], {
    timesOut: true,
  }),
  transport('102 Processing before the answer', (answer) => [
    'HTTP/1.1 102 Processing\r\n\r\n',
    message(answer),
  ]),
  transport('103 Early Hints before the answer', (answer) => [
    'HTTP/1.1 103 Early Hints\r\nLink: <http://127.0.0.1:1/>; rel=preload\r\n\r\n',
    message(answer),
  ]),
  transport('199 before the answer', (answer) => ['HTTP/1.1 199 Odd\r\n\r\n', message(answer)]),
];

/** Faults of where a message ends (RFC 9112 6 and 7). */
export const framingFaults: readonly Fault[] = [...lengths, ...chunks, ...interim];
