import { inspect } from 'node:util';
import { type Proxies, selectProxies } from '../../contract/http/proxy.ts';
import { UnreachableError } from '../../contract/http/unreachable.ts';
import { Secret } from '../../contract/secrets/secret.ts';
import { answering, type Behaviour, expect, ok, type Stage, send, test } from '../client/stage.ts';

const provider = new URL('https://api.example.com');
const basic = Buffer.from('planted-user:p4ssw0rd').toString('base64');

function through({ origin }: Pick<Stage, 'origin'>, host = origin.hostname): Proxies | undefined {
  const address = new Secret(`http://planted-user:p4ssw0rd@${host}:${origin.port}`);
  return selectProxies({ host, port: Number(origin.port), address });
}

/** Waits for a request that must fail. @returns its error, which must not contain credentials */
async function failure(request: Promise<unknown>): Promise<UnreachableError> {
  const error = await request.then(
    () => undefined,
    (error: unknown) => error,
  );
  expect(error).toBeInstanceOf(UnreachableError);
  if (!(error instanceof UnreachableError)) throw error;
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
  expect(headers).toContain('host: api.example.com:443');
  expect(headers).toContain(`proxy-authorization: Basic ${basic}`);
  expect(headers.join()).not.toMatch(/widgets|content-length/i);
});

for (const code of [407, 502, 302])
  test(`a proxy that answers ${code} is named`, async ({ raise }) => {
    const proxy = await raise((socket) => socket.write(status(code)));
    const proxies = through(proxy);
    const { reason, message } = await failure(send({ origin: provider }, {}, { proxies }));
    expect(reason).toBe('connect');
    expect(message).toEqual(
      `GET /public-api/v1/widgets through the proxy ${proxy.origin.host}: no connection (the proxy answers ${code})`,
    );
  });

test('a proxy that hangs up or sends rubbish has its reason', async ({ raise }) => {
  for (const [behave, reason] of [
    [(socket) => socket.destroy(), 'connect'],
    [(socket) => socket.end('SSH-2.0-x\r\n'), 'connect'],
    [(socket) => socket.end('HTTP/1.1 200 OK\r\n\r\n'), 'reset'],
  ] as const satisfies readonly (readonly [Behaviour, string])[]) {
    const proxy = await raise(behave);
    const proxies = through(proxy);
    const { message, ...error } = await failure(send({ origin: provider }, {}, { proxies }));
    expect({ reason: error.reason, message }).toEqual({
      reason,
      message: expect.stringContaining(proxy.origin.host),
    });
  }
});

test('a proxy not reached, silent, or without address has its reason', async ({ raise }) => {
  const proxies = through({ origin: new URL('http://127.0.0.1:1') });
  expect((await failure(send({ origin: provider }, {}, { proxies }))).reason).toBe('connect');
  const silent = await raise(() => {});
  const bounds = { proxies: through(silent), timeoutMs: 300 };
  expect((await failure(send({ origin: provider }, {}, bounds))).reason).toBe('timeout');
  await expect.poll(() => silent.connections.open).toBe(0);
  const nameless = { proxies: through(silent, 'proxy.invalid') };
  expect((await failure(send({ origin: provider }, {}, nameless))).reason).toBe('dns');
});

test('a provider of this machine is reached directly', async ({ raise }) => {
  const proxy = await raise(answering(status(502)));
  const direct = await raise(answering(ok('{}')));
  const bounds = { proxies: through(proxy) };
  expect((await send(direct, {}, bounds)).status).toBe(200);
  expect(proxy.requests).toEqual([]);
});

const proxy = { host: 'proxy.example', port: 3128, address: new Secret('http://proxy.example') };

const goesThrough = (address: string, noProxy?: string): boolean =>
  selectProxies(proxy, noProxy)?.(new URL(address)) !== undefined;

for (const [entry, direct, through] of [
  ['', ['localhost', 'a.localhost', '127.0.0.1:81', '[::1]'], ['localhost.example', '[::2]']],
  ['example.com', ['example.com', 'API.example.com'], ['notexample.com']],
  ['.example.com', ['example.com', 'api.example.com'], ['badexample.com', 'example.com.org']],
  ['*.example.com', ['api.example.com'], ['example.org']],
  ['*', ['anything.example', '10.0.0.1', '[fd00::1]'], []],
  ['example.com:8443', ['example.com:8443', 'a.example.com:8443'], ['example.com']],
  ['example.com:443', ['example.com'], ['example.com:8443']],
  ['10.1.2.3', ['10.1.2.3', '10.1.2.3:81'], ['110.1.2.3', '10.1.2.30']],
  ['[fd00::1]', ['[fd00::1]'], ['[fd00::2]']],
  ['a.example, b.example  c.example', ['a.example', 'b.example', 'c.example'], ['d.example']],
] as const)
  test(`NO_PROXY=${entry} names these hosts and no others`, () => {
    for (const host of direct) expect(goesThrough(`https://${host}/`, entry), host).toBe(false);
    for (const host of through) expect(goesThrough(`https://${host}/`, entry), host).toBe(true);
  });
