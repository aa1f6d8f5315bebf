import { expect, test } from '@playwright/test';
import { Secret } from '../../contract/secrets/secret.ts';
import { serving } from './serving.ts';

const token = 'planted-token:0123456789-ü';
const { get } = serving({
  authToken: new Secret(token),
  reload: async () => ({ ok: true, line: '' }),
});

const basic = (text: string): string => `Basic ${Buffer.from(text).toString('base64')}`;

/** Headers are bytes: a client sends UTF-8, and Node reads it as Latin-1. */
const asSent = (text: string): string => Buffer.from(text).toString('latin1');

const statusWith = async (authorization: string, path = '/'): Promise<number> =>
  (await get(path, { headers: { Authorization: authorization } })).status;

test('every route except the two for process supervisors requires the token', async () => {
  for (const path of [
    '/',
    '/targets/under-test',
    '/status.json',
    '/metrics',
    '/probe?target=under-test',
    '/sd',
    '/badge/under-test.json',
    '/style.css',
    '/icon.svg',
    '/nowhere',
    '/-/healthy/',
    '//-/healthy',
    '/-/ready/',
    '/-/ready%2F',
  ]) {
    const response = await get(path);
    expect([path, response.status]).toEqual([path, 401]);
    expect(response.headers.get('WWW-Authenticate')).toBe('Basic realm="monitor"');
    expect(response.headers.get('X-Frame-Options')).toBe('DENY');
    expect(await response.text()).toMatch(/^A token is required: [^\n]+\n$/);
  }
  expect((await get('/-/reload', { method: 'POST' })).status).toBe(401);
  for (const path of ['/-/healthy', '/-/ready']) expect((await get(path)).status).toBe(200);
});

test('the token is accepted as Bearer, and as the password of any user', async () => {
  for (const authorization of [
    `Bearer ${asSent(token)}`,
    `bearer   ${asSent(token)}`,
    basic(`prometheus:${token}`),
    basic(`:${token}`),
  ])
    expect([authorization, await statusWith(authorization)]).toEqual([authorization, 200]);
});

test('any other credential is refused', async () => {
  for (const authorization of [
    '',
    'Bearer',
    'Bearer ',
    `Bearer ${asSent(token.slice(0, -1))}`,
    `Bearer ${asSent(token)}x`,
    `Bearer ${asSent(token.toUpperCase())}`,
    `Token ${asSent(token)}`,
    asSent(token),
    basic(token),
    basic(`${token}:`),
    basic(`user:${token}x`),
    'Basic ???',
    'constructor x',
    'toString x',
  ])
    expect([authorization, await statusWith(authorization)]).toEqual([authorization, 401]);
});

test('no answer contains the token', async () => {
  for (const path of ['/', '/status.json', '/metrics', '/nowhere', '/sd']) {
    const response = await get(path, { headers: { Authorization: `Bearer ${asSent(token)}` } });
    const all = JSON.stringify([...response.headers]) + (await response.text());
    expect(all).not.toContain('planted-token');
  }
});
