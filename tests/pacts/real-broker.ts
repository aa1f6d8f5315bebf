import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { loadPactSettings } from '../../config/settings.ts';
import { Secret } from '../../contract/secrets/secret.ts';
import { type Broker, openBroker } from '../../pacts/broker/broker.ts';
import type { InteractionResult, PactResult, Source } from '../../pacts/verify/verification.ts';
import { type Account, type LocalBroker, startBroker } from '../../tools/broker/start.ts';
import { type Environment, ours, startNode } from '../process.ts';
import { test as base, expect } from '../test.ts';
import { interaction, textOf } from './pact-builder.ts';

/** Works in a folder whose name cannot be used unescaped in an address. */
async function inFolder(use: (folder: string) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'broker #1 & 50% ö '));
  await use(folder);
  rmSync(folder, { recursive: true });
}

/**
 * Tests with real brokers. Those that use `broker` share one in each worker: later tests see what earlier ones
 * published. `client` is its client, as a user with all rights. Others start their own in `folder`. A file that uses
 * any of these calls `needs('pact-broker')` first.
 */
export const test = base.extend<{ folder: string; client: Broker }, { broker: LocalBroker }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of the fixtures from it.
  folder: ({}, use) => inFolder(use),
  client: async ({ broker }, use) => use(await clientOf(broker)),
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

export const clientOf = ({ baseUrl, username, password }: LocalBroker): Promise<Broker> => {
  const credentials = { username, password: new Secret(password) };
  return openBroker({ baseUrl, timeoutMs: 60_000, credentials });
};

/** The settings with the address of a broker and the credentials of one of its users. */
export const leadingTo = (
  { baseUrl }: { readonly baseUrl: URL },
  { username, password }: Account,
): Environment => ({
  PACT_BROKER_BASE_URL: baseUrl.href,
  PACT_BROKER_USERNAME: username,
  PACT_BROKER_PASSWORD: password,
});

/** Starts `npm run pact:verify` in a folder of its own. */
export function startVerify(args: readonly string[], env: Environment) {
  const cwd = mkdtempSync(path.join(test.info().outputPath(), 'run-'));
  return startNode(cwd, [ours('pacts/verify/main.ts'), ...args], env);
}

/** The selectors that hold unless others are set. */
export const { selectors } = loadPactSettings({ file: 'no-such-file', env: {} });

/** The text of a pact of calls without a token, which are refused. */
export const refusalPact = (consumer: string, provider: string, ...calls: readonly string[]) =>
  textOf(
    calls.map((name) => interaction(name, [], { response: { status: 401 } })),
    { consumer: { name: consumer }, provider: { name: provider } },
  );

/** Publishes the text of a pact to a broker, as a version of its consumer. */
export async function put(client: Broker, text: string, version = '1', branch = 'main') {
  const { consumer, provider } = JSON.parse(text);
  const contract = {
    ...{ consumerName: consumer.name, providerName: provider.name },
    ...{ specification: 'pact', contentType: 'application/json' },
    content: Buffer.from(text).toString('base64'),
  };
  const reply = await client.request('POST', '/contracts/publish', {
    ...{ pacticipantName: consumer.name, pacticipantVersionNumber: version, branch },
    contracts: [contract],
  });
  if (!reply.ok) throw new Error(reply.why);
}

/** A result in which all interactions passed, except those with an ending here. */
export const resultOf = (
  source: Source,
  endings: Readonly<Record<string, 'failed' | 'unverified'>> = {},
): PactResult => ({
  source,
  interactions: source.pact.interactions.map((interaction): InteractionResult => {
    const ending = endings[interaction.description];
    const general = { interaction, warnings: [], mismatches: [] };
    if (ending === undefined) return { ...general, ending: 'verified' };
    if (ending === 'unverified') return { ...general, ending, reason: 'no test clock' };
    const what = 'status: expected 401, received 200';
    const wrong = { what, attribute: 'status', expected: '401', received: '200' } as const;
    return { ...general, ending, body: 'a body', mismatches: [wrong] };
  }),
});

export { expect };
