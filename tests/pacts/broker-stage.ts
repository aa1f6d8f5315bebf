import { mkdtempSync } from 'node:fs';
import path from 'node:path';
import { loadPactSettings } from '../../config/settings.ts';
import { Secret } from '../../contract/secrets/secret.ts';
import { type Broker, openBroker } from '../../pacts/broker/broker.ts';
import type { Checkout } from '../../pacts/broker/checkout.ts';
import type { InteractionResult, PactResult, Source } from '../../pacts/verify/verification.ts';
import type { Account, LocalBroker } from '../../tools/broker/start.ts';
import { type Environment, ours, startNode } from '../process.ts';
import { test as base } from './broker/broker.ts';

/** Tests get a client of the broker that they share, as a user with all rights. */
export const test = base.extend<{ client: Broker }>({
  client: async ({ broker }, use) => use(await clientOf(broker)),
});

/** The selectors that hold unless others are set. */
export const { selectors } = loadPactSettings({ file: 'no-such-file', env: {} });

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

/** A client of the broker, as a user with all rights. */
export const clientOf = ({ baseUrl, username, password }: LocalBroker): Promise<Broker> =>
  openBroker({
    baseUrl,
    timeoutMs: 60_000,
    credentials: { username, password: new Secret(password) },
  });

export const environment = (client: Broker, name: string) =>
  client.request('POST', '/environments', { name, production: false });

/** A pact without values from a state. @param interactions the expected status of each, by its description */
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
  client: Broker,
  document: ReturnType<typeof pactDocument>,
  version: string,
  branch = 'main',
): Promise<void> {
  const consumerName = document.consumer.name;
  const content = Buffer.from(JSON.stringify(document)).toString('base64');
  const kind = { specification: 'pact', contentType: 'application/json' };
  const reply = await client.request('POST', '/contracts/publish', {
    pacticipantName: consumerName,
    pacticipantVersionNumber: version,
    branch,
    contracts: [{ consumerName, providerName: document.provider.name, ...kind, content }],
  });
  if (!reply.ok) throw new Error(reply.why);
}

/** A result in which all interactions passed, except those with an ending here. */
export const resultOf = (source: Source, endings: Endings = {}): PactResult => ({
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

type Endings = Readonly<Record<string, 'failed' | 'unverified'>>;

export const by = (version: string, branch = 'main'): Checkout => ({ version, branch });
