import { expect, test } from '@playwright/test';
import { proxiesOf } from '../../contract/http/proxy.ts';

const http = { host: 'plain.example', port: 8080 };
const https = { host: 'proxy.example', port: 3128 };

const goesThrough = (address: string, noProxy?: string): boolean =>
  proxiesOf({ http, https }, noProxy).for(new URL(address)) !== undefined;

test('each scheme has its own proxy, and none where none is named', () => {
  const both = proxiesOf({ http, https });
  expect(both.for(new URL('https://api.example.com'))).toBe(https);
  expect(both.for(new URL('http://api.example.com'))).toBe(http);
  expect(proxiesOf({ https }).for(new URL('http://api.example.com'))).toBeUndefined();
});

test('a provider on this machine is reached directly, unless NO_PROXY names <-loopback>', () => {
  for (const host of ['localhost', 'a.localhost', '127.0.0.1', '127.9.9.9:81', '[::1]', '0x7f.1']) {
    expect([host, goesThrough(`https://${host}/`)]).toEqual([host, false]);
    expect([host, goesThrough(`https://${host}/`, 'a.example <-loopback>')]).toEqual([host, true]);
  }
  for (const host of ['localhost.example', '128.0.0.1', '[::2]'])
    expect([host, goesThrough(`https://${host}/`)]).toEqual([host, true]);
});

for (const [entry, direct, through] of [
  ['example.com', ['example.com', 'API.example.com', 'example.com.'], ['notexample.com']],
  ['.example.com', ['example.com', 'api.example.com'], ['badexample.com', 'example.com.org']],
  ['example.com.', ['example.com', 'api.example.com', 'example.com.'], ['notexample.com']],
  ['example.com.:8443', ['example.com:8443'], ['example.com']],
  ['*.example.com', ['api.example.com'], ['example.org']],
  ['*', ['anything.example', '10.0.0.1', '[fd00::1]'], []],
  [
    'example.com:8443',
    ['example.com:8443', 'a.example.com:8443'],
    ['example.com', 'example.com:84'],
  ],
  ['example.com:443', ['example.com'], ['example.com:8443']],
  ['10.1.2.3', ['10.1.2.3', '10.1.2.3:81'], ['110.1.2.3', '10.1.2.30']],
  ['10.1.2.3:81', ['10.1.2.3:81'], ['10.1.2.3']],
  ['10.0.0.0/8', ['10.255.0.1'], ['11.0.0.1', 'ten.example']],
  ['fd00::/8', ['[fd00::1]', '[fdff::1]'], ['[fe80::1]', '10.0.0.1']],
  ['fd00::1', ['[fd00::1]'], ['[fd00::2]']],
  ['[fd00::1]:8443', ['[fd00::1]:8443'], ['[fd00::1]']],
  ['10.0.0.0/99', [], ['10.0.0.1']],
  ['a.example, b.example  c.example', ['a.example', 'b.example', 'c.example'], ['d.example']],
] as const)
  test(`NO_PROXY=${entry} names these hosts and no others`, () => {
    for (const host of direct)
      expect([host, goesThrough(`https://${host}/`, entry)]).toEqual([host, false]);
    for (const host of through)
      expect([host, goesThrough(`https://${host}/`, entry)]).toEqual([host, true]);
  });
