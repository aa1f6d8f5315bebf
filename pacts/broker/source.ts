import type { PactSettings } from '../../config/settings.ts';
import { at, textIn } from '../../contract/json-value.ts';
import { checkProvider } from '../local.ts';
import { list, readPact } from '../pact.ts';
import type { PactResult, Source } from '../verify/verification.ts';
import { type Broker, BrokerError, linkOf, pathOf } from './broker.ts';
import type { Checkout } from './checkout.ts';
import { publishedResult } from './results.ts';

/** Which pacts of a provider to fetch, and its branch. One is named by a webhook. */
interface Selection extends Pick<PactSettings, 'selectors'>, Pick<Checkout, 'branch'> {
  readonly pactUrl?: URL;
  readonly provider: string;
}

/** The period in which a pact that was never verified counts as work in progress. */
const wipDays = 30;

/**
 * Fetches the pacts that a provider must verify: those of the selected consumer versions, including pending pacts.
 * On the provider's main branch, work-in-progress pacts are included too.
 * @returns them, and a function that publishes the result of one, without secrets: it returns a line, or throws
 * @throws BrokerError when there is no pact
 */
export async function brokerPacts(broker: Broker, selection: Selection) {
  const { pactUrl, provider } = selection;
  const wanted =
    pactUrl === undefined
      ? await wantedPacts(broker, selection)
      : [{ place: pactUrl.href, pending: false }];
  const documents = new Map<Source, unknown>();
  for (const { place, pending } of wanted) {
    const document = await broker.get(place, `pact at ${place}`);
    const from = linkOf(document, 'self') ?? place;
    const pact = readPact(JSON.stringify(document), provider);
    checkProvider(pact, provider, from);
    documents.set({ pact, from, pending }, document);
  }
  return {
    sources: [...documents.keys()],
    publish: (result: PactResult, by: Checkout): Promise<string> =>
      publishedResult(broker, documents.get(result.source), result, by),
  };
}

async function wantedPacts(broker: Broker, { provider, branch, selectors }: Selection) {
  const known = await broker.request('GET', pathOf`/pacticipants/${provider}`);
  const onMain = textIn(known.document, 'mainBranch') === branch;
  const since = new Date(Date.now() - wipDays * 86_400_000).toISOString().slice(0, 10);
  const reply = await broker.request('POST', pathOf`/pacts/provider/${provider}/for-verification`, {
    consumerVersionSelectors: selectors,
    includePendingStatus: true,
    providerVersionBranch: branch,
    ...(onMain ? { includeWipPactsSince: since } : {}),
  });
  if (!reply.ok && reply.status !== 404)
    throw new BrokerError(`the Pact Broker does not say what to verify: ${reply.why}`);
  const wanted = list(at(reply.document, '_embedded', 'pacts')).map((entry) => {
    const place = linkOf(entry, 'self');
    if (place === undefined)
      throw new BrokerError('the Pact Broker names a pact without its address');
    // Work in progress counts as pending.
    return { place, pending: at(entry, 'verificationProperties', 'pending') === true };
  });
  if (wanted.length > 0) return wanted;
  throw new BrokerError(
    `the Pact Broker has no pact of ${provider} that the selectors choose on branch "${branch}" (PACT_CONSUMER_VERSION_SELECTORS): nothing is verified`,
  );
}
