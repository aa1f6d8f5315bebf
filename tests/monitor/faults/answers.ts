import {
  type Answer,
  altered,
  type Fault,
  formatHead,
  type Header,
  mebibyte,
  type RequestKind,
  transport,
  withMembers,
} from './fault.ts';

/** The server counts requests to this path: the monitor follows no redirect. */
export const redirectPath = '/elsewhere';

/** A page of a proxy or a framework, like real ones. */
const page = (status: number, reason: string, ...headers: readonly Header[]): Partial<Answer> => ({
  status,
  reason,
  headers: [['Content-Type', 'text/html'], ...headers],
  body: Buffer.from(
    `<html><title>${status} ${reason}</title><body><h1>${reason}</h1></body></html>`,
  ),
});

const withPage = [200, 400, 401, 403, 404, 414, 500, 503, 504].map((status) =>
  altered(`status ${status} with a page`, () => page(status, 'Odd')),
);

/** The correct body under another status. */
const withCorrectBody = [200, 401, 403].map((status) =>
  altered(`status ${status} with the correct body`, () => ({ status, reason: 'Odd' })),
);

const withoutBody = [204, 304].map((status) =>
  transport(`status ${status} without a body`, () => [`HTTP/1.1 ${status} Odd\r\n\r\n`, 'close']),
);

const redirects = (
  [
    [302, 'http://127.0.0.1:1/'],
    [307, redirectPath],
  ] as const
).map(([status, to]) =>
  altered(`status ${status} to ${to}`, () => page(status, 'Moved', ['Location', to])),
);

const rateLimits = [
  ['without Retry-After'],
  ['with Retry-After: 0', '0'],
  ['with Retry-After: soon', 'soon'],
  ['with Retry-After of 40 digits', '9'.repeat(40)],
  ['with Retry-After in 9999', 'Fri, 31 Dec 9999 23:59:59 GMT'],
].map(([what = '', value]) => {
  const headers: Header[] = value === undefined ? [] : [['Retry-After', value]];
  return altered(`status 429 ${what}`, () => page(429, 'Too Many', ...headers));
});

/** Complete answers under another status. */
export const statusFaults: readonly Fault[] = [
  ...withPage,
  ...withCorrectBody,
  ...withoutBody,
  ...redirects,
  ...rateLimits,
];

/** Another body with the correct status. */
const body = (
  name: string,
  text: string | ((text: string, answer: Answer) => string | Buffer),
  kinds?: readonly RequestKind[],
): Fault => ({
  ...altered(name, (answer) => ({
    body: Buffer.from(typeof text === 'function' ? text(answer.body.toString(), answer) : text),
  })),
  ...(kinds && { kinds }),
});

/** The envelope with these members in addition or instead. */
const member = (
  name: string,
  members: Readonly<Record<string, unknown>>,
  kinds?: readonly RequestKind[],
): Fault => body(name, (_, answer) => withMembers(answer, members), kinds);

/** Another token, in an answer that is correct otherwise. */
const granting = (name: string, accessToken: unknown): Fault =>
  member(name, { data: { accessToken } }, ['token']);

/** Faults of what a complete message carries. */
export const bodyFaults: readonly Fault[] = [
  body('empty body', ''),
  body('an HTML page', '<!doctype html><title>Welcome</title><p>It works!'),
  body('an array', (text) => `[${text}]`),
  body('null', 'null'),
  body('JSON that is cut', (text) => text.slice(0, -3)),
  body('JSON with text behind it', (text) => `${text} ok`),
  body('JSON with a zero byte behind it', (text) => `${text}\0`),
  body('UTF-16', (text) => Buffer.from(`\ufeff${text}`, 'utf16le')),
  body('bytes that are not UTF-8', (text) =>
    Buffer.from(text.replace('{', '{"\xff":1,'), 'latin1'),
  ),
  body('JSON behind a byte order mark', (text) => `\ufeff${text}`),
  body('JSON with a name twice', (text) => text.replace('{', '{"success":"no","success":null,')),
  member('a further member', { extra: [1, { a: null }] }),
  body('a member __proto__', (text) => text.replace('{', '{"__proto__":{"success":1},')),
  member('a further member with control characters', { '\x1b[2J\0': '\u202e\x07' }),
  body('success is a string', (text) => text.replace(/"success":(\w+)/, '"success":"$1"')),
  member('success is missing', { success: undefined }),
  member('message is missing', { message: undefined }),
  member('message that is empty', { message: '' }),
  member('message in another language', { message: 'Недействительный токен' }),
  member('message with escape sequences', { message: '\x1b]0;x\x07\x1b[2J\x1b[31mInvalid' }),
  member('message with line ends and a header', {
    message: 'no\r\nSet-Cookie: a=b\r\n\r\n<script>',
  }),
  member('message with markup', { message: '<img src=x onerror=alert(1)>"\'&</td>' }),
  member('message with half a surrogate pair', { message: '\ud800' }),
  granting('token that is empty', ''),
  granting('token that is null', null),
  granting('token with a space', 'two words'),
  granting('token with a line end', 'a\r\nX-Injected: 1'),
  granting('token with half a surrogate pair', 'a\ud800b'),
  member('no data', { data: undefined }, ['token']),
];

const arrays = '['.repeat(100_000) + ']'.repeat(100_000);
const manyMembers = Array.from({ length: 80_000 }, (_, index) => `"m${index}":1`).join();
const spacesInChunks = Buffer.from('1\r\n \r\n'.repeat(mebibyte / 16));

/** The server accepts a token also with any number of these characters after it. */
export const longTokenEnd = 'x';
const longToken = longTokenEnd.repeat(1_000_000);

/** Bodies that are the most expensive to read, compare or print. */
export const largeFaults: readonly Fault[] = [
  body('100,000 arrays in a further member', (text) => text.replace('{', `{"deep":${arrays},`)),
  ...[
    body('100,000 arrays in the message', (text) =>
      text.replace(/"message":"[^"]*"/, `"message":${arrays}`),
    ),
    member('message of 1 MB', { message: 'x'.repeat(1_000_000) }),
    body('80,000 members', (text) => text.replace(/}$/, `,${manyMembers}}`)),
    body('token of 1 MB', (text) => text.replace(/(?="}}$)/, longToken), ['token']),
    transport('64 KiB in chunks of one byte', (answer) => [
      formatHead(answer, ['Transfer-Encoding', 'chunked']),
      spacesInChunks,
      `${answer.body.length.toString(16)}\r\n`,
      answer.body,
      '\r\n0\r\n\r\n',
    ]),
    body('2 MiB of spaces before the JSON', (text) => ' '.repeat(2 * mebibyte) + text),
    transport('a body without end', function* (answer) {
      yield formatHead(answer);
      for (;;) yield Buffer.alloc(65_536, ' ');
    }),
  ].map((fault): Fault => ({ ...fault, large: true })),
];
