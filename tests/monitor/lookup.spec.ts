import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import type { LookupFunction } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { expect, test } from '@playwright/test';
import { type LookupOptions, machineLookup } from '../../monitor/target/lookup.ts';
import { candidatesFor, searchListIn } from '../../monitor/target/name-files.ts';
import { runnerFor } from '../../monitor/target/run.ts';
import { aTokenOpensTheEndpoint as opens } from '../../probes/a-token-opens-the-endpoint.ts';
import { type DnsAnswer, startDns } from './dns-server.ts';
import { startProvider, targetAt } from './provider.ts';

const found = (lookup: LookupFunction, name: string): Promise<string> =>
  new Promise((resolve) => {
    lookup(name, { all: true }, (error, addresses) =>
      resolve(
        error?.code ??
          [addresses]
            .flat()
            .map((one) => Object(one).address)
            .join(),
      ),
    );
  });

/** A machine with a name server, its own files, and a system resolver that records the names it looks up. */
async function machine(answerTo: (name: string) => DnsAnswer, options: LookupOptions = {}) {
  const server = await startDns(answerTo);
  const folder = mkdtempSync(path.join(os.tmpdir(), 'lookup-'));
  const hosts = path.join(folder, 'hosts');
  const resolvConf = path.join(folder, 'resolv.conf');
  const bySystem: string[] = [];
  const system = async (name: string) => {
    bySystem.push(name);
    return [{ address: '127.0.0.9', family: 4 }];
  };
  const servers = [server.address];
  return {
    requests: server.requests,
    bySystem,
    lookup: machineLookup({ hosts, resolvConf, servers, system, ...options }),
    setHosts: (text: string) => writeFileSync(hosts, text),
    setResolvConf: (text: string) => writeFileSync(resolvConf, text),
    async [Symbol.asyncDispose]() {
      rmSync(folder, { recursive: true });
      await server[Symbol.asyncDispose]();
    },
  };
}

test('a name is looked up each time, so a change of DNS is seen at once', async () => {
  let address = '127.0.0.1';
  await using here = await machine(() => address);
  expect(await found(here.lookup, 'api.test')).toBe('127.0.0.1');
  address = '127.0.0.2';
  expect(await found(here.lookup, 'api.test')).toBe('127.0.0.2');
  expect(here.bySystem).toEqual([]);
});

test('a lookup of one address returns one, of the requested family', async () => {
  await using here = await machine(() => '127.0.0.1');
  const one = (family: number) =>
    new Promise((resolve) => {
      here.lookup('api.test', { family }, (error, ...message) => resolve(error?.code ?? message));
    });
  expect(await one(4)).toEqual(['127.0.0.1', 4]);
  expect(await one(6)).toBe('ENOTFOUND');
});

test('names that stall delay no other name, and block no thread', async () => {
  await using here = await machine((name) =>
    name.startsWith('stalled') ? 'silence' : '127.0.0.1',
  );
  for (let index = 0; index < 50; index++) void found(here.lookup, `stalled-${index}.test`);
  for (let index = 0; index < 100; index++)
    expect(await found(here.lookup, `healthy-${index}.test`)).toBe('127.0.0.1');
  expect(here.requests.filter((name) => name.startsWith('healthy'))).toHaveLength(100);
  expect(here.bySystem).toEqual([]);
});

test('a name of the hosts file is left to the machine, also once it is added', async () => {
  await using here = await machine(() => '127.0.0.1');
  expect(await found(here.lookup, 'api.test')).toBe('127.0.0.1');
  here.setHosts('# all of ours\n127.0.0.9 first API.test # api2.test\n');
  expect(await found(here.lookup, 'api.test')).toBe('127.0.0.9');
  expect(await found(here.lookup, 'api.test.')).toBe('127.0.0.9');
  expect(await found(here.lookup, 'api2.test')).toBe('127.0.0.1');
  expect(here.requests).toEqual(['api.test', 'api2.test']);
});

test('localhost and mDNS names are never looked up in DNS', async () => {
  await using here = await machine(() => '127.0.0.1');
  for (const name of ['localhost', 'api.localhost', 'printer.local'])
    expect(await found(here.lookup, name)).toBe('127.0.0.9');
  expect(here.requests).toEqual([]);
  expect(await found(machineLookup(), 'localhost')).toMatch(/127\.0\.0\.1|::1/);
});

test('search domains are tried in their order, also when resolv.conf changes', async () => {
  await using here = await machine((name) => (name === 'api.two.test' ? '127.0.0.1' : 'none'));
  here.setResolvConf('search one.test two.test.\n');
  expect(await found(here.lookup, 'api')).toBe('127.0.0.1');
  expect(here.requests.splice(0)).toEqual(['api.one.test', 'api.two.test']);
  here.setResolvConf('search test\noptions timeout:1 ndots:3\n');
  expect(await found(here.lookup, 'api.two')).toBe('127.0.0.1');
  expect(here.requests.splice(0)).toEqual(['api.two.test']);
});

test('a name is found even if its search domains are refused', async () => {
  await using here = await machine((name) => (name === 'api.test' ? '127.0.0.1' : 'refusal'));
  here.setResolvConf('search one.test two.test\noptions ndots:5\n');
  expect(await found(here.lookup, 'api.test')).toBe('127.0.0.1');
  expect(new Set(here.requests)).toEqual(new Set(['api.test.one.test', 'api.test']));
});

const lists: [text: string, name: string, requests: string[]][] = [
  ['', 'api', ['api.corp.test', 'api']],
  ['', 'api.test', ['api.test', 'api.test.corp.test']],
  ['search a b\n', 'api', ['api.a', 'api.b', 'api']],
  ['search a b\n', 'api.', ['api.']],
  ['search a\ndomain b c\n', 'api', ['api.b', 'api']],
  ['search .\n', 'api', ['api']],
  ['search a # b\n; search c\noptions ndots:2 rotate', 'api.x', ['api.x.a', 'api.x']],
  ['options ndots:0\nsearch a', 'api', ['api', 'api.a']],
];

for (const [text, name, requests] of lists)
  test(`${name} is looked up as ${requests.join(', ')} by ${JSON.stringify(text)}`, () => {
    expect(candidatesFor(name, searchListIn(text, 'monitor.corp.test'))).toEqual(requests);
  });

test('a name that DNS does not know is left to the machine: one at a time, and shared', async () => {
  const waiting: (() => void)[] = [];
  const queries: string[] = [];
  const system = (name: string) =>
    new Promise<{ address: string; family: number }[]>((resolve) => {
      queries.push(name);
      waiting.push(() => resolve([{ address: '127.0.0.9', family: 4 }]));
    });
  await using here = await machine(() => 'none', { system });
  here.setResolvConf('search .');
  const all = ['a.test', 'a.test', 'b.test'].map((name) => found(here.lookup, name));
  await expect.poll(() => queries.length).toBe(1);
  const first = queries[0];
  waiting.shift()?.();
  await expect.poll(() => queries.length).toBe(2);
  expect(queries.toSorted()).toEqual(['a.test', 'b.test']);
  waiting.shift()?.();
  expect(await Promise.all(all)).toEqual(['127.0.0.9', '127.0.0.9', '127.0.0.9']);
  expect(queries).toHaveLength(2);
  expect(first).toBeDefined();
});

test('a failing name server is an outage of DNS, and is not bypassed', async () => {
  await using here = await machine(() => 'failure');
  expect(await found(here.lookup, 'api.test')).toBe('EAI_AGAIN');
  expect(here.bySystem).toEqual([]);
});

test('a machine without a name server uses its own lookup', async () => {
  await using here = await machine(() => 'none', { servers: ['127.0.0.1:1'] });
  expect(await found(here.lookup, 'api.test')).toBe('127.0.0.9');
});

test('a request whose lookup stalls is reported as dns, and the phase is measured where it is answered', async () => {
  await using provider = await startProvider();
  await using here = await machine((name) => (name === 'stalled.test' ? 'silence' : '127.0.0.1'));
  const runAt = (host: string, timeoutMs: number) => {
    const target = targetAt(new URL(`http://${host}:${provider.baseUrl.port}`));
    const connection = { ...target.connection, timeoutMs, lookup: here.lookup };
    return runnerFor({ ...target, connection }, { recheckMs: 1 })(opens, target.endpoints[0]);
  };
  const well = await runAt('healthy.test', 20_000);
  expect(well.result.outcome).toBe('passed');
  expect(well.phases?.resolve).toBeGreaterThan(0);
  const stalled = await runAt('stalled.test', 200);
  expect(stalled).toMatchObject({ reason: 'dns', result: { outcome: 'unreachable' } });
  expect(stalled.result.detail).toContain('the name does not resolve (200 ms)');
});
