import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { test as base, expect } from '@playwright/test';
import type { Account } from '../../../pacts/broker/account.ts';
import { type Broker, startBroker } from '../../../pacts/broker/start.ts';

/**
 * Tests of brokers. Tests that use `broker` share one in each worker: it starts empty, and later tests see what
 * earlier ones published. `emptyBroker` is the same one, without their data. Other tests start their own in `folder`.
 * A file that uses any of these calls `needs('pact-broker')` first.
 */
export const test = base.extend<{ folder: string; emptyBroker: Broker }, { broker: Broker }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of the fixtures from it.
  folder: async ({}, use) => {
    const folder = freshFolder();
    await use(folder);
    rmSync(folder, { recursive: true });
  },
  emptyBroker: async ({ broker }, use) => {
    await empty(broker);
    await use(broker);
  },
  broker: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of the fixtures from it.
    async ({}, use) => {
      const folder = freshFolder();
      await using broker = await startBroker({ folder });
      await use(broker);
      await broker.stop();
      rmSync(folder, { recursive: true });
    },
    { scope: 'worker', timeout: 240_000 },
  ],
});

/** A folder whose name cannot be used unescaped in an address. */
const freshFolder = (): string => mkdtempSync(path.join(os.tmpdir(), 'broker #1 & 50% ö '));

/** Requests from a broker as a user, or without credentials. */
export function send(
  at: { readonly baseUrl: URL },
  place: string,
  account?: Account,
  body?: object,
  method = body === undefined ? 'GET' : 'POST',
): Promise<Response> {
  const { username, password } = account ?? {};
  return fetch(new URL(place, at.baseUrl), {
    method,
    ...(body && { body: JSON.stringify(body) }),
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
    await (await send(broker, '/pacticipants', broker)).text(),
  );
  return answer._embedded.pacticipants.map(({ name }) => name);
}

export async function empty(broker: Broker): Promise<void> {
  for (const kind of ['pacticipants', 'environments']) await removeAll(broker, kind);
}

/** Removes all consumers and providers, with all that belongs to them, or all environments. */
async function removeAll(broker: Broker, kind: string): Promise<void> {
  const answer: { _embedded: Record<string, { _links: { self: { href: string } } }[]> } =
    JSON.parse(await (await send(broker, `/${kind}`, broker)).text());
  for (const { _links: links } of answer._embedded[kind] ?? []) {
    const { status } = await send(broker, links.self.href, broker, undefined, 'DELETE');
    expect(status).toBe(204);
  }
}

/** The process id of a broker, from its log. */
export const pidIn = (log: string): number => Number(/PID: (\d+)/.exec(log)?.[1]);

export function runs(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

export { expect };
