import net from 'node:net';
import { expect, test } from '@playwright/test';
import { listen, routes } from '../../monitor/server.ts';
import type { Status } from '../../monitor/status.ts';
import { statusWith } from './statuses.ts';

/** Routes over a status that a test may replace, and a count of scrapes. */
function serving(first: Status = statusWith([])) {
  let status = first;
  let rendered = 0;
  const app = routes({
    status: () => status,
    metrics: {
      contentType: 'text/plain; version=0.0.4; charset=utf-8',
      text: async () => `rendered ${++rendered}\n`,
    },
  });
  return {
    get: (path: string, init: RequestInit = {}) => app.request(path, init),
    become(other: Status) {
      status = other;
    },
    rendered: () => rendered,
  };
}

test('every route answers, with the media type of what it is', async () => {
  const { get } = serving();
  for (const [path, type] of [
    ['/', 'text/html; charset=UTF-8'],
    ['/status.json', 'application/json'],
    ['/metrics', 'text/plain; version=0.0.4; charset=utf-8'],
    ['/style.css', 'text/css'],
    ['/icon.svg', 'image/svg+xml'],
    ['/-/healthy', 'text/plain; charset=UTF-8'],
    ['/-/ready', 'text/plain; charset=UTF-8'],
  ] as const) {
    const response = await get(path);
    expect([path, response.status, response.headers.get('Content-Type')]).toEqual([
      path,
      200,
      type,
    ]);
  }
});

test('every answer, also an error, is guarded by the same headers', async () => {
  const { get } = serving();
  for (const response of [
    await get('/'),
    await get('/metrics'),
    await get('/nowhere'),
    await get('/', { method: 'POST' }),
    await get('/', { method: 'POST', body: 'x', headers: { 'Content-Length': '1' } }),
  ]) {
    const policy = response.headers.get('Content-Security-Policy') ?? '';
    expect(policy).toContain("default-src 'none'");
    expect(policy).not.toContain('unsafe');
    expect(response.headers.get('X-Content-Type-Options')).toBe('nosniff');
    expect(response.headers.get('Referrer-Policy')).toBe('no-referrer');
    expect(response.headers.get('X-Frame-Options')).toBe('DENY');
    expect(response.headers.get('Cache-Control')).toBe('no-store');
  }
});

test('nothing on the page is inline', async () => {
  const html = await (await serving().get('/')).text();
  expect(html).not.toMatch(/<script|<style|style=|javascript:|\son\w+=/i);
});

test('an unknown path is not found, and hears what there is', async () => {
  const response = await serving().get('/%2e%2e/etc/passwd?x=<b>');
  expect(response.status).toBe(404);
  expect(await response.text()).toBe(
    'Not found. There is / /status.json /metrics /style.css /icon.svg /-/healthy /-/ready\n',
  );
});

test('another method than GET and HEAD is not allowed', async () => {
  const { get } = serving();
  for (const method of ['POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS']) {
    const response = await get('/metrics', { method });
    expect([method, response.status, response.headers.get('Allow')]).toEqual([
      method,
      405,
      'GET, HEAD',
    ]);
  }
  const head = await get('/metrics', { method: 'HEAD' });
  expect([head.status, await head.text()]).toEqual([200, '']);
});

test('a request with a body is refused before anybody reads it', async () => {
  const { get } = serving();
  const headers = { 'Content-Length': '1000000' };
  expect((await get('/', { method: 'POST', headers })).status).toBe(413);
  expect((await get('/', { headers: { 'Transfer-Encoding': 'chunked' } })).status).toBe(413);
});

test('scrapes within a second share one text', async () => {
  const { get, rendered } = serving();
  const texts = await Promise.all([1, 2, 3].map(async () => (await get('/metrics')).text()));
  expect(texts).toEqual(['rendered 1\n', 'rendered 1\n', 'rendered 1\n']);
  expect(rendered()).toBe(1);
});

test('while the monitor is being stopped it is healthy and not ready', async () => {
  const { get, become } = serving();
  become({ ...statusWith([]), draining: true });
  expect((await get('/-/healthy')).status).toBe(200);
  const ready = await get('/-/ready');
  expect([ready.status, await ready.text()]).toEqual([503, 'stopping\n']);
});

test('the page stays as it is unless its reader asks for a refresh', async () => {
  const { get } = serving();
  const refresh = async (path: string) => (await get(path)).headers.get('Refresh');
  expect(await refresh('/')).toBeNull();
  expect(await refresh('/?refresh=30')).toBe('30');
  for (const wrong of ['0', '-1', '1;url=http://elsewhere.example', 'x', '100000'])
    expect(await refresh(`/?refresh=${encodeURIComponent(wrong)}`)).toBeNull();
});

test('a defect while a page is made gives nothing away', async () => {
  const app = routes({
    status: () => {
      throw new Error('planted detail');
    },
    metrics: { contentType: 'text/plain', text: async () => '' },
  });
  const response = await app.request('/');
  expect([response.status, await response.text()]).toEqual([
    500,
    'The monitor has a defect: see its log.\n',
  ]);
});

test.describe('on a socket', () => {
  const served = {
    status: () => statusWith([]),
    metrics: { contentType: 'text/plain', text: async () => '' },
  };

  test('headers beyond 8 KiB are refused', async () => {
    const listening = await listen(served, { host: '127.0.0.1', port: 0 });
    const answer = await raw(
      listening.page,
      `GET /?${'x'.repeat(9_000)} HTTP/1.1\r\nHost: a\r\n\r\n`,
    );
    await listening.close();
    expect(answer).toMatch(/^HTTP\/1\.1 431 /);
  });

  test('a body is refused and its connection closed', async () => {
    const listening = await listen(served, { host: '127.0.0.1', port: 0 });
    const answer = await raw(
      listening.page,
      'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 10000000\r\n\r\nabc',
    );
    await listening.close();
    expect(answer).toMatch(/^HTTP\/1\.1 413 /);
  });

  test('an IPv6 address stands in brackets', async () => {
    const listening = await listen(served, { host: '::1', port: 0 });
    await listening.close();
    expect(listening.metrics.href).toMatch(/^http:\/\/\[::1\]:\d+\/metrics$/);
  });
});

/** Sends bytes, and reads what comes back until the connection is closed. */
function raw({ hostname, port }: URL, bytes: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = '';
    const socket = net.connect(Number(port), hostname, () => socket.write(bytes));
    socket.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk;
    });
    socket.on('close', () => resolve(text)).on('error', reject);
  });
}
