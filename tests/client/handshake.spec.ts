import { X509Certificate } from 'node:crypto';
import type net from 'node:net';
import tls from 'node:tls';
import type { Received } from '../../contract/http/answer.ts';
import { newAgent } from '../../contract/http/connections.ts';
import { UnreachableError } from '../../contract/http/unreachable.ts';
import { createExpiryReader, type Expiry } from '../../monitor/round/certificates.ts';
import { needs } from '../programs.ts';
import type { Authority } from './certificates.ts';
import { test } from './secured.ts';
import { expect, ok, send } from './stage.ts';

needs('openssl');

/** When the certificates that a client received expire, as the monitor reads it. */
const expiryIn = (
  { certificate }: Pick<Received, 'certificate'>,
  ca?: string,
): Expiry | undefined => certificate && createExpiryReader(ca)(certificate);

const endOf = (certificate: string): number =>
  new X509Certificate(certificate).validToDate.getTime();

for (const version of ['TLSv1.2', 'TLSv1.3'] as const)
  test(`an answer over ${version} has the certificate's end`, async ({ ca, serve }) => {
    const origin = await serve({ ...ca.good, minVersion: version, maxVersion: version });
    const expiry = expiryIn(await send({ origin }, {}, { ca: ca.cert }), ca.cert);
    const end = endOf(ca.good.cert);
    expect(expiry).toEqual({ earliestExpiry: end, chainExpiry: end });
  });

test('the certificate of a chain that expires first counts', async ({ ca, serve }) => {
  const { cert, key } = ca.outliving;
  const origin = await serve({ cert: cert + ca.cert, key });
  const expiry = expiryIn(await send({ origin }, {}, { ca: ca.cert }), ca.cert);
  expect(expiry?.earliestExpiry).toBe(endOf(ca.cert));
  expect(endOf(ca.cert)).toBeLessThan(endOf(cert));
});

test('an old certificate that nobody needs does not count in the chain to the trusted root', async ({
  ca,
  serve,
}) => {
  const { cert, key } = ca.good;
  const origin = await serve({ cert: cert + ca.crossSigned, key });
  const expiry = expiryIn(await send({ origin }, {}, { ca: ca.cert }), ca.cert);
  expect(expiry?.earliestExpiry).toBe(endOf(ca.crossSigned));
  expect(expiry?.chainExpiry).toBe(endOf(cert));
  expect(endOf(ca.crossSigned)).toBeLessThan(endOf(cert));
});

test('only the first answer over a kept connection reports its handshake', async ({
  ca,
  serve,
}) => {
  const handshakes: net.Socket[] = [];
  const origin = await serve(ca.good, (socket) => handshakes.push(socket));
  const agent = newAgent({ origin }, { keepAlive: true, maxSockets: 1 });
  const first = await send({ origin }, { agent }, { ca: ca.cert });
  const second = await send({ origin }, { agent }, { ca: ca.cert });
  agent.destroy();
  expect(expiryIn(first)).toMatchObject({ earliestExpiry: endOf(ca.good.cert) });
  expect(second.certificate).toBeUndefined();
  expect(handshakes).toHaveLength(1);
  expect(first.phases.tls).toBeGreaterThan(0);
  expect({ connect: second.phases.connect, tls: second.phases.tls }).toEqual({
    connect: 0,
    tls: 0,
  });
});

/** Untrusted certificates, and whether the client knows the test's CA. */
const untrusted: [which: 'good' | 'expired' | 'elsewhere' | 'selfSigned', known: boolean][] = [
  ['expired', true],
  ['elsewhere', true],
  ['selfSigned', true],
  ['good', false],
];

/** Sends a request to a provider with this certificate. @returns its result, and how many bytes the provider read */
async function received(
  { ca, listen }: { ca: Authority; listen: (server: net.Server) => Promise<URL> },
  served: tls.TlsOptions,
  send: (origin: URL) => Promise<unknown>,
): Promise<{ readonly exchanged: PromiseSettledResult<unknown>; readonly bytes: number }> {
  let bytes = 0;
  const closed = Promise.withResolvers<void>();
  const server = tls.createServer({ ...ca.good, ...served }, (socket) => {
    socket.on('error', () => socket.destroy());
    socket.on('data', (chunk) => {
      bytes += chunk.length;
      socket.end(ok('{}', 'Connection: close'));
    });
  });
  server.on('connection', (raw: net.Socket) => raw.once('close', () => closed.resolve()));
  const [exchanged] = await Promise.allSettled([send(await listen(server))]);
  await closed.promise;
  return { exchanged, bytes };
}

const request = { method: 'POST', body: 'x'.repeat(100_000) };

for (const [which, known] of untrusted)
  for (const kept of [false, true])
    test(`${kept ? 'a kept-alive' : 'a'} connection with an untrusted certificate, ${which}, reports its end and sends no byte of the request`, async ({
      ca,
      listen,
    }) => {
      const { exchanged, bytes } = await received({ ca, listen }, ca[which], (origin) =>
        send(
          { origin },
          kept
            ? { ...request, agent: newAgent({ origin }, { keepAlive: true, maxSockets: 1 }) }
            : request,
          known ? { ca: ca.cert } : {},
        ),
      );
      const error = exchanged.status === 'rejected' ? exchanged.reason : undefined;
      expect(error).toBeInstanceOf(UnreachableError);
      expect(error.reason).toBe('tls');
      expect(expiryIn(error)?.earliestExpiry).toBe(endOf(ca[which].cert));
      expect(bytes).toBe(0);
    });

test('a trusted provider receives the request on that wire', async ({ ca, listen }) => {
  const { exchanged, bytes } = await received({ ca, listen }, ca.good, (origin) =>
    send({ origin }, request, { ca: ca.cert }),
  );
  expect(exchanged.status).toBe('fulfilled');
  expect(bytes).toBeGreaterThan(0);
});
