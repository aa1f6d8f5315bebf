import { inspect } from 'node:util';
import { expect, test } from '@playwright/test';
import { readSettings, SettingsError } from '../../settings.ts';

const api = new URL('https://api.example.com');

const proxyOf = (env: Record<string, string>) => readSettings(env).proxies?.for(api);

test('a proxy has a host, a port and credentials, which are never printed', () => {
  for (const [text, proxy] of [
    ['http://proxy.example', { host: 'proxy.example', port: 80 }],
    ['proxy.example:3128/', { host: 'proxy.example', port: 3128 }],
    ['http://[fd00::1]:3128', { host: '[fd00::1]', port: 3128 }],
  ] as const)
    expect(proxyOf({ HTTPS_PROXY: text })).toEqual(proxy);
  const proxy = proxyOf({ HTTPS_PROXY: 'http://planted:p4ssw0rd%40%23@proxy.example:3128' });
  const basic = Buffer.from('planted:p4ssw0rd@#').toString('base64');
  expect(proxy?.authorization?.is((text) => text === `Basic ${basic}`)).toBe(true);
  for (const text of [inspect(proxy, { depth: 9 }), JSON.stringify(proxy), String(proxy)])
    expect(text).not.toMatch(/p4ssw0rd|planted|cGxhbnRlZ/);
});

test('names in small letters count, and before the others', () => {
  const host = (env: Record<string, string>) => proxyOf(env)?.host;
  const large = { HTTPS_PROXY: 'large.example' };
  expect(host({ https_proxy: 'small.example' })).toBe('small.example');
  expect(host({ https_proxy: 'small.example', ...large })).toBe('small.example');
  expect(host({ https_proxy: '', ...large })).toBeUndefined();
  expect(host({ no_proxy: 'example.com', ...large })).toBeUndefined();
  expect(host(large)).toBe('large.example');
});

for (const [what, text] of [
  ['an address with https', 'https://planted:p4ssw0rd@proxy.example'],
  ['a SOCKS proxy', 'socks5://planted:p4ssw0rd@proxy.example'],
  ['an address with a path', 'http://planted:p4ssw0rd@proxy.example/path'],
  ['an address with a query', 'http://planted:p4ssw0rd@proxy.example?p4ssw0rd'],
  ['a password with a bare #', 'http://planted:p4ss#w0rd@proxy.example'],
  ['an address without a host', 'http://planted:p4ssw0rd@'],
  ['a password with a wrong encoding', 'http://planted:p4ssw0rd%zz@proxy.example'],
  ['a port out of range', 'http://planted:p4ssw0rd@proxy.example:99999'],
] as const)
  test(`${what} is refused as a proxy, and is not shown`, () => {
    for (const name of ['HTTPS_PROXY', 'HTTP_PROXY']) {
      const lines = linesOf(() => readSettings({ [name]: text }));
      expect(lines).toHaveLength(1);
      const line = `^${name} (is|has) .*; accepted: the address of an HTTP proxy`;
      expect(lines[0]).toMatch(new RegExp(line));
      expect(lines.join()).not.toMatch(/p4ss|planted/);
    }
  });

function linesOf(act: () => unknown): readonly string[] {
  try {
    act();
    return [];
  } catch (error) {
    if (error instanceof SettingsError) return error.lines;
    throw error;
  }
}
