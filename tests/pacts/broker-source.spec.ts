import { writeFileSync } from 'node:fs';
import type { Broker } from '../../pacts/broker/broker.ts';
import { brokerPacts } from '../../pacts/broker/source.ts';
import { unverifiedPact } from '../../pacts/verify/pact-verification.ts';
import { authority } from '../client/certificates.ts';
import { tlsFront } from '../client/tls-front.ts';
import { needs } from '../programs.ts';
import { startTinyproxy } from '../proxy/tinyproxy.ts';
import { textOf } from './pact-builder.ts';
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

const fetched = (client: Broker, provider: string, more: object = {}) =>
  brokerPacts(client, { provider, branch: 'main', selectors, ...more });

const consumersOf = ({ sources }: Awaited<ReturnType<typeof fetched>>): string[] =>
  sources.map(({ pact }) => pact.consumer).sort();

const by = (version: string, branch = 'main') => ({ version, branch });
const resultAt = (client: Broker, provider: string, consumer: string) =>
  client.get(
    `/pacts/provider/${provider}/consumer/${consumer}/latest/verification-results/latest`,
    'result',
  );

test('a provider without a pact has nothing to verify, which is reported', async ({ client }) => {
  await expect(fetched(client, 'unknown')).rejects.toThrow(
    'the Pact Broker has no pact of unknown that the selectors choose on branch "main" (PACT_CONSUMER_VERSION_SELECTORS): nothing is verified',
  );
});

test('pacts of main branches, of the same branch and of deployed versions are listed unless selectors are set', async ({
  client,
}) => {
  const of = (consumer: string) => refusalPact(consumer, 'selected', 'a call');
  await put(client, of('on-main'));
  await put(client, of('elsewhere'), '1', 'feat/y');
  await put(client, of('on-my-branch'), '1', 'feat/x');
  await put(client, of('deployed'), '1', 'release');
  const { document } = await client.request('POST', '/environments', {
    name: 'e1',
    production: false,
  });
  const place = `/pacticipants/deployed/versions/1/deployed-versions/environment/${Object(document).uuid}`;
  await client.request('POST', place, {});
  const found = await fetched(client, 'selected', { branch: 'feat/x' });
  expect(consumersOf(found)).toEqual(['deployed', 'on-main', 'on-my-branch']);
  for (const { from, pact } of found.sources) {
    expect(from).toContain(`/pacts/provider/selected/consumer/${pact.consumer}/version/1`);
    expect(JSON.stringify(pact.interactions[0]?.document)).not.toContain('_id');
    expect(pact.interactions[0]?.id).toMatch(/^[0-9a-f]{40}$/);
  }
  const own = await fetched(client, 'selected', { selectors: [{ branch: 'feat/y' }] });
  expect(consumersOf(own)).toEqual(['elsewhere']);
});

test('a pact is pending until it was verified on a branch, then counts', async ({ client }) => {
  await put(client, refusalPact('waiting', 'patient', 'a call'));
  const before = await fetched(client, 'patient');
  expect(before.sources.map(({ pending }) => pending)).toEqual([true]);
  for (const source of before.sources) await before.publish(resultOf(source), by('1'));
  const after = await fetched(client, 'patient');
  expect(after.sources.map(({ pending }) => pending)).toEqual([false]);
});

test('only the pact that a webhook names is used, if it is of this provider', async ({
  broker,
  client,
}) => {
  for (const consumer of ['named', 'other'])
    await put(client, refusalPact(consumer, 'called', 'x'));
  const at = (consumer: string) =>
    new URL(`/pacts/provider/called/consumer/${consumer}/latest`, broker.baseUrl);
  const found = await fetched(client, 'called', { pactUrl: at('named') });
  expect(consumersOf(found)).toEqual(['named']);
  const stranger = fetched(client, 'another', { pactUrl: at('named') });
  await expect(stranger).rejects.toThrow('its provider is "called", not "another"');
  const missing = fetched(client, 'called', { pactUrl: at('unknown') });
  await expect(missing).rejects.toThrow(`the Pact Broker has no pact at ${at('unknown')}`);
});

test('an unreadable pact stops no other, and gets a failed result', async ({ client }) => {
  const names = { consumer: { name: 'strange' }, provider: { name: 'puzzled' } };
  await put(client, textOf([], names));
  await put(client, refusalPact('plain', 'puzzled', 'a call'));
  const pacts = await fetched(client, 'puzzled');
  expect(consumersOf(pacts)).toEqual(['plain', 'strange']);
  const source = pacts.sources.find(({ pact }) => pact.consumer === 'strange');
  if (source === undefined) throw new Error('it is missing');
  const line = 'published: puzzled 1 fails the pact of strange 1';
  expect(await pacts.publish(unverifiedPact(source, ''), by('1'))).toBe(line);
  const exceptions = [{ message: 'it is empty: it has no interactions' }];
  expect(await resultAt(client, 'puzzled', 'strange')).toMatchObject({
    success: false,
    testResults: [{ interactionDescription: 'the whole pact', exceptions }],
  });
});

test("a result is published with its differences and reasons, in Pact's own fields", async ({
  client,
}) => {
  await put(client, refusalPact('reader', 'reader-api', 'a call', 'a second', 'a third'));
  const pacts = await fetched(client, 'reader-api');
  const [source] = pacts.sources;
  if (source === undefined) throw new Error('no pact');
  const buildUrl = 'https://ci.example.com/7';
  const failed = resultOf(source, { 'a second': 'failed', 'a third': 'unverified' });
  const line = 'published: reader-api 3 fails the pact of reader 1';
  expect(await pacts.publish(failed, { ...by('3', 'a/b'), buildUrl })).toBe(line);
  const interactionId = expect.stringMatching(/^[0-9a-f]{40}$/);
  const description = 'status: expected 401, received 200';
  expect(await resultAt(client, 'reader-api', 'reader')).toMatchObject({
    success: false,
    providerApplicationVersion: '3',
    buildUrl,
    testResults: [
      { interactionId, interactionDescription: 'a call', success: true },
      {
        interactionId,
        success: false,
        mismatches: [{ attribute: 'status', description, expected: '401', actual: '200' }],
        exceptions: [{ message: 'the body of the response: a body' }],
      },
      { interactionId, success: false, exceptions: [{ message: 'no test clock' }] },
    ],
    verifiedBy: { implementation: 'public-api-contract', version: expect.any(String) },
  });
  await client.get('/pacticipants/reader-api/branches/a%2Fb/versions/3', 'branch');
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
        HTTPS_PROXY,
        NODE_EXTRA_CA_CERTS: ca,
        PACT_PROVIDER_NAME: 'far-provider',
        // The broker does not know that it is behind https, so its own links lead elsewhere.
        PACT_URL: new URL('/pacts/provider/far-provider/consumer/far/latest', front.url).href,
        GIT_BRANCH: 'main',
      }).ended;
    expect(await verify(proxy.address)).toMatchObject({ exit: 0, stderr: '' });
    expect(proxy.requests()).toContain(`CONNECT ${front.url.host} HTTP/1.1`);
    const wrong = await verify(proxy.address.replace(password, 'wr0ng-planted'));
    expect(wrong).toExitWith(2);
    expect(wrong.stderr).toEqual(
      `the Pact Broker at ${front.url.origin} does not answer: GET / through the proxy ${proxy.host}: no connection (the proxy answers 401)\n`,
    );
    const { stderr } = await verify(proxy.address, '');
    expect(stderr).toContain('for a private CA set NODE_EXTRA_CA_CERTS\n');
    front.close();
    await certificates.remove();
  });
});
