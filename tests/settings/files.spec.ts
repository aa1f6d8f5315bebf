import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { inspect } from 'node:util';
import { expect, test } from '@playwright/test';
import * as v from 'valibot';
import { credentialFile } from '../../config/files.ts';
import { readSettings } from '../../config/settings.ts';
import { Secret } from '../../contract/secrets/secret.ts';

test('a named pipe and a device are not read', () => {
  const pipe = test.info().outputPath('pipe');
  expect(spawnSync('mkfifo', [pipe]).status).toBe(0);
  for (const file of [pipe, '/dev/zero'])
    expect(() => v.parse(credentialFile, file)).toThrow('names a file that is not a regular file');
});

test('a byte order mark before a credential, as editors on Windows write it, is no part of it', () => {
  const file = test.info().outputPath('key');
  writeFileSync(file, '\ufeff<API_KEY>\r\n');
  expect(v.parse(credentialFile, file).is((text) => text === '<API_KEY>')).toBe(true);
});

const api = new URL('https://api.example.com');

const proxyOf = (env: Record<string, string>) => readSettings(env).proxies?.(api);

test('a proxy has a host, a port and credentials, which are never printed', () => {
  for (const [text, proxy] of [
    ['http://proxy.example', { host: 'proxy.example', port: 80 }],
    ['proxy.example:3128/', { host: 'proxy.example', port: 3128 }],
    ['http://[fd00::1]:3128', { host: '[fd00::1]', port: 3128 }],
  ] as const)
    expect(proxyOf({ HTTPS_PROXY: text })).toEqual({ ...proxy, address: expect.any(Secret) });
  const proxy = proxyOf({ HTTPS_PROXY: 'http://planted:p4ssw0rd%40%23@proxy.example:3128' });
  const basic = Buffer.from('planted:p4ssw0rd@#').toString('base64');
  const secrets = [basic, 'p4ssw0rd@#'].map((secret) => new Secret(secret));
  expect(secrets.map((secret, at) => proxy?.secrets?.[at]?.equals(secret))).toEqual([true, true]);
  const named = proxyOf({ HTTPS_PROXY: 'http://user@proxy.example' })?.secrets?.[0];
  expect(named?.equals(new Secret(Buffer.from('user:').toString('base64')))).toBe(true);
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
