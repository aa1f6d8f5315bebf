import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { needs } from '../programs.ts';
import { expect, pacticipants } from './broker/broker.ts';
import { index, serve, serveBroker } from './fake-broker.ts';
import { flow, leadingTo, pactDocument, pactFile, test } from './flow-stage.ts';

needs('pact-broker');
// This file shares one broker with other files, so each test has its own consumer.

test('the pacts of this project are published, with version and branch, and again without a change', async ({
  broker,
  client,
}) => {
  const env = leadingTo(broker, broker);
  const message = {
    exit: 0,
    stderr: '',
    stdout: `published: public-api-monitor 1 with public-api, ${broker.baseUrl.origin}\n`,
  };
  expect(await flow(['publish'], env, '1', 'feat/x')).toEqual(message);
  expect(await flow(['publish'], env, '1', 'feat/x')).toEqual(message);
  const place = '/pacticipants/public-api-monitor/branches/feat%2Fx/versions/1';
  expect((await client.request('GET', place)).ok).toBe(true);
});

test('files of another consumer are published when they are named', async ({ broker, client }) => {
  const file = pactFile('named-consumer', { 'a call': 401 });
  const ran = await flow(['publish', file], leadingTo(broker, broker));
  expect(ran.stdout).toContain('published: named-consumer 1 with public-api');
  const place = '/pacts/provider/public-api/consumer/named-consumer/version/1';
  const { interactions } = JSON.parse(readFileSync(file, 'utf8'));
  const there = (await client.get(place, 'pact')) as { interactions: { _id: string }[] };
  const bare = there.interactions.map(({ _id, ...interaction }) => interaction);
  expect(isDeepStrictEqual(bare, interactions)).toBe(true);
});

test('other content under the same version is refused, and the broker keeps the first', async ({
  broker,
}) => {
  const env = leadingTo(broker, broker);
  await flow(['publish', pactFile('moving-consumer', { 'a call': 401 })], env);
  const changed = pactFile('moving-consumer', { 'another call': 401 });
  expect(await flow(['publish', changed], env)).toEqual({
    exit: 2,
    stdout: '',
    stderr:
      'the Pact Broker has other pacts of moving-consumer 1, and a version does not change: commit, and publish the new version\n',
  });
});

test('a read-only user publishes nothing, and that is reported', async ({ broker }) => {
  const file = pactFile('read-only-consumer', { 'a call': 401 });
  const ran = await flow(['publish', file], leadingTo(broker, broker.readOnly));
  expect([ran.exit, ran.stdout]).toEqual([2, '']);
  expect(ran.stderr).toContain('lets these credentials read, but not do this');
  expect(await pacticipants(broker)).not.toContain('read-only-consumer');
});

test('missing settings mean no broker, for every command, and never a success', async () => {
  for (const args of [
    ['publish'],
    ['can-i-deploy', '--pacticipant', 'x', '--to-environment', 'y'],
    ['record-deployment', '--pacticipant', 'x', '--environment', 'y'],
    ['setup'],
  ])
    expect(await flow(args, {})).toEqual({
      exit: 2,
      stdout: '',
      stderr: 'no Pact Broker is configured: set PACT_BROKER_BASE_URL\n',
    });
});

test('each command prints its usage, without any setting', async () => {
  for (const name of ['publish', 'can-i-deploy', 'record-deployment', 'setup']) {
    const { exit, stdout, stderr } = await flow([name, '--help'], { PACT_URL: 'x' });
    expect([exit, stderr]).toEqual([0, '']);
    expect(stdout).toMatch(new RegExp(`^npm run pact:${name}\\b`));
    expect(stdout).toMatch(/Exit codes: 0 .* 2 .* 3 a defect of this suite/s);
  }
  expect((await flow(['pubish'], {})).exit).toBe(2);
});

test('pacts of two consumers, or pacts that the lint refuses, are not sent', async () => {
  await using server = await serve(() => index);
  const env = { PACT_BROKER_BASE_URL: server.url };
  const one = pactFile('one', { 'a call': 401 });
  const other = pactFile('other', { 'a call': 401 });
  expect((await flow(['publish', one, other], env)).stderr).toMatch(
    /^these are pacts of (one|other) and of (one|other): publish one consumer's at a time\n$/,
  );
  const wrong = pactFile('wrong', { 'a call': 401 });
  writeFileSync(wrong, readFileSync(wrong, 'utf8').replace('/public-api/v1/', '/v1/'));
  const refused = await flow(['publish', wrong], env);
  expect([refused.exit, refused.stdout]).toEqual([2, '']);
  expect(refused.stderr).toContain('does not lie below /public-api/v1/');
  expect(server.arrived).toEqual([]);
});

test('two pacts of one consumer are not sent, because the broker would keep one of them', async () => {
  await using server = await serve(() => index);
  const env = { PACT_BROKER_BASE_URL: server.url };
  const one = pactFile('one', { 'a call': 401 });
  const other = pactFile('one', { 'a call': 200 });
  const { exit, stdout, stderr } = await flow(['publish', one, other], env);
  expect([exit, stdout, server.arrived]).toEqual([2, '', []]);
  expect(stderr).toMatch(
    / and .* are two pacts of one, whose version has one: merge them [^\n]*\n$/,
  );
  const copy = pactFile('one', { 'a call': 401 });
  expect((await flow(['publish', one, copy, '--dry-run'], env)).exit).toBe(0);
});

test('a file that is not a readable pact is refused, and the other pacts are published', async () => {
  await using server = await serve(() => index);
  const one = pactFile('one', { 'a call': 401 });
  const unread = pactFile('unread', {});
  writeFileSync(unread, '{"consumer":');
  const args = ['publish', one, unread, '--version', '1', '--branch', 'main', '--dry-run'];
  const { exit, stdout, stderr } = await flow(args, { PACT_BROKER_BASE_URL: server.url });
  expect([exit, stdout]).toEqual([2, `would be published: one 1 with public-api, ${server.url}\n`]);
  expect(stderr).toMatch(/: it is not JSON\n$/);
});

test('a pact of another provider in the folder is passed over, and the others are published', async () => {
  await using server = await serve(() => index);
  const one = pactFile('one', { 'a call': 401 });
  const other = pactDocument('other', { 'a call': 401 }, 'billing');
  writeFileSync(path.join(path.dirname(one), 'other.json'), JSON.stringify(other));
  const args = ['publish', path.dirname(one), '--version', '1', '--branch', 'main', '--dry-run'];
  const { exit, stdout } = await flow(args, { PACT_BROKER_BASE_URL: server.url });
  expect(exit).toBe(0);
  expect(stdout).toContain('passed over, its provider is "billing"\n');
  expect(stdout).toContain('would be published: one 1 with public-api, ');
});

test('a broker that accepts a pact and does not store it is reported', async () => {
  await using server = await serveBroker(({ method }) =>
    method === 'POST' ? { body: {} } : { status: 404, body: { error: 'not here' } },
  );
  const file = pactFile('lost-consumer', { 'a call': 401 });
  expect(await flow(['publish', file], { PACT_BROKER_BASE_URL: server.url })).toEqual({
    exit: 2,
    stdout: '',
    stderr: 'the Pact Broker does not have the pact that was published: not here\n',
  });
});
