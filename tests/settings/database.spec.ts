import { fileURLToPath } from 'node:url';
import { expect, test } from '@playwright/test';
import { Secret } from '../../contract/secrets/secret.ts';
import { readSettings } from '../../settings.ts';

const targets = fileURLToPath(new URL('../../monitor.example.yaml', import.meta.url));

for (const [title, address] of [
  [
    'with a host',
    'postgres://monitor:<DATABASE_PASSWORD>@db.example.com:5432/fleet?sslmode=require',
  ],
  ['on a socket', 'postgresql://monitor@/fleet?host=/run/postgresql'],
  ['in the other scheme', 'POSTGRESQL://db.example.com/fleet'],
] as const)
  test(`an address ${title} names the database of a fleet, and is a secret`, () => {
    const { monitor } = readSettings({ MONITOR_STATE: address, MONITOR_CONFIG: targets });
    expect(monitor.database?.equals(new Secret(address))).toBe(true);
    expect(monitor.state).toBeUndefined();
    expect(JSON.stringify(monitor)).not.toContain('/fleet?');
  });

test('the address of a database is read from a file', () => {
  const file = fileURLToPath(new URL('files/database', import.meta.url));
  const { monitor } = readSettings({ MONITOR_STATE_FILE: file, MONITOR_CONFIG: targets });
  expect(monitor.database?.is((text) => text.endsWith('/fleet?sslmode=require'))).toBe(true);
});
