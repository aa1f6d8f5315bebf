import type net from 'node:net';
import { inspect } from 'node:util';
import { type Proxies, proxiesOf } from '../../contract/http/proxy.ts';
import { Unreachable } from '../../contract/http/unreachable.ts';
import { Secret, seal } from '../../contract/secrets/secret.ts';
import {
  answering,
  type Behaviour,
  expect,
  keepAliveAgent,
  ok,
  type Stage,
  send,
  test,
} from '../client/stage.ts';

const provider = new URL('https://api.example.com');
const plain = new URL('http://api.example.com');
const basic = Buffer.from('planted-user:p4ssw0rd').toString('base64');
const credentials = { authorization: seal`Basic ${new Secret(basic)}` };

function through({ origin }: Pick<Stage, 'origin'>, host = origin.hostname): Proxies {
  const proxy = { host, port: Number(origin.port), ...credentials };
  return proxiesOf({ http: proxy, https: proxy });
}

/** Waits for a request that must fail. @returns its error, which must not contain credentials */
async function failure(request: Promise<unknown>): Promise<Unreachable> {
  const error = await request.then(
    () => undefined,
    (error: unknown) => error,
  );
  expect(error).toBeInstanceOf(Unreachable);
  if (!(error instanceof Unreachable)) throw error;
  expect(inspect(error, { depth: 9 })).not.toMatch(new RegExp(`p4ssw0rd|planted|${basic}`));
  return error;
}

const status = (code: number, ...headers: string[]): string =>
  [`HTTP/1.1 ${code} X`, ...headers, 'Content-Length: 0', '', ''].join('\r\n');

test('the proxy gets CONNECT and its credentials, nothing of the request', async ({ raise }) => {
  const proxy = await raise(answering(status(502)));
  await failure(send({ origin: provider }, {}, { proxies: through(proxy) }));
  expect(proxy.requests).toHaveLength(1);
  const [line, ...headers] = (proxy.requests[0] ?? '').split('\r\n');
  expect(line).toBe('CONNECT api.example.com:443 HTTP/1.1');
  expect(headers).toContain('Host: api.example.com:443');
  expect(headers).toContain(`Proxy-Authorization: Basic ${basic}`);
  expect(headers.join()).not.toMatch(/widgets|content-length/i);
});

test('plain HTTP is forwarded in absolute-form, over kept connections', async ({ raise }) => {
  const proxy = await raise((socket) => socket.write(ok('{}')));
  const proxies = through(proxy);
  const agent = keepAliveAgent(plain, { maxSockets: 1 });
  for (const path of ['/public-api/v1/widgets?a=1', 'http://api.example.com/whole'])
    expect((await send({ origin: plain }, { path, agent }, { proxies })).status).toBe(200);
  agent.destroy();
  expect(proxy.connections.ever).toBe(1);
  expect(proxy.requests.map((request) => request.split('\r\n')[0])).toEqual([
    'GET http://api.example.com/public-api/v1/widgets?a=1 HTTP/1.1',
    'GET http://api.example.com/whole HTTP/1.1',
  ]);
  for (const request of proxy.requests) {
    expect(request).toContain('\r\nHost: api.example.com\r\n');
    expect(request).toContain(`\r\nProxy-Authorization: Basic ${basic}\r\n`);
  }
});

for (const [code, words] of [
  [407, 'the proxy requires other credentials: it answers 407'],
  [403, 'the proxy does not forward it: it answers 403'],
  [502, 'the proxy does not forward it: it answers 502'],
  [302, 'the proxy does not forward it: it answers 302'],
] as const)
  test(`a proxy that answers CONNECT with ${code} is named, no provider`, async ({ raise }) => {
    const proxy = await raise(answering(status(code)));
    const proxies = through(proxy);
    const { reason, message } = await failure(send({ origin: provider }, {}, { proxies }));
    expect(reason).toBe('connect');
    expect(message).toEqual(
      `GET /public-api/v1/widgets through the proxy ${proxy.origin.host}: no connection (${words})`,
    );
  });

test('an error names the proxy that answers instead of the provider', async ({ raise }) => {
  for (const [answer, isOfProxy] of [
    [status(407), true],
    [status(502), true],
    [status(503), true],
    [status(504), true],
    [status(403, 'X-Squid-Error: ERR_ACCESS_DENIED 0'), true],
    [status(500, 'Server: tinyproxy/1.11.1'), true],
    [status(400, 'Proxy-Status: proxy.example; error=dns_error'), true],
    [status(400, 'Proxy-Status: proxy.example; received-status=400'), false],
    [status(200, 'Server: tinyproxy/1.11.1'), false],
    [status(401), false],
    [status(500), false],
  ] as const) {
    const proxy = await raise(answering(answer));
    const request = send({ origin: plain }, {}, { proxies: through(proxy) });
    if (isOfProxy) expect([answer, (await failure(request)).reason]).toEqual([answer, 'connect']);
    else expect(answer).toContain(` ${(await request).status} `);
  }
});

test('a proxy that hangs up, or sends rubbish or too much, has its reason', async ({ raise }) => {
  for (const [behave, reason] of [
    [(socket) => socket.destroy(), 'reset'],
    [(socket) => socket.end('SSH-2.0-x\r\n'), 'protocol'],
    [(socket) => socket.write('HTTP/1.1 200 OK\r\n\r\nmore'), 'connect'],
    [(socket) => socket.end(`HTTP/1.1 200 OK\r\nA: ${'x'.repeat(20_000)}\r\n\r\n`), 'too-large'],
    [(socket) => socket.end('HTTP/1.1 200 OK\r\n\r\n'), 'tls'],
  ] as const satisfies readonly (readonly [Behaviour, string])[]) {
    const proxy = await raise(behave);
    const proxies = through(proxy);
    const { message, ...error } = await failure(send({ origin: provider }, {}, { proxies }));
    expect([error.reason, message]).toEqual([reason, expect.stringContaining(proxy.origin.host)]);
  }
});

test('a proxy not reached, silent, or without address has its reason', async ({ raise }) => {
  const proxies = through({ origin: new URL('http://127.0.0.1:1') });
  expect((await failure(send({ origin: provider }, {}, { proxies }))).reason).toBe('connect');
  const silent = await raise(() => {});
  for (const origin of [provider, plain]) {
    const bounds = { proxies: through(silent), timeoutMs: 300 };
    expect((await failure(send({ origin }, {}, bounds))).reason).toBe('timeout');
  }
  await expect.poll(() => silent.connections.open).toBe(0);
  const lookups: string[] = [];
  for (const origin of [provider, plain])
    for (const lookup of [refusing, hanging] as const) {
      const seen: net.LookupFunction = (name, _options, callback) => {
        lookups.push(name);
        lookup(callback);
      };
      const bounds = { proxies: through(silent, 'proxy.example'), timeoutMs: 300, lookup: seen };
      expect((await failure(send({ origin }, {}, bounds))).reason).toBe('dns');
    }
  // The proxy looks up the name of the provider, so the client looks up only the proxy.
  expect(new Set(lookups)).toEqual(new Set(['proxy.example']));
});

type LookedUp = Parameters<net.LookupFunction>[2];

const refusing = (callback: LookedUp): void =>
  callback(Object.assign(new Error('no name'), { code: 'ENOTFOUND' }), '');
const hanging = (_callback: LookedUp): void => {};

test('a socket file and an origin that NO_PROXY names are reached directly', async ({ raise }) => {
  const proxy = await raise(answering(status(502)));
  const direct = await raise(answering(ok('{}')));
  const bounds = { proxies: through(proxy) };
  expect((await send(direct, {}, bounds)).status).toBe(200);
  expect(proxy.requests).toEqual([]);
});

test('an abort ends a request whose proxy does not answer CONNECT', async ({ raise }) => {
  const proxy = await raise(() => {});
  const controller = new AbortController();
  const bounds = { proxies: through(proxy), signal: controller.signal, timeoutMs: 100_000 };
  const request = send({ origin: provider }, {}, bounds);
  await expect.poll(() => proxy.requests.length).toBe(1);
  controller.abort();
  await expect(request).rejects.toMatchObject({ name: 'AbortError' });
  await expect.poll(() => proxy.connections.open).toBe(0);
});

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
  ['example.com:8443', ['example.com:8443', 'a.example.com:8443'], ['example.com']],
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
