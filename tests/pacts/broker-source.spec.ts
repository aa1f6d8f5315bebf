import { loadPactSettings } from '../../config/settings.ts';
import type { Broker } from '../../pacts/broker/broker.ts';
import { brokerPacts } from '../../pacts/broker/source.ts';
import { unverifiedPact } from '../../pacts/verify/pact-verification.ts';
import { needs } from '../programs.ts';
import { expect } from './broker/broker.ts';
import { by, environment, pactDocument, put, resultOf, selectors, test } from './broker-stage.ts';

needs('pact-broker');
// This file shares one broker with other files, so each test has its own provider.

/** The only pact of a provider. */
async function only(client: Broker, provider: string) {
  const pacts = await brokerPacts(client, { provider, branch: 'main', selectors });
  const [source] = pacts.sources;
  if (source === undefined) throw new Error('no pact');
  return { pacts, source };
}

const resultAt = (provider: string, consumer: string): string =>
  `/pacts/provider/${provider}/consumer/${consumer}/latest/verification-results/latest`;

test('a provider without a pact has nothing to verify, which is reported', async ({ client }) => {
  await expect(
    brokerPacts(client, { provider: 'unknown', branch: 'main', selectors }),
  ).rejects.toThrow(
    'the Pact Broker has no pact of unknown that the selectors choose on branch "main" (PACT_CONSUMER_VERSION_SELECTORS): nothing is verified',
  );
});

test('pacts of main branches, of the same branch and of deployed versions are listed, each with its reason', async ({
  client,
}) => {
  const of = (consumer: string) => pactDocument(consumer, { 'a call': 401 }, 'selected');
  await put(client, of('on-main'), '1');
  await put(client, of('elsewhere'), '1', 'feat/y');
  await put(client, of('on-my-branch'), '1', 'feat/x');
  await put(client, of('deployed'), '1', 'release');
  const { document } = await environment(client, 'e1');
  const { uuid } = document as { uuid: string };
  await client.request(
    'POST',
    `/pacticipants/deployed/versions/1/deployed-versions/environment/${uuid}`,
    {},
  );
  const { sources } = await brokerPacts(client, {
    provider: 'selected',
    branch: 'feat/x',
    selectors,
  });
  expect(sources.map(({ pact }) => pact.consumer).sort()).toEqual([
    'deployed',
    'on-main',
    'on-my-branch',
  ]);
  for (const { from, pact } of sources) {
    expect(from).toContain(`/pacts/provider/selected/consumer/${pact.consumer}/version/1`);
    expect(JSON.stringify(pact.interactions[0]?.document)).not.toContain('_id');
    expect(pact.interactions[0]?.id).toMatch(/^[0-9a-f]{40}$/);
  }
});

test('selectors of the settings replace the recommended ones', async ({ client }) => {
  const of = (consumer: string) => pactDocument(consumer, { 'a call': 401 }, 'choosy');
  await put(client, of('chosen-on-main'), '1');
  await put(client, of('chosen-on-a-branch'), '1', 'release/7');
  const { selectors: chosen } = loadPactSettings({
    file: 'no-such-file',
    env: { PACT_CONSUMER_VERSION_SELECTORS: '[{"branch":"release/7"}]' },
  });
  const { sources } = await brokerPacts(client, {
    provider: 'choosy',
    branch: 'main',
    selectors: chosen,
  });
  expect(sources.map(({ pact }) => pact.consumer)).toEqual(['chosen-on-a-branch']);
});

test('a pact is pending until it was verified on a branch, then counts', async ({ client }) => {
  await put(client, pactDocument('waiting', { 'a call': 401 }, 'patient'), '1');
  const selection = { provider: 'patient', branch: 'main', selectors };
  const before = await brokerPacts(client, selection);
  expect(before.sources.map(({ pending }) => pending)).toEqual([true]);
  for (const source of before.sources) await before.publish(resultOf(source), by('1'));
  const after = await brokerPacts(client, selection);
  expect(after.sources.map(({ pending }) => pending)).toEqual([false]);
});

test('only the pact that a webhook names is used, if it is of this provider', async ({
  broker,
  client,
}) => {
  await put(client, pactDocument('named', { 'a call': 401 }, 'called'), '1');
  await put(client, pactDocument('other', { 'a call': 401 }, 'called'), '1');
  const pactUrl = new URL('/pacts/provider/called/consumer/named/latest', broker.baseUrl);
  const { sources } = await brokerPacts(client, {
    provider: 'called',
    branch: 'main',
    selectors,
    pactUrl,
  });
  expect(sources.map(({ pact }) => pact.consumer)).toEqual(['named']);
  const stranger = brokerPacts(client, { provider: 'another', branch: 'main', selectors, pactUrl });
  await expect(stranger).rejects.toThrow('its provider is "called", not "another"');
  const gone = new URL('/pacts/provider/called/consumer/unknown/latest', broker.baseUrl);
  const missing = brokerPacts(client, {
    provider: 'called',
    branch: 'main',
    selectors,
    pactUrl: gone,
  });
  await expect(missing).rejects.toThrow(`the Pact Broker has no pact at ${gone}`);
});

test('an unreadable pact stops no other, and gets a failed result', async ({ client }) => {
  const strange = { ...pactDocument('strange', { 'a call': 401 }, 'puzzled'), interactions: [] };
  await put(client, strange, '1');
  await put(client, pactDocument('plain', { 'a call': 401 }, 'puzzled'), '1');
  const pacts = await brokerPacts(client, { provider: 'puzzled', branch: 'main', selectors });
  const problems = pacts.sources.map(({ pact }) => [pact.consumer, pact.interactions[0]?.problem]);
  const reason = 'it is empty: it has no interactions';
  expect(Object.fromEntries(problems)).toEqual({ plain: undefined, strange: reason });
  const source = pacts.sources.find(({ pact }) => pact.consumer === 'strange');
  if (source === undefined) throw new Error('it is missing');
  expect(await pacts.publish(unverifiedPact(source, ''), by('1'))).toBe(
    'published: puzzled 1 fails the pact of strange 1',
  );
  expect(await client.get(resultAt('puzzled', 'strange'), 'result')).toMatchObject({
    success: false,
    testResults: [{ interactionDescription: 'the whole pact', exceptions: [{ message: reason }] }],
  });
});

test("a result is published with its differences and reasons, in Pact's own fields", async ({
  client,
}) => {
  const calls = { 'a call': 401, 'a second': 401, 'a third': 401 };
  await put(client, pactDocument('reader', calls, 'reader-api'), '1');
  const { pacts, source } = await only(client, 'reader-api');
  const buildUrl = 'https://ci.example.com/7';
  const failed = resultOf(source, { 'a second': 'failed', 'a third': 'unverified' });
  const line = 'published: reader-api 3 fails the pact of reader 1';
  expect(await pacts.publish(failed, { ...by('3', 'a/b'), buildUrl })).toBe(line);
  const interactionId = expect.stringMatching(/^[0-9a-f]{40}$/);
  const description = 'status: expected 401, received 200';
  expect(await client.get(resultAt('reader-api', 'reader'), 'result')).toMatchObject({
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
