import { body, saying } from './bodies.ts';
import { type Fault, headOf, mebibyte, transport } from './fault.ts';

const arrays = '['.repeat(100_000) + ']'.repeat(100_000);

/** The depth also affects code that compares answers, or that prints a member. */
const deepMember = body(
  '100,000 arrays in a further member',
  (text) => text.replace('{', `{"deep":${arrays},`),
  {},
);

/** Members as JSON, behind those of an envelope. */
const behind = (text: string, members: string): string => text.replace(/}$/, `,${members}}`);

const manyMembers = Array.from({ length: 80_000 }, (_, index) => `"m${index}":1`).join();

const spacesInChunks = Buffer.from('1\r\n \r\n'.repeat(mebibyte / 16));

/** The server accepts a token also with any number of these characters after it. */
export const longTokenEnd = 'x';

const accepted: readonly Fault[] = [
  body('100,000 arrays in the message', (text) =>
    text.replace(/"message":"[^"]*"/, `"message":${arrays}`),
  ),
  saying('message of 1 MB', 'x'.repeat(1_000_000)),
  saying('message of 1 MB of escaped characters', '%41&amp;\\'.repeat(80_000)),
  body('member name of 1 MB', (text) => behind(text, `"${'n'.repeat(1_000_000)}":1`), {}),
  body('80,000 members', (text) => behind(text, manyMembers), {}),
  {
    ...body(
      'token of 1 MB',
      (text) => text.replace(/(?="}}$)/, longTokenEnd.repeat(1_000_000)),
      {},
    ),
    kinds: ['token'],
  },
  body('900 KB of spaces before the JSON', (text) => ' '.repeat(900_000) + text, {}),
  transport('64 KiB in chunks of one byte', (answer) => [
    headOf(answer, ['Transfer-Encoding', 'chunked']),
    spacesInChunks,
    `${answer.body.length.toString(16)}\r\n`,
    answer.body,
    '\r\n0\r\n\r\n',
  ]),
];

const beyondBounds: readonly Fault[] = [
  body('2 MiB of spaces before the JSON', (text) => ' '.repeat(2 * mebibyte) + text, {}),
  transport('a body without end', function* (answer) {
    yield headOf(answer);
    for (;;) yield Buffer.alloc(65_536, ' ');
  }),
];

/** Bodies that are the most expensive to read. */
export const largeFaults: readonly Fault[] = [
  deepMember,
  ...[...accepted, ...beyondBounds].map((fault): Fault => ({ ...fault, large: true })),
];
