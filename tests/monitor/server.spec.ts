import { expect, test } from '@playwright/test';
import { Secret } from '../../contract/secrets/secret.ts';
import { states, waiting } from './page-states.ts';
import { requestRoutes, servedBy } from './serving.ts';
import { monitorWith } from './statuses.ts';

const get = requestRoutes();

async function answerTo(path: string, init: RequestInit = {}, request = get) {
  const response = await request(path, init);
  const { status, headers } = response;
  return { status, headers: Object.fromEntries(headers), text: await response.text() };
}

const safe = {
  'content-security-policy':
    "default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'x-frame-options': 'DENY',
  'cache-control': 'no-store',
};

const types = {
  '/': 'text/html; charset=UTF-8',
  '/status.json': 'application/json',
  '/targets/under-test': 'text/html; charset=UTF-8',
  '/metrics': 'text/plain; version=0.0.4; charset=utf-8',
  '/probe?target=under-test': 'text/plain; version=0.0.4; charset=utf-8',
  '/sd': 'application/json',
  '/badge/under-test.json': 'application/json',
  '/style.css': 'text/css',
  '/icon.svg': 'image/svg+xml',
  '/-/healthy': 'text/plain; charset=UTF-8',
  '/-/ready': 'text/plain; charset=UTF-8',
};

test('every route has its type and the safe headers, for GET and HEAD only', async () => {
  for (const [path, type] of Object.entries(types)) {
    const headers = { ...safe, 'content-type': type };
    expect(await answerTo(path), path).toMatchObject({ status: 200, headers });
    expect(await answerTo(path, { method: 'HEAD' }), path).toMatchObject({ status: 200, text: '' });
    const refused = { status: 405, headers: { ...safe, allow: 'GET, HEAD' } };
    for (const method of ['POST', 'DELETE', 'OPTIONS'])
      expect(await answerTo(path, { method }), path).toMatchObject(refused);
  }
});

test('the pages have no script and no inline style, and the style sheet needs nothing else', async () => {
  const { text: style } = await answerTo('/style.css');
  expect(style).toMatch(/--paper:.*\.picture /s);
  expect(style).not.toMatch(/@import|url\(/);
  const { text: html } = await answerTo('/targets/under-test');
  expect(html).not.toMatch(/<script|<style|style=|javascript:|\son\w+=/i);
});

for (const path of [
  '/%2e%2e/etc/passwd?x=<b>',
  '/targets/%3Cb%3E',
  '/badge/x%2f..%2f..%2fstatus.json',
  '/probe',
  '/probe?target=http://127.0.0.1:1/<b>',
])
  test(`${path} is 404, with a list of the routes, and is not repeated`, async () => {
    expect(await answerTo(path)).toMatchObject({
      status: 404,
      headers: safe,
      text: 'Not found. There is / /targets/NAME /status.json /badge/NAME.json /metrics /probe?target=NAME /sd /-/healthy /-/ready /-/reload; /sd names all targets.\n',
    });
  });

test('the monitor is healthy and not ready during its shutdown', async () => {
  const stopping = requestRoutes(servedBy(monitorWith([waiting], { draining: true })));
  expect((await stopping('/-/healthy')).status).toBe(200);
  const ready = await answerTo('/-/ready', {}, stopping);
  expect(ready).toMatchObject({ status: 503, text: 'stopping\n' });
});

test('the page is reloaded each minute, or as its reader requests', async () => {
  const refresh = async (path: string) => (await answerTo(path)).headers.refresh;
  expect(await refresh('/')).toBe('60');
  expect(await refresh('/targets/under-test?refresh=30')).toBe('30');
  for (const never of ['0', '-1', '1;url=http://elsewhere.example', 'x', '100000'])
    expect(await refresh(`/?refresh=${encodeURIComponent(never)}`)).toBeUndefined();
  expect(await refresh('/status.json')).toBeUndefined();
});

test('Prometheus discovers each target here, with its labels and its name as instance', async () => {
  const labels = { team: 'payments', instance: 'x', __address__: 'elsewhere.example' };
  const sd = requestRoutes(servedBy(monitorWith([waiting, { ...waiting, labels }])));
  const own = { instance: 'under-test', __metrics_path__: '/probe', __param_target: 'under-test' };
  const groups = (scheme = {}) => [
    { targets: ['monitor.example:9797'], labels: { ...own, ...scheme } },
    { targets: ['monitor.example:9797'], labels: { team: 'payments', ...own, ...scheme } },
  ];
  expect(await (await sd('http://monitor.example:9797/sd')).json()).toEqual(groups());
  const overTls = await (await sd('https://monitor.example:9797/sd')).json();
  expect(overTls).toEqual(groups({ __scheme__: 'https' }));
});

for (const [state, color, isError] of [
  ['holds', 'brightgreen', false],
  ['violated', 'red', true],
  ['unreachable', 'orange', true],
  ['maintenance', 'lightgrey', false],
] as const)
  test(`a badge is what shields.io reads: ${state}`, async () => {
    const badge = { schemaVersion: 1, label: 'under-test', message: state, color, isError };
    const response = await requestRoutes(servedBy(states[state]))('/badge/under-test.json');
    expect(await response.json()).toEqual(badge);
  });

test('the targets file is loaded again, or the error is reported in one line', async () => {
  const results = [true, false].map((ok) => ({ ok, line: ok ? '2 targets' : 'a.yaml:3:1: wrong' }));
  const reloading = requestRoutes({
    reload: async () => results.shift() ?? { ok: true, line: '' },
  });
  const post = async (headers: Record<string, string> = {}) =>
    answerTo('http://localhost:9797/-/reload', { method: 'POST', headers }, reloading);
  for (const Origin of ['http://elsewhere.example', 'null'])
    expect(await post({ Origin })).toMatchObject({ status: 403 });
  const loaded = await post({ Origin: 'http://localhost:9797' });
  expect(loaded).toMatchObject({ status: 200, text: '2 targets\n' });
  expect(await post()).toMatchObject({ status: 422, text: 'a.yaml:3:1: wrong\n' });
  const read = await answerTo('/-/reload', {}, reloading);
  expect(read).toMatchObject({ status: 405, headers: { allow: 'POST' } });
});

const token = 'planted-token:0123456789-ü';
const guarded = requestRoutes({ authToken: new Secret(token) });
const basic = (text: string): string => `Basic ${Buffer.from(text).toString('base64')}`;
/** Headers are bytes: a client sends UTF-8, and Node reads it as Latin-1. */
const sent = Buffer.from(token).toString('latin1');

const refused = {
  status: 401,
  headers: { ...safe, 'www-authenticate': 'Basic realm="monitor"' },
  text: 'A token is required: as a Bearer token, or as the password with any user name.\n',
};

test('every route except the two for process supervisors requires the token', async () => {
  const odd = ['/nowhere', '/-/healthy/', '//-/healthy', '/-/ready/', '/-/ready%2F', '/-/reload'];
  for (const path of [...Object.keys(types), ...odd]) {
    const isOpen = path === '/-/healthy' || path === '/-/ready';
    expect(await answerTo(path, {}, guarded)).toMatchObject(isOpen ? { status: 200 } : refused);
  }
});

for (const [expected, ...authorizations] of [
  [200, `Bearer ${sent}`, `bearer   ${sent}`, basic(`prometheus:${token}`), basic(`:${token}`)],
  [401, '', 'Bearer', `Bearer ${sent.slice(0, -1)}`, `Bearer ${sent}x`, `Token ${sent}`, sent],
  [401, `Bearer ${sent.toUpperCase()}`, basic(token), basic(`user:${token}x`), 'Basic ???'],
] as const)
  for (const Authorization of authorizations)
    test(`the token as ${JSON.stringify(Authorization)} is answered with ${expected}`, async () => {
      const answer = await answerTo('/status.json', { headers: { Authorization } }, guarded);
      expect(answer.status).toBe(expected);
      expect(JSON.stringify(answer)).not.toContain('planted-token');
    });
