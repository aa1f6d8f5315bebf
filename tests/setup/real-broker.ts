import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { Secret } from '../../contract/secrets/secret.ts';
import { type Broker, openBroker } from '../../pacts/broker/broker.ts';
import { type LocalBroker, startBroker } from '../../tools/broker/start.ts';
import type { Environment } from '../process.ts';
import { test as base, expect } from '../test.ts';

/** Works in a folder whose name cannot be used unescaped in an address. */
async function inFolder(use: (folder: string) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'broker #1 & 50% ö '));
  await use(folder);
  rmSync(folder, { recursive: true });
}

/**
 * Tests with real brokers. Those that use `broker` share one in each worker: later tests see what earlier ones
 * published. Others start their own in `folder`. A file that uses any of these calls `needs('pact-broker')` first.
 */
export const test = base.extend<{ folder: string }, { broker: LocalBroker }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of the fixtures from it.
  folder: ({}, use) => inFolder(use),
  broker: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of the fixtures from it.
    ({}, use) =>
      inFolder(async (folder) => {
        await using broker = await startBroker(folder);
        await use(broker);
      }),
    { scope: 'worker', timeout: 240_000 },
  ],
});

/** The client of a user with all rights. */
export const clientOf = ({ baseUrl, username, password }: LocalBroker): Promise<Broker> => {
  const credentials = { username, password: new Secret(password) };
  return openBroker({ baseUrl, timeoutMs: 60_000, credentials });
};

/** The settings with the address of a broker and its credentials. */
export const leadingTo = ({ baseUrl, username, password }: LocalBroker): Environment => ({
  PACT_BROKER_BASE_URL: baseUrl.href,
  PACT_BROKER_USERNAME: username,
  PACT_BROKER_PASSWORD: password,
});

export { expect };
