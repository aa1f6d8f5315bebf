import { expect, test } from '@playwright/test';
import { serving } from './serving.ts';
import { statusWith } from './statuses.ts';

test('every route answers with its media type', async () => {
  const { get } = serving();
  for (const [path, type] of [
    ['/', 'text/html; charset=UTF-8'],
    ['/status.json', 'application/json'],
    ['/targets/under-test', 'text/html; charset=UTF-8'],
    ['/metrics', 'text/plain; version=0.0.4; charset=utf-8'],
    ['/probe?target=under-test', 'text/plain; version=0.0.4; charset=utf-8'],
    ['/sd', 'application/json'],
    ['/badge/under-test.json', 'application/json'],
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

test('every answer, including errors, has the same security headers', async () => {
  const { get } = serving();
  for (const response of [
    await get('/'),
    await get('/metrics'),
    await get('/nowhere'),
    await get('/', { method: 'POST' }),
    await get('/', { method: 'POST', body: 'x', headers: { 'Content-Length': '1' } }),
    await get('/badge/under-test.json'),
  ]) {
    const policy = response.headers.get('Content-Security-Policy') ?? '';
    expect(policy).toContain("default-src 'none'");
    expect(policy).not.toMatch(/unsafe|script|connect/);
    expect(response.headers.get('X-Content-Type-Options')).toBe('nosniff');
    expect(response.headers.get('Referrer-Policy')).toBe('no-referrer');
    expect(response.headers.get('X-Frame-Options')).toBe('DENY');
    expect(response.headers.get('Cache-Control')).toBe('no-store');
  }
});

test('the style sheet has what all pages have in common, and what is its own, and needs nothing else', async () => {
  const style = await (await serving().get('/style.css')).text();
  expect(style).toContain('--paper:');
  expect(style).toContain('.targets .strip');
  expect(style).not.toMatch(/@import|url\(/);
});

test('the page contains no scripts, and no inline styles', async () => {
  for (const path of ['/', '/targets/under-test']) {
    const html = await (await serving().get(path)).text();
    expect(html).not.toMatch(/<script|<style|style=|javascript:|\son\w+=/i);
  }
});

test('an unknown path is 404, with a list of the routes', async () => {
  const response = await serving().get('/%2e%2e/etc/passwd?x=<b>');
  expect(response.status).toBe(404);
  expect(await response.text()).toBe(
    'Not found. There is / /targets/NAME /status.json /badge/NAME.json /style.css /icon.svg /metrics /probe /sd /-/healthy /-/ready /-/reload\n',
  );
});

test('methods other than GET and HEAD are not allowed', async () => {
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

test('a request with a body is refused before the body is read', async () => {
  const { get } = serving();
  const headers = { 'Content-Length': '1000000' };
  expect((await get('/', { method: 'POST', headers })).status).toBe(413);
  expect((await get('/', { headers: { 'Transfer-Encoding': 'chunked' } })).status).toBe(413);
});

test('scrapes within a second share one text', async () => {
  const { get, rendered } = serving({}, { time: { monotonic: () => 0, after: () => () => {} } });
  const texts = await Promise.all([1, 2, 3].map(async () => (await get('/metrics')).text()));
  expect(texts).toEqual(['rendered 1\n', 'rendered 1\n', 'rendered 1\n']);
  expect(rendered()).toBe(1);
});

test('the monitor is healthy and not ready during its shutdown', async () => {
  const { get, become } = serving();
  become({ ...statusWith([]), draining: true });
  expect((await get('/-/healthy')).status).toBe(200);
  const ready = await get('/-/ready');
  expect([ready.status, await ready.text()]).toEqual([503, 'stopping\n']);
});

test('the page is reloaded each minute, or as its reader requests', async () => {
  const { get } = serving();
  const refresh = async (path: string) => (await get(path)).headers.get('Refresh');
  expect(await refresh('/')).toBe('60');
  expect(await refresh('/targets/under-test')).toBe('60');
  expect(await refresh('/?refresh=30')).toBe('30');
  for (const never of ['0', '-1', '1;url=http://elsewhere.example', 'x', '100000'])
    expect(await refresh(`/?refresh=${encodeURIComponent(never)}`)).toBeNull();
  expect(await refresh('/status.json')).toBeNull();
});

test('a defect while rendering a page reveals nothing', async () => {
  const { get } = serving({
    status: () => {
      throw new Error('planted detail');
    },
  });
  const response = await get('/');
  expect([response.status, await response.text()]).toEqual([
    500,
    'The monitor has a defect: see its log.\n',
  ]);
});

test('the last results are found by name, and a module of blackbox_exporter changes nothing', async () => {
  const { get } = serving();
  const text = async (query: string) => (await get(`/probe?${query}`)).text();
  expect(await text('target=under-test')).toBe('under-test all\n');
  expect(await text('module=http_2xx&target=under-test')).toBe('under-test all\n');
  expect(await text('target=under-test&probe=opens')).toBe('under-test opens\n');
  for (const [query, status] of [
    ['', 400],
    ['target=http://127.0.0.1:1/', 404],
    ['target=under-test&probe=nothing', 404],
    ['target=', 404],
  ] as const) {
    const response = await get(`/probe?${query}`);
    expect([query, response.status]).toEqual([query, status]);
    expect(await response.text()).toMatch(/^[^\n]+\n$/);
  }
});

test('an unknown target is 404, and its name is not repeated', async () => {
  const { get } = serving();
  for (const path of ['/targets/%3Cb%3E', '/badge/%3Cb%3E.json', '/probe?target=%3Cb%3E']) {
    const response = await get(path);
    expect([path, response.status]).toEqual([path, 404]);
    expect(await response.text()).not.toContain('<b>');
  }
});

test('Prometheus discovers each target here, with its labels and its name as instance', async () => {
  const { get, become } = serving();
  const [target] = statusWith([]).targets;
  if (target === undefined) throw new Error('no target');
  const labels = { team: 'payments', instance: 'x', __address__: 'elsewhere.example' };
  become({
    ...statusWith([]),
    targets: [
      { ...target, name: 'one' },
      { ...target, name: 'two', labels },
    ],
  });
  const response = await get('http://monitor.example:9797/sd');
  const params = (name: string) => ({ __metrics_path__: '/probe', __param_target: name });
  expect(await response.json()).toEqual([
    { targets: ['monitor.example:9797'], labels: { instance: 'one', ...params('one') } },
    {
      targets: ['monitor.example:9797'],
      labels: { team: 'payments', instance: 'two', ...params('two') },
    },
  ]);
});

test('the targets file is loaded again, or the error is reported in one line', async () => {
  const results = [
    { ok: true, line: '2 targets' },
    { ok: false, line: 'monitor.yaml:3:1: wrong' },
  ];
  const { get } = serving({ reload: async () => results.shift() ?? { ok: true, line: '' } });
  const post = async (headers: Record<string, string> = {}) => {
    const response = await get('http://localhost:9797/-/reload', { method: 'POST', headers });
    return [response.status, await response.text()];
  };
  const origin = (Origin: string) => ({ Origin });
  expect(await post(origin('http://elsewhere.example'))).toEqual([
    403,
    'Cross-site requests are refused.\n',
  ]);
  expect(await post(origin('null'))).toEqual([403, 'Cross-site requests are refused.\n']);
  expect(await post(origin('http://localhost:9797'))).toEqual([200, '2 targets\n']);
  expect(await post()).toEqual([422, 'monitor.yaml:3:1: wrong\n']);
  const response = await get('/-/reload');
  expect([response.status, response.headers.get('Allow')]).toEqual([405, 'POST']);
});

test('a reload without a targets file is refused', async () => {
  const response = await serving().get('/-/reload', { method: 'POST' });
  expect([response.status, await response.text()]).toEqual([
    404,
    'There is no targets file to reload: set MONITOR_CONFIG.\n',
  ]);
});

test('frequent requests are answered without rendering the whole status', async () => {
  const status = () => {
    throw new Error('asked for all');
  };
  const targets = [{ name: 'under-test', state: 'holds' as const }];
  const { get } = serving({ status, brief: () => ({ draining: false, targets }) });
  for (const path of ['/-/ready', '/-/healthy', '/sd', '/badge/under-test.json', '/metrics'])
    expect([path, (await get(path)).status]).toEqual([path, 200]);
});
