import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { test as base, expect } from '@playwright/test';
import type { Account } from '../../../pacts/broker/account.ts';
import { type Broker, startBroker } from '../../../pacts/broker/start.ts';

/**
 * Tests that share one empty broker in each worker: what one of them publishes, the next one sees. A file that uses it
 * says `needs('pact-broker')` first.
 */
export const test = base.extend<object, { broker: Broker }>({
  broker: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of the fixtures from it.
    async ({}, use) => {
      const folder = mkdtempSync(path.join(os.tmpdir(), 'broker-'));
      try {
        await using broker = await startBroker({ folder });
        await use(broker);
      } finally {
        rmSync(folder, { recursive: true });
      }
    },
    { scope: 'worker', timeout: 70_000 },
  ],
});

/** Asks a broker as somebody, or as nobody. */
export function ask(
  at: { readonly baseUrl: URL },
  place: string,
  account?: Account,
  body?: object,
): Promise<Response> {
  const { username, password } = account ?? {};
  return fetch(new URL(place, at.baseUrl), {
    ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
    headers: {
      accept: 'application/hal+json',
      'content-type': 'application/json',
      ...(account && { authorization: `Basic ${btoa(`${username}:${password}`)}` }),
    },
  });
}

/** The consumers and providers that a broker knows. */
export async function pacticipants(broker: Broker): Promise<readonly string[]> {
  const answer: { _embedded: { pacticipants: { name: string }[] } } = JSON.parse(
    await (await ask(broker, '/pacticipants', broker)).text(),
  );
  return answer._embedded.pacticipants.map(({ name }) => name);
}

/** The process of a broker, as it says itself. */
export const pidIn = (log: string): number => Number(/PID: (\d+)/.exec(log)?.[1]);

export function runs(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

export { expect };
