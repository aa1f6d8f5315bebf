import { mkdtempSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { Secret } from '../../contract/secrets/secret.ts';
import { endOf } from '../../contract/user-error.ts';
import type { Account } from '../../pacts/broker/account.ts';
import type { Broker } from '../../pacts/broker/start.ts';
import { type Broker as Client, openBroker } from '../../pacts/flow/broker.ts';
import { runFlow } from '../../pacts/flow/commands.ts';
import type { ProviderVersion } from '../../pacts/flow/results.ts';
import type { PactResult, Source } from '../../pacts/verify/verification.ts';
import { type Environment, ours, type Ran, startNode } from '../process.ts';
import { test as base } from './broker/broker.ts';

/** Tests get a client of the broker that they share, as a user with all rights. */
export const test = base.extend<{ client: Client }>({
  client: async ({ broker }, use) => use(await clientOf(broker)),
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

/** Starts one of our programs in its own folder. */
export function start(program: string, args: readonly string[], env: Environment) {
  const cwd = mkdtempSync(path.join(test.info().outputPath(), 'run-'));
  return { ...startNode(cwd, [ours(program), ...args], env), cwd };
}

/**
 * Runs `npm run pact:…` with a version and a branch, in this process, because that is faster. The developer who
 * runs it has an `.env`.
 */
export async function flow(
  words: readonly string[],
  env: Environment,
  version = '1',
  branch = 'main',
): Promise<Ran> {
  let stdout = '';
  const out = (text: string): void => {
    stdout += text;
  };
  const all = { GIT_COMMIT: version, GIT_BRANCH: branch, ...env };
  try {
    const exit = await runFlow(words, { out, from: { env: all, file: 'no-such-file' } });
    return { exit, stdout, stderr: '' };
  } catch (error) {
    const { text, exit } = endOf(error);
    return { exit, stdout, stderr: `${text}\n` };
  }
}

/** The client of the flow, as a user with all rights. */
export const clientOf = ({ baseUrl, username, password }: Broker): Promise<Client> =>
  openBroker({
    baseUrl,
    timeoutMs: 10_000,
    credentials: { username, password: new Secret(password) },
  });

export const environment = (client: Client, name: string) =>
  client.request('POST', '/environments', { name, production: false });

/** Writes a pact without values from a state into a file. */
export function pactFile(
  consumer: string,
  interactions: Readonly<Record<string, number>>,
  provider = 'public-api',
): string {
  const file = path.join(mkdtempSync(path.join(test.info().outputPath(), 'pact-')), 'pact.json');
  writeFileSync(file, JSON.stringify(pactDocument(consumer, interactions, provider)));
  return file;
}

/** @param interactions the expected status of each, by its description */
export const pactDocument = (
  consumer: string,
  interactions: Readonly<Record<string, number>>,
  provider = 'public-api',
) => ({
  consumer: { name: consumer },
  provider: { name: provider },
  interactions: Object.entries(interactions).map(([description, status]) => ({
    type: 'Synchronous/HTTP',
    description,
    providerStates: [{ name: 'a token made {hours} hours ago', params: { hours: 25 } }],
    request: { method: 'GET', path: '/public-api/v1/widgets' },
    response: { status },
  })),
  metadata: { pactSpecification: { version: '4.0' } },
});

/** Publishes a pact to a broker, as a version of its consumer. */
export async function put(
  client: Client,
  document: ReturnType<typeof pactDocument>,
  version: string,
  branch = 'main',
): Promise<void> {
  const consumerName = document.consumer.name;
  const providerName = document.provider.name;
  const content = Buffer.from(JSON.stringify(document)).toString('base64');
  const reply = await client.request('POST', '/contracts/publish', {
    pacticipantName: consumerName,
    pacticipantVersionNumber: version,
    branch,
    contracts: [
      {
        consumerName,
        providerName,
        specification: 'pact',
        contentType: 'application/json',
        content,
      },
    ],
  });
  if (!reply.ok) throw new Error(reply.why);
}

/** A result in which all interactions passed, except those with an ending here. */
export const resultOf = (source: Source, endings: Endings = {}): PactResult => ({
  source,
  interactions: source.pact.interactions.map((interaction) => {
    const ending = endings[interaction.description];
    if (ending === 'failed')
      return {
        interaction,
        ending,
        mismatches: [
          { what: 'status: expected 401, received 200', expected: '401', received: '200' },
        ],
      };
    return { interaction, ending: ending === 'unverified' ? ending : 'verified', mismatches: [] };
  }),
});

type Endings = Readonly<Record<string, 'failed' | 'unverified'>>;

export const by = (version: string, branch = 'main'): ProviderVersion => ({ version, branch });
