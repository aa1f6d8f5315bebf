import { writeFileSync } from 'node:fs';
import { runPactCli } from '../../pacts/flow/pact-cli.ts';
import { loadPactSettings } from '../../settings.ts';
import { authority } from '../client/certificates.ts';
import { tlsFront } from '../client/tls-front.ts';
import type { Environment } from '../process.ts';
import { needs } from '../programs.ts';
import { startTinyproxy } from '../proxy/tinyproxy.ts';
import { expect } from './broker/broker.ts';
import { flow, leadingTo, pactFile, start, test } from './flow-stage.ts';

needs('pact-broker', 'tinyproxy', 'openssl');

const recording = ['record-deployment', '--pacticipant', 'far-consumer', '--environment', 'far'];
const password = 'p4ssw0rd-planted';
const credentials = 'someone:p4ssw0rd-planted';

test('a broker behind a proxy is reached by this project and by the client of Pact', async ({
  broker,
}) => {
  await using proxy = await startTinyproxy(credentials);
  const env = { ...leadingTo(broker, broker), HTTP_PROXY: proxy.address, NO_PROXY: '<-loopback>' };
  const setUp = await flow(['setup', '--environments', 'far'], env);
  expect(setUp).toMatchObject({ exit: 0, stderr: '' });
  const published = await flow(['publish', pactFile('far-consumer', { call: 401 })], env);
  expect(published).toMatchObject({ exit: 0, stderr: '' });
  expect(await flow(recording, env)).toMatchObject({ exit: 0, stderr: '' });
  expect(proxy.requests()).toContain(`GET ${broker.baseUrl} HTTP/1.1`);
  expect(proxy.requests().join('\n')).toContain('/deployed-versions/environment/');
});

test("Pact's client goes through the proxy that NO_PROXY leaves", async ({ broker }) => {
  const gone = 'http://127.0.0.1:9';
  const result = (env: Environment) => {
    const { broker: access } = loadPactSettings({
      env: { ...leadingTo(broker, broker), http_proxy: gone, ...env },
      file: 'no-such-file',
    });
    if (access === undefined) throw new Error('no broker is set');
    return runPactCli(access, ['list-environments']);
  };
  expect((await result({ NO_PROXY: '<-loopback>' })).ok).toBe(false);
  expect((await result({})).ok).toBe(true);
});

test('a broker with https is reached through a tunnel, and no password is shown', async ({
  broker,
}) => {
  const certificates = await authority();
  await using proxy = await startTinyproxy(credentials);
  const front = await tlsFront(broker.baseUrl, certificates.good);
  const file = test.info().outputPath('ca.pem');
  writeFileSync(file, certificates.cert);
  const env = {
    ...leadingTo({ baseUrl: front.url }, broker),
    NODE_EXTRA_CA_CERTS: file,
    NO_PROXY: '<-loopback>',
    GIT_COMMIT: '2',
    GIT_BRANCH: 'main',
  };
  const run = (words: readonly string[], address: string) =>
    start('pacts/flow/main.ts', words, { ...env, HTTPS_PROXY: address }).ended;
  const published = await run(['publish', pactFile('far-consumer', { call: 401 })], proxy.address);
  expect(published).toMatchObject({ exit: 0, stderr: '' });
  const setUp = await run(['setup', '--environments', 'far'], proxy.address);
  expect(setUp).toMatchObject({ exit: 0, stderr: '' });
  expect(await run(recording, proxy.address)).toMatchObject({ exit: 0, stderr: '' });
  expect(proxy.requests()).toContain(`CONNECT ${front.url.host} HTTP/1.1`);
  const wrong = await run(recording, proxy.address.replace(password, 'wr0ng-planted'));
  expect([wrong.exit, wrong.stderr]).toEqual([
    2,
    `the Pact Broker at ${front.url.origin} does not answer: GET / through the proxy ${proxy.host}: no connection (the proxy does not forward it: it answers 401)\n`,
  ]);
  front.close();
  await certificates.remove();
});
