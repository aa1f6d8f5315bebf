import { writeFileSync } from 'node:fs';
import { expect, test } from '@playwright/test';
import { Secret } from '../../contract/secrets/secret.ts';
import { PostgresDatabase } from '../../monitor/fleet/postgres.ts';
import { type Authority, authority } from '../client/certificates.ts';
import { needs } from '../programs.ts';
import { type Cluster, passwordMark, startCluster } from './cluster.ts';

needs('postgres', 'openssl');

let [ca, good, elsewhere, plain]: [Authority?, Cluster?, Cluster?, Cluster?] = [];

test.beforeAll(async () => {
  ca = await authority();
  [good, elsewhere, plain] = await Promise.all([
    startCluster({ certificate: ca.good }),
    startCluster({ certificate: ca.elsewhere }),
    startCluster({}),
  ]);
});
test.afterAll(async () => {
  for (const cluster of [good, elsewhere, plain]) await cluster?.[Symbol.asyncDispose]();
  await ca?.remove();
});

/** The result of the first heartbeat to a database. */
async function joined(cluster: Cluster | undefined, more: (address: string) => string) {
  const database = new PostgresDatabase(new Secret(more((await cluster?.database()) ?? '')));
  const member = { id: 'one', authority: 'one:9797', version: '1.2.3' };
  const nothing = { release: [], dead: [], take: 0, names: [], leaves: false };
  try {
    const { members } = await database.beat({ member, leaseMs: 15_000, ...nothing });
    return members.length === 1 ? 'joined' : 'alone';
  } catch (error) {
    return error instanceof Error ? error.message : 'unknown';
  } finally {
    await database.close();
  }
}

const trusted = (): string => {
  const file = test.info().outputPath('ca.pem');
  writeFileSync(file, ca?.cert ?? '');
  return `&sslrootcert=${encodeURIComponent(file)}`;
};

const untrusted = /^the database in MONITOR_STATE has no certificate that is trusted \(\w+\)$/;

test('a database with a certificate of the named authority is joined', async () => {
  const mode = `?sslmode=verify-full${trusted()}`;
  expect(await joined(good, (address) => address + mode)).toBe('joined');
});

test('a certificate of an unknown authority, and one for another name, are refused', async () => {
  const bare = '?sslmode=verify-full';
  expect(await joined(good, (address) => address + bare)).toMatch(untrusted);
  const mode = bare + trusted();
  expect(await joined(elsewhere, (address) => address + mode)).toMatch(untrusted);
});

test('a certificate for another name is enough for verify-ca, and any for require', async () => {
  const mode = `?sslmode=verify-ca${trusted()}`;
  expect(await joined(elsewhere, (address) => address + mode)).toBe('joined');
  expect(await joined(elsewhere, (address) => `${address}?sslmode=require`)).toBe('joined');
});

test('a database without TLS is refused where TLS is wanted', async () => {
  expect(await joined(plain, (address) => `${address}?sslmode=require`)).toBe(
    'the database in MONITOR_STATE does not speak TLS: correct sslmode in MONITOR_STATE',
  );
  expect(await joined(plain, (address) => address)).toBe('joined');
});

test('a wrong password is refused without being shown', async () => {
  const message = await joined(plain, (address) => address.replace(passwordMark, 'wrongPASSWORD'));
  expect(message).toBe(
    'the database in MONITOR_STATE does not accept the password: correct MONITOR_STATE',
  );
});
