import { writeFileSync } from 'node:fs';
import { authority } from '../client/certificates.ts';
import { tlsFront } from '../client/tls-front.ts';
import { needs } from '../programs.ts';
import { startTinyproxy } from '../proxy/tinyproxy.ts';
import { expect } from './broker/broker.ts';
import { leadingTo, pactDocument, put, start, test } from './broker-stage.ts';

needs('pact-broker', 'tinyproxy', 'openssl');

const password = 'p4ssw0rd-planted';
const credentials = `someone:${password}`;

test('a broker with https is reached by a tunnel unless NO_PROXY names it, and no password shows', async ({
  broker,
  client,
}) => {
  await put(client, pactDocument('far', { 'a call': 401 }, 'far-provider'), '1');
  const certificates = await authority();
  await using proxy = await startTinyproxy(credentials);
  const front = await tlsFront(broker.baseUrl, certificates.good, '127.0.0.2');
  const file = test.info().outputPath('ca.pem');
  writeFileSync(file, certificates.cert);
  const verify = (HTTPS_PROXY: string, ca = file, NO_PROXY = '') =>
    start('pacts/verify/main.ts', ['--no-publish'], {
      ...leadingTo({ baseUrl: front.url }, broker),
      HTTPS_PROXY,
      NODE_EXTRA_CA_CERTS: ca,
      NO_PROXY,
      PACT_PROVIDER_NAME: 'far-provider',
      // The broker does not know that it is behind https, so its own links lead elsewhere.
      PACT_URL: new URL('/pacts/provider/far-provider/consumer/far/latest', front.url).href,
      GIT_BRANCH: 'main',
    }).ended;
  const verified = await verify(proxy.address);
  expect(verified).toMatchObject({ exit: 0, stderr: '' });
  expect(verified.stdout).toContain('✓ Every pact is kept · 1 verified · ');
  expect(proxy.requests()).toContain(`CONNECT ${front.url.host} HTTP/1.1`);
  const wrong = await verify(proxy.address.replace(password, 'wr0ng-planted'));
  expect(wrong.exit).toBe(2);
  expect(wrong.stderr).toEqual(
    `the Pact Broker at ${front.url.origin} does not answer: GET / through the proxy ${proxy.host}: no connection (the proxy answers 401)\n`,
  );
  const { stderr } = await verify(proxy.address, '');
  expect(stderr).toContain(': for a private CA set NODE_EXTRA_CA_CERTS\n');
  const direct = await verify('http://127.0.0.1:1', file, 'example.com,127.0.0.2');
  expect(direct).toMatchObject({ exit: 0, stderr: '' });
  front.close();
  await certificates.remove();
});
