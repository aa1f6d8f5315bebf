import { writeFileSync } from 'node:fs';
import { brokerPacts } from '../../pacts/broker/source.ts';
import { authority } from '../client/certificates.ts';
import { tlsFront } from '../client/tls-front.ts';
import { needs } from '../programs.ts';
import { startTinyproxy } from '../proxy/tinyproxy.ts';
import {
  expect,
  leadingTo,
  put,
  refusalPact,
  resultOf,
  selectors,
  startVerify,
  test,
} from './real-broker.ts';

needs('pact-broker');
// This file shares one broker with other files, so each test has its own provider.

test('pacts of main branches, of the same branch and of deployed versions are listed unless selectors are set', async ({
  client,
}) => {
  const listed = async (more: object) => {
    const of = { provider: 'selected', branch: 'feat/x', selectors, ...more };
    return (await brokerPacts(client, of)).sources;
  };
  await expect(listed({ provider: 'unknown' })).rejects.toThrow(
    'the Pact Broker has no pact of unknown that the selectors choose on branch "feat/x" (PACT_CONSUMER_VERSION_SELECTORS): nothing is verified',
  );
  for (const [consumer, branch] of [
    ['on-main', 'main'],
    ['elsewhere', 'feat/y'],
    ['on-my-branch', 'feat/x'],
    ['deployed', 'release'],
  ] as const)
    await put(client, refusalPact(consumer, 'selected', 'a call'), '1', branch);
  const environment = { name: 'e1', production: false };
  const { document } = await client.request('POST', '/environments', environment);
  const place = `/pacticipants/deployed/versions/1/deployed-versions/environment/${Object(document).uuid}`;
  await client.request('POST', place, {});
  const found = await listed({});
  const consumers = found.map(({ pact }) => pact.consumer).sort();
  expect(consumers).toEqual(['deployed', 'on-main', 'on-my-branch']);
  for (const { from, pact } of found) {
    expect(from).toContain(`/pacts/provider/selected/consumer/${pact.consumer}/version/1`);
    expect(pact.interactions).toMatchObject([{ id: expect.stringMatching(/^[0-9a-f]{40}$/) }]);
    expect(JSON.stringify(pact.interactions[0]?.document)).not.toContain('_id');
  }
  const own = await listed({ selectors: [{ branch: 'feat/y' }] });
  expect(own.map(({ pact }) => pact.consumer)).toEqual(['elsewhere']);
});

test('a result is stored with what is known of each interaction, and ends the pending status', async ({
  client,
}) => {
  const provider = 'reader-api';
  await put(client, refusalPact('reader', provider, 'a call', 'a second', 'a third'));
  const fetched = () => brokerPacts(client, { provider, branch: 'main', selectors });
  const { sources, publish } = await fetched();
  const by = { version: '3', branch: 'a/b', buildUrl: 'https://ci.example.com/7' };
  for (const source of sources) {
    expect(source.pending).toBe(true);
    const line = 'published: reader-api 3 fails the pact of reader 1';
    expect(
      await publish(resultOf(source, { 'a second': 'failed', 'a third': 'unverified' }), by),
    ).toBe(line);
  }
  const interactionId = expect.stringMatching(/^[0-9a-f]{40}$/);
  const place = '/pacts/provider/reader-api/consumer/reader/latest/verification-results/latest';
  const wrong = { attribute: 'status', expected: '401', actual: '200' };
  expect(await client.get(place, 'result')).toMatchObject({
    success: false,
    providerApplicationVersion: '3',
    buildUrl: by.buildUrl,
    testResults: [
      { interactionId, interactionDescription: 'a call', success: true },
      {
        interactionId,
        success: false,
        mismatches: [{ ...wrong, description: 'status: expected 401, received 200' }],
        exceptions: [{ message: 'the body of the response: a body' }],
      },
      { interactionId, success: false, exceptions: [{ message: 'no test clock' }] },
    ],
    verifiedBy: { implementation: 'public-api-contract', version: expect.any(String) },
  });
  for (const source of sources) await publish(resultOf(source), { version: '4', branch: 'main' });
  expect((await fetched()).sources).toMatchObject([{ pending: false }]);
});

test.describe(() => {
  needs('tinyproxy', 'openssl');

  test('a broker with https is reached by a tunnel, and no password shows', async ({
    broker,
    client,
  }) => {
    await put(client, refusalPact('far', 'far-provider', 'a call'));
    const certificates = await authority();
    const password = 'p4ssw0rd-planted';
    await using proxy = await startTinyproxy(`someone:${password}`);
    const front = await tlsFront(broker.baseUrl, certificates.good, '127.0.0.2');
    const file = test.info().outputPath('ca.pem');
    writeFileSync(file, certificates.cert);
    const verify = (HTTPS_PROXY: string, ca = file) =>
      startVerify(['--no-publish'], {
        ...leadingTo({ baseUrl: front.url }, broker),
        ...{ HTTPS_PROXY, NODE_EXTRA_CA_CERTS: ca },
        ...{ PACT_PROVIDER_NAME: 'far-provider', GIT_BRANCH: 'main' },
        // The broker does not know that it is behind https, so its own links lead elsewhere.
        PACT_URL: new URL('/pacts/provider/far-provider/consumer/far/latest', front.url).href,
      }).ended;
    expect(await verify(proxy.address)).toMatchObject({ exit: 0, stderr: '' });
    expect(proxy.requests()).toContain(`CONNECT ${front.url.host} HTTP/1.1`);
    const stderr = `the Pact Broker at ${front.url.origin} does not answer: GET / through the proxy ${proxy.host}: no connection (the proxy answers 401)\n`;
    const wrong = await verify(proxy.address.replace(password, 'wr0ng-planted'));
    expect(wrong).toMatchObject({ exit: 2, stderr });
    const untrusted = await verify(proxy.address, '');
    expect(untrusted.stderr).toContain('for a private CA set NODE_EXTRA_CA_CERTS\n');
    front.close();
    await certificates.remove();
  });
});
