import type { PactSettings } from '../../config/settings.ts';
import { days } from '../../contract/durations.ts';
import { version as ownVersion } from '../../contract/http/http-request.ts';
import { at, textIn } from '../../contract/json-value.ts';
import { list, PactError, readPact } from '../pact.ts';
import type { InteractionResult, PactResult, Source } from '../verification.ts';
import { type Broker, BrokerError, buildPath, findLink, oneLine } from './broker.ts';
import type { Checkout } from './checkout.ts';

/** Which pacts of a provider to fetch, and its branch. One is named by a webhook. */
type Selection = Pick<PactSettings, 'selectors' | 'pactUrl'> &
  Pick<Checkout, 'branch'> & { readonly provider: string };

/** The period in which a pact that was never verified counts as work in progress. */
const wipDays = 30;

/**
 * Fetches the pacts that a provider must verify: those of the selected consumer versions, including pending pacts.
 * On the provider's main branch, work-in-progress pacts are included too.
 * @throws BrokerError when there is no pact, PactError when one is of another provider
 */
export async function brokerPacts(broker: Broker, selection: Selection): Promise<Source[]> {
  const { pactUrl, provider } = selection;
  const wanted = pactUrl
    ? [{ place: pactUrl.href, pending: false }]
    : await wantedPacts(broker, selection);
  const sources: Source[] = [];
  for (const { place, pending } of wanted) {
    const document = await broker.get(place, `pact at ${place}`);
    const from = findLink(document, 'self') ?? place;
    const pact = readPact(JSON.stringify(document), provider);
    if (pact.provider !== provider)
      throw new PactError(
        `${from}: its provider is "${pact.provider}", not "${provider}": set PACT_PROVIDER_NAME if that is this provider`,
      );
    sources.push({ pact, from, pending, document });
  }
  return sources;
}

async function wantedPacts(broker: Broker, { provider, branch, selectors }: Selection) {
  const known = await broker.request('GET', buildPath`/pacticipants/${provider}`);
  const onMain = textIn(known.document, 'mainBranch') === branch;
  const since = new Date(Date.now() - days(wipDays)).toISOString().slice(0, 10);
  const reply = await broker.request(
    'POST',
    buildPath`/pacts/provider/${provider}/for-verification`,
    {
      consumerVersionSelectors: selectors,
      includePendingStatus: true,
      providerVersionBranch: branch,
      ...(onMain ? { includeWipPactsSince: since } : {}),
    },
  );
  if (!reply.ok && reply.status !== 404)
    throw new BrokerError(`the Pact Broker does not say what to verify: ${reply.why}`);
  const wanted = list(at(reply.document, '_embedded', 'pacts')).map((entry) => ({
    place: findLink(entry, 'self') ?? '',
    // Work in progress counts as pending.
    pending: at(entry, 'verificationProperties', 'pending') === true,
  }));
  if (wanted.length > 0) return wanted;
  throw new BrokerError(
    `the Pact Broker has no pact of ${provider} that the selectors choose on branch "${branch}" (PACT_CONSUMER_VERSION_SELECTORS): nothing is verified`,
  );
}

/**
 * Publishes a result through the broker's documented API. The official verifiers print a line when publishing fails,
 * but still succeed. The broker knows only success and failure, so an unverified interaction fails its pact, with its
 * reason: its consumer would otherwise wait for a result forever.
 * @throws BrokerError
 */
export async function publishResult(
  broker: Broker,
  { source: { pact, from, document }, interactions }: PactResult,
  { version, branch, buildUrl }: Checkout,
): Promise<string> {
  const { provider, consumer: name } = pact;
  // A run may verify the pacts of several versions of a consumer.
  const consumerVersion = textIn(document, '_links', 'pb:consumer-version', 'name') ?? '';
  const success = interactions.every(({ ending }) => ending === 'verified');
  const place = findLink(document, 'pb:publish-verification-results');
  if (place === undefined) throw new BrokerError(`the Pact Broker takes no results: ${from}`);
  const versioned = buildPath`/pacticipants/${provider}/branches/${branch}/versions/${version}`;
  const sent = {
    success,
    providerApplicationVersion: version,
    buildUrl,
    testResults: interactions.map(toTestResult),
    verifiedBy: { implementation: 'public-api-contract', version: ownVersion },
  };
  for (const [method, where, body] of [
    ['PUT', versioned, {}],
    ['POST', place, sent],
  ] as const) {
    const { ok, why } = await broker.request(method, where, body);
    if (!ok) throw new BrokerError(`the Pact Broker refuses the result: ${why}`);
  }
  const consumer = oneLine(`${name} ${consumerVersion}`);
  return `published: ${provider} ${version} ${success ? 'keeps' : 'fails'} the pact of ${consumer}`;
}

/** The format of Pact's own verifiers. */
function toTestResult({ interaction, mismatches, ...result }: InteractionResult) {
  const { ending, reason, body, likely, warnings, remarks } = result;
  const messages = [
    reason,
    likely,
    body && `the body of the response: ${body}`,
    ...(ending === 'verified' ? [] : warnings),
  ].filter((message) => message !== undefined);
  return {
    interactionId: interaction.id,
    interactionDescription: interaction.description,
    success: ending === 'verified',
    remarks,
    exceptions: messages.map((message) => ({ message })),
    mismatches: mismatches.map(({ what: description, received: actual, ...mismatch }) => ({
      ...mismatch,
      description,
      actual,
    })),
  };
}
