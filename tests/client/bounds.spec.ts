import { gzipSync } from 'node:zlib';
import { type Behaviour, expect, limit, ok, outcome, send, test } from './stage.ts';

/** Writes without end, as fast as the client reads. */
const flood =
  (head: string, piece: string | Buffer): Behaviour =>
  (socket) => {
    socket.write(head);
    const pour = (): void => {
      while (socket.writable && socket.write(piece));
    };
    socket.on('drain', pour);
    pour();
  };

/** Writes a small piece every ten milliseconds, without end. */
const drip =
  (head: string, piece: string): Behaviour =>
  (socket) => {
    socket.write(head);
    const timer = setInterval(() => socket.write(piece), 10);
    socket.on('close', () => clearInterval(timer));
  };

const compressed = (coding: string, body: Buffer): Buffer =>
  Buffer.concat([
    Buffer.from(`HTTP/1.1 200 OK\r\nContent-Encoding: ${coding}\r\n`),
    Buffer.from(`Content-Length: ${body.length}\r\n\r\n`),
    body,
  ]);

test('an answer of the maximum size is read, and one byte more is too-large', async ({ raise }) => {
  const size = async (bytes: number): Promise<string> => {
    const stage = await raise((socket) => socket.end(ok('x'.repeat(bytes))));
    return outcome(send(stage, {}, { maxBodyBytes: 1000 }));
  };
  expect(await size(1000)).toBe('200');
  expect(await size(1001)).toBe('too-large');
});

test('the limit counts after decompression', async ({ raise }) => {
  const size = async (bytes: number): Promise<string> => {
    const sent = compressed('gzip', gzipSync('x'.repeat(bytes)));
    return outcome(send(await raise((socket) => socket.end(sent)), {}, { maxBodyBytes: 1000 }));
  };
  expect(await size(1000)).toBe('200');
  expect(await size(1001)).toBe('too-large');
});

test('headers that never end are reported as too-large within a second', async ({ raise }) => {
  const stage = await raise(flood('HTTP/1.1 200 OK\r\n', `X: ${'y'.repeat(1000)}\r\n`));
  expect(await outcome(send(stage))).toBe('too-large');
});

const slow: [what: string, behave: Behaviour][] = [
  ['headers that come drop by drop', drip('HTTP/1.1 200 OK\r\n', 'X: y\r\n')],
  ['a body that never comes', (socket) => socket.write(ok('{}').slice(0, -2))],
];

for (const [what, behave] of slow)
  test(`${what} is a timeout, because the timeout covers the whole exchange`, async ({ raise }) => {
    const stage = await raise(behave);
    const startedAt = performance.now();
    expect(await outcome(send(stage, {}, { timeoutMs: 150 }))).toBe('timeout');
    expect(performance.now() - startedAt).toBeGreaterThan(140);
  });

/** What keeps a process running: its sockets, timers and zlib streams. */
const held = (): string[] =>
  process.getActiveResourcesInfo().filter((kind) => /^(TCPSocket|TLS|Timeout|Zlib)/i.test(kind));

const endless = flood('HTTP/1.1 200 OK\r\n\r\n', Buffer.alloc(65_536));
const large = compressed('gzip', gzipSync(Buffer.alloc(limit + 1)));

const bounds: [what: string, expected: string, behave: Behaviour][] = [
  ['an answer on a connection that stays open', '200', (socket) => socket.write(ok('{}'))],
  ['a reset', 'reset', (socket) => socket.resetAndDestroy()],
  ['a body without an end', 'too-large', endless],
  ['a bomb', 'too-large', (socket) => socket.write(large)],
  ['silence', 'timeout', () => {}],
];

test.describe('nothing stays open after', () => {
  for (const [what, expected, behave] of bounds)
    test(what, async ({ raise }) => {
      const stage = await raise(behave);
      const before = held();
      const timeoutMs = expected === 'timeout' ? 100 : 10_000;
      expect(await outcome(send(stage, {}, { timeoutMs }))).toBe(expected);
      const timers = (kinds: string[]) => kinds.filter((kind) => kind === 'Timeout');
      expect(timers(held()).length).toBeLessThanOrEqual(timers(before).length);
      await expect.poll(() => stage.connections).toEqual({ ever: 1, open: 0 });
      const others = (kinds: string[]) => kinds.filter((kind) => kind !== 'Timeout');
      await expect.poll(() => others(held())).toEqual(others(before));
    });
});
