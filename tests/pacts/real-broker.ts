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

/**
 * Tests with real brokers. Those that use `broker` share one in each worker: later tests see what earlier ones
 * published. `client` is its client, as a user with all rights. Others start their own in `folder`. A file that uses
 * any of these calls `needs('pact-broker')` first.
 */
export const test = base.extend<{ folder: string; client: Broker }, { broker: LocalBroker }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of the fixtures from it.
  folder: async ({}, use) => {
    const folder = freshFolder();
    await use(folder);
    rmSync(folder, { recursive: true });
  },
  client: async ({ broker }, use) => use(await clientOf(broker)),
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

export const clientOf = ({ baseUrl, username, password }: LocalBroker): Promise<Broker> =>
  openBroker({
    baseUrl,
    timeoutMs: 60_000,
    credentials: { username, password: new Secret(password) },
  });

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
  const reply = await client.request('POST', '/contracts/publish', {
    pacticipantName: consumer.name,
    pacticipantVersionNumber: version,
    branch,
    contracts: [
      {
        ...{ consumerName: consumer.name, providerName: provider.name },
        ...{ specification: 'pact', contentType: 'application/json' },
        content: Buffer.from(text).toString('base64'),
      },
    ],
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
    const ending: InteractionResult['ending'] = endings[interaction.description] ?? 'verified';
    const general = { interaction, ending, warnings: [], mismatches: [] };
    if (ending === 'unverified') return { ...general, reason: 'no test clock' };
    const what = 'status: expected 401, received 200';
    const wrong = { what, attribute: 'status', expected: '401', received: '200' } as const;
    return ending === 'verified' ? general : { ...general, body: 'a body', mismatches: [wrong] };
  }),
});

export { expect };
