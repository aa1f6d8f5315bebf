import {
  type Answer,
  altered,
  type Fault,
  fieldLines,
  type Header,
  headed,
  headOf,
  lengthOf,
  losing,
  mebibyte,
  statusLine,
  transport,
} from './fault.ts';

/** The same answer with another status line. */
const startingWith = (name: string, line: (answer: Answer) => string): Fault =>
  headed(
    name,
    (answer) =>
      line(answer) +
      headOf(answer, lengthOf(answer))
        .split(/(?<=\r\n)/)
        .slice(1)
        .join(''),
  );

const startLines: readonly Fault[] = [
  headed('HTTP/0.9: the body alone', () => ''),
  transport('HTTP/2 frames', () => [Buffer.from('00000c0400000000000003', 'hex')]),
  transport('HTTP/2 preface', () => ['PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n']),
  transport('an SSH banner', () => ['SSH-2.0-OpenSSH_9.2p1 Debian-2\r\n']),
  transport('a TLS alert', () => [Buffer.from('15030300020246', 'hex')]),
  transport('1 KiB of zero bytes', () => [Buffer.alloc(1024)]),
  transport('ten line ends and nothing else', () => ['\r\n'.repeat(10), 'close'], {
    violated: losing,
  }),
  startingWith('status 42', () => 'HTTP/1.1 42 Odd\r\n'),
  startingWith('status 1000', () => 'HTTP/1.1 1000 Odd\r\n'),
  startingWith('status -1', () => 'HTTP/1.1 -1 Odd\r\n'),
  startingWith('status line without a status', () => 'HTTP/1.1\r\n'),
  startingWith('version HTTP/3.7', ({ status }) => `HTTP/3.7 ${status} OK\r\n`),
  startingWith('version http/1.1 in small letters', ({ status }) => `http/1.1 ${status} OK\r\n`),
  startingWith('ICY in place of HTTP/1.1', ({ status }) => `ICY ${status} OK\r\n`),
  startingWith('status line without a reason phrase', ({ status }) => `HTTP/1.1 ${status}\r\n`),
  startingWith('version HTTP/1.0', ({ status }) => `HTTP/1.0 ${status} OK\r\n`),
  startingWith('a line end before the status line', (answer) => `\r\n${statusLine(answer)}`),
  startingWith(
    'reason phrase with escape sequences',
    ({ status }) => `HTTP/1.1 ${status} \x1b[2J\x1b]0;x\x07\r\n`,
  ),
  startingWith(
    'reason phrase of 1 MiB',
    ({ status }) => `HTTP/1.1 ${status} ${'x'.repeat(mebibyte)}\r\n`,
  ),
  transport('lines that end with LF alone', (answer) => [
    headOf(answer, lengthOf(answer)).replaceAll('\r', ''),
    answer.body,
  ]),
];

/** The correct answer with further headers. */
const adding = (name: string, ...headers: readonly Header[]): Fault =>
  altered(name, (answer) => ({ headers: [...answer.headers, ...headers] }));

/** The correct answer with lines in its header section that are not `name: value`. */
const inserting = (name: string, lines: string): Fault =>
  headed(
    name,
    (answer) =>
      `${statusLine(answer) + lines + fieldLines([...answer.headers, lengthOf(answer)])}\r\n`,
  );

const headers: readonly Fault[] = [
  adding('a header of 1 MiB', ['X-Large', 'x'.repeat(mebibyte)]),
  adding(
    '10,000 headers',
    ...Array.from({ length: 10_000 }, (_, index): Header => [`X-${index}`, '1']),
  ),
  adding(
    '200 cookies',
    ...Array.from({ length: 200 }, (_, index): Header => ['Set-Cookie', `c${index}=1`]),
  ),
  transport('headers without end', function* (answer) {
    yield statusLine(answer);
    for (;;) yield 'X-More: 1\r\n'.repeat(100);
  }),
  inserting('a header without a colon', 'X-Odd\r\n'),
  inserting('a header without a name', ': odd\r\n'),
  inserting('a header name with a space', 'X Odd: 1\r\n'),
  inserting('a header on two lines', 'X-Odd: 1\r\n  2\r\n'),
  inserting('a header with a zero byte', 'X-Odd: a\0b\r\n'),
  inserting('a header with a bare CR', 'X-Odd: a\rSet-Cookie: b=1\r\n'),
  inserting('a header with escape sequences', 'X-Odd: \x1b[31mred\r\n'),
  inserting('a header in UTF-8', `X-Odd: ${Buffer.from('naïve ☃').toString('latin1')}\r\n`),
  adding('an odd WWW-Authenticate', ['WWW-Authenticate', 'Bearer realm="a\\"b", error==, ,Basic']),
  adding('Date in 1970', ['Date', 'Thu, 01 Jan 1970 00:00:00 GMT']),
  adding('Date in 9999', ['Date', 'Fri, 31 Dec 9999 23:59:59 GMT']),
  adding('Date that is garbled', ['Date', 'yesterday, 25:61']),
  adding('Date twice', ['Date', 'Thu, 01 Jan 1970 00:00:00 GMT'], ['Date', 'never']),
  adding('Location to another host', ['Location', 'http://127.0.0.1:1/elsewhere']),
  adding(
    'Link, Refresh and Alt-Svc to another host',
    ['Link', '<http://127.0.0.1:1/>; rel=preload'],
    ['Refresh', '0; url=http://127.0.0.1:1/'],
    ['Alt-Svc', 'h2="127.0.0.1:1"'],
  ),
  adding('Retry-After without status 429', ['Retry-After', '86400']),
  altered('no Content-Type', () => ({ headers: [] })),
  altered('Content-Type text/html', () => ({ headers: [['Content-Type', 'text/html']] })),
  altered('Content-Type with charset=utf-16', () => ({
    headers: [['Content-Type', 'application/json; charset=utf-16']],
  })),
];

/** Faults of what stands before the body. */
export const headerFaults: readonly Fault[] = [...startLines, ...headers];
