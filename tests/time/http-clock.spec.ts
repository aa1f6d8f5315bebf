import http from 'node:http';
import type net from 'node:net';
import { test as base, expect } from '@playwright/test';
import * as v from 'valibot';
import { clockHeaders } from '../../config/accepted.ts';
import { ClockError } from '../../contract/time/clock.ts';
import { httpClock } from '../../contract/time/http-clock.ts';
import { listening } from '../client/stage.ts';

type Handler = (
  request: http.IncomingMessage,
  body: string,
) => { status?: number; body?: string; headers?: http.OutgoingHttpHeaders };

const test = base.extend<{ raise: (server: net.Server) => Promise<URL> }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of the fixtures from it.
  raise: async ({}, use) => {
    const servers: net.Server[] = [];
    await use(async (server) => {
      servers.push(server);
      return new URL('/test/clock?key=private', await listening(server));
    });
    for (const server of servers) server.close();
  },
});

/** A server of a test clock that records its requests. */
function clockServer(handle: Handler): { server: http.Server; requests: string[] } {
  const requests: string[] = [];
  const server = http.createServer(async (request, response) => {
    const body = (await request.toArray()).join('');
    requests.push(`${request.method} ${request.url} ${body}`);
    const answer = handle(request, body);
    response.writeHead(answer.status ?? 200, answer.headers).end(answer.body ?? '{}');
  });
  return { server, requests };
}

const at = Date.parse('2026-03-01T12:00:00.250Z');
const bounds = { timeoutMs: 10_000 };

test('a clock is read, set and released over one connection, with its headers', async ({
  raise,
}) => {
  const sent: unknown[] = [];
  const { server, requests } = clockServer(({ headers }) => {
    sent.push([headers['content-type'], headers.authorization]);
    return { body: '{"now":"2026-03-01T13:00:00.250+01:00"}' };
  });
  let connections = 0;
  server.on('connection', () => (connections += 1));
  const headers = v.parse(clockHeaders, '{"Authorization":"Bearer of-the-clock"}');
  const clock = httpClock(await raise(server), { ...bounds, headers });
  expect(await clock.read()).toBe(at);
  await clock.set(at);
  await clock.release();
  expect(requests).toEqual([
    'GET /test/clock?key=private ',
    'PUT /test/clock?key=private {"now":"2026-03-01T12:00:00.250Z"}',
    'DELETE /test/clock?key=private ',
  ]);
  expect(connections).toBe(1);
  // Only a request with a body names its type: some servers refuse another one.
  const types = [undefined, 'application/json', undefined];
  expect(sent).toEqual(types.map((type) => [type, 'Bearer of-the-clock']));
});

const unreadable: [what: string, body: string][] = [
  ['no JSON', 'now'],
  ['nothing', ''],
  ['a text', '"2026-03-01T12:00:00Z"'],
  ['another field', '{"time":"2026-03-01T12:00:00Z"}'],
  ['a number', `{"now":${at}}`],
  ['null', '{"now":null}'],
  ['no date', '{"now":"soon, on 5"}'],
  ['a date that is none', '{"now":"2026-13-41T12:00:00Z"}'],
  ['a time without a zone', '{"now":"2026-03-01T12:00:00"}'],
];

const notRead = 'GET did not answer {"now": "<ISO 8601>"}';

for (const [what, body] of unreadable)
  test(`a clock that answers ${what} cannot be read`, async ({ raise }) => {
    const url = await raise(clockServer(() => ({ body })).server);
    const error = new ClockError(`test clock ${url.origin}/test/clock: ${notRead}`);
    await expect(httpClock(url, bounds).read()).rejects.toThrow(error);
  });

test('a clock that refuses is reported in one line, without its query', async ({ raise }) => {
  for (const status of [302, 404, 405, 500]) {
    const url = await raise(clockServer(() => ({ status })).server);
    const clock = httpClock(url, bounds);
    const works = { GET: clock.read(), PUT: clock.set(at), DELETE: clock.release() };
    for (const [method, work] of Object.entries(works))
      await expect(work).rejects.toThrow(
        new ClockError(`test clock ${url.origin}/test/clock: ${method} answered ${status}`),
      );
  }
});

test('a clock that fails once is requested again, and after thrice no more', async ({ raise }) => {
  let failures = 2;
  const times: number[] = [];
  const { server, requests } = clockServer(() => {
    times.push(performance.now());
    failures -= 1;
    return failures < 0 ? { body: '{"now":"2026-03-01T12:00:00.250Z"}' } : { status: 502 };
  });
  const clock = httpClock(await raise(server), bounds);
  expect(await clock.read()).toBe(at);
  // A proxy that restarts fails for a moment.
  const [, second = 0, third = 0] = times;
  expect(third - second).toBeGreaterThan(200);
  failures = 3;
  await expect(clock.read()).rejects.toThrow(/GET answered 502/);
  expect(requests).toHaveLength(6);
  await clock.release();
});
