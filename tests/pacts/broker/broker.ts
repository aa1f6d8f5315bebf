import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { test as base, expect } from '@playwright/test';
import { type Account, type LocalBroker, startBroker } from '../../../tools/broker/start.ts';

/**
 * Tests of brokers. Tests that use `broker` share one in each worker: it starts empty, and later tests see what
 * earlier ones published. `emptyBroker` is the same one, without their data. Other tests start their own in `folder`.
 * A file that uses any of these calls `needs('pact-broker')` first.
 */
export const test = base.extend<
  { folder: string; emptyBroker: LocalBroker },
  { broker: LocalBroker }
>({
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
      {
        await using broker = await startBroker(folder);
        await use(broker);
      }
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
export async function pacticipants(
  broker: Account & { readonly baseUrl: URL },
): Promise<readonly string[]> {
  const answer: { _embedded: { pacticipants: { name: string }[] } } = JSON.parse(
    await (await send(broker, '/pacticipants', broker)).text(),
  );
  return answer._embedded.pacticipants.map(({ name }) => name);
}

export async function empty(broker: LocalBroker): Promise<void> {
  for (const kind of ['pacticipants', 'environments']) await removeAll(broker, kind);
}

/** Removes all consumers and providers, with all that belongs to them, or all environments. */
async function removeAll(broker: LocalBroker, kind: string): Promise<void> {
  const answer: { _embedded: Record<string, { _links: { self: { href: string } } }[]> } =
    JSON.parse(await (await send(broker, `/${kind}`, broker)).text());
  for (const { _links: links } of answer._embedded[kind] ?? []) {
    const { status } = await send(broker, links.self.href, broker, undefined, 'DELETE');
    expect(status).toBe(204);
  }
}

export { expect };
