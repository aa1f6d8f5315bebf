import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import http from 'node:http';
import net from 'node:net';
import { promisify } from 'node:util';
import { Secret } from '../../contract/secrets/secret.ts';
import { needs } from '../programs.ts';
import { type Served, test } from './secured.ts';
import { widgets } from './simulated-service.ts';
import { clientOf, exchangeInChild, expect, listening, outcome, send } from './stage.ts';

needs('openssl');

test("a finding's command names the private CA, and needs its file", async ({ ca, serve }) => {
  const origin = await serve(ca.good);
  const { request } = await clientOf({ origin }, { connection: { ca: ca.cert } }).call(widgets);
  const pasted = (more: NodeJS.ProcessEnv = {}) =>
    promisify(execFile)('sh', ['-c', request.curl?.() ?? ''], {
      env: { PATH: process.env.PATH, ...more },
    });
  await expect(pasted()).rejects.toThrow('CA_FILE: parameter');
  const file = test.info().outputPath('ca.pem');
  writeFileSync(file, ca.cert);
  expect((await pasted({ CA_FILE: file })).stdout).toMatch(/^HTTP\/1\.1 200 /);
});

test('the error names what is wrong with the certificate', async ({ ca, serve }) => {
  const output = async (served: Served): Promise<string> => {
    const origin = await serve(served);
    return send({ origin }, {}, { ca: ca.cert }).then(String, (error: Error) => error.message);
  };
  expect(await output(ca.expired)).toMatch(
    /: no trusted TLS connection \(CERT_HAS_EXPIRED\): renew the certificate, or set the clock of this machine$/,
  );
  expect(await output(ca.elsewhere)).toMatch(
    / \(ERR_TLS_CERT_ALTNAME_INVALID\): the certificate is for other names$/,
  );
  expect(await output(ca.selfSigned)).toMatch(
    / \(DEPTH_ZERO_SELF_SIGNED_CERT\): for a private CA set PUBLIC_API_CA_FILE, or ca in the targets file$/,
  );
});

const broken: [what: string, greet: (socket: net.Socket) => void, reason: string][] = [
  ['plain HTTP on an https port', (socket) => socket.end('HTTP/1.1 400 Bad\r\n\r\n'), 'tls'],
  ['an end during the handshake', (socket) => socket.once('data', () => socket.end()), 'tls'],
  ['a handshake that never comes', () => {}, 'timeout'],
];

for (const [what, greet, reason] of broken)
  test(`${what} is ${reason}`, async ({ listen }) => {
    const origin = await listen(
      net.createServer((socket) => {
        socket.on('error', () => socket.destroy());
        greet(socket);
      }),
    );
    const timeoutMs = reason === 'timeout' ? 150 : 10_000;
    expect(await outcome(send({ origin }, {}, { timeoutMs }))).toBe(reason);
  });

test('a plain HTTP port requested with https is protocol', async ({ ca, serve }) => {
  const origin = await serve(ca.good);
  const plain = { origin: new URL(`http://${origin.host}`) };
  expect(await outcome(send(plain))).toMatch(/^(protocol|reset)$/);
});

test('the error of an https address says when the server may speak plain HTTP', async () => {
  const server = http.createServer((_request, response) => response.end('{}'));
  const origin = await listening(server, '127.0.0.1', 'https');
  const failed = await send({ origin }).then(String, (error: Error) => error.message);
  server.close();
  expect(failed).toMatch(/ \(EPROTO\): a plain HTTP server needs an http:\/\/ address$/);
});

test('the error of a refused handshake suspects no plain HTTP', async ({ ca, serve }) => {
  const origin = await serve({ ...ca.good, requestCert: true, maxVersion: 'TLSv1.2' });
  await expect(send({ origin }, {}, { ca: ca.cert })).rejects.toThrow(
    /: no trusted TLS connection \(EPROTO, TLS alert 40\): the server may want a client certificate/,
  );
});

test('a client certificate is sent to a server that asks for one', async ({ ca, serve }) => {
  const origin = await serve({ ...ca.good, requestCert: true, ca: ca.cert });
  const client = { cert: ca.good.cert, key: new Secret(ca.good.key) };
  expect((await send({ origin }, {}, { ca: ca.cert, client })).status).toBe(200);
});

test('no environment variable makes an untrusted certificate pass', async ({ ca, serve }) => {
  const origin = await serve(ca.selfSigned);
  const env = { NODE_TLS_REJECT_UNAUTHORIZED: '0', NODE_NO_WARNINGS: '1' };
  expect(await exchangeInChild(origin, env)).toBe('tls');
});
