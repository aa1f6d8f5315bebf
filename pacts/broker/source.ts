import { at, textIn } from '../../contract/json-value.ts';
import { recommendedSelectors, type Selector, versionSelectors } from '../../settings/selectors.ts';
import { checkProvider, pactIn } from '../local.ts';
import type { PactResult, Source } from '../verify/verification.ts';
import { type Broker, pathOf } from './broker.ts';
import { BrokerError } from './broker-error.ts';
import { asPublished, linkOf, listAt, oneLine } from './document.ts';
import { type ProviderVersion, type Published, publishedResult } from './results.ts';

/** Which pacts of a provider to fetch from the broker. */
export interface Selection {
  readonly provider: string;
  /** The branch of the provider under verification. */
  readonly branch: string;
  /** The consumer versions; by default Pact's recommendation. */
  readonly selectors?: readonly Selector[];
  /** The one pact to verify, from a webhook. */
  readonly pactUrl?: URL;
}

/** The pacts to verify from a broker, and a function that publishes their results. */
export interface FromBroker {
  readonly sources: readonly Source[];
  /**
   * Publishes the result of one of the sources, and reads it back.
   * @param result a result that holds no secrets
   * @throws BrokerError when the broker does not have exactly that result afterwards
   */
  publish(result: PactResult, by: ProviderVersion): Promise<Published>;
}

/** The period in which a pact that was never verified counts as work in progress. */
const wipDays = 30;

/**
 * Fetches the pacts that a provider must verify: those of the selected consumer versions, including pending pacts.
 * On the provider's main branch, work-in-progress pacts are included too.
 * @throws BrokerError when there is no pact
 */
export async function brokerPacts(broker: Broker, selection: Selection): Promise<FromBroker> {
  const wanted =
    selection.pactUrl === undefined
      ? await wantedPacts(broker, selection)
      : [{ place: selection.pactUrl.href, pending: false, notices: [] }];
  const places = new Map<Source, unknown>();
  for (const { place, pending, notices } of wanted) {
    const document = await broker.get(place, `pact at ${place}`);
    const from = linkOf(document, 'self') ?? place;
    const pact = pactIn(JSON.stringify(asPublished(document)), from, selection.provider);
    checkProvider(pact.pact, selection.provider, from);
    places.set({ ...pact, pending, notices }, document);
  }
  return {
    sources: [...places.keys()],
    publish: (result, by) => publishedResult(broker, places.get(result.source), result, by),
  };
}

/** A pact to verify, before it is fetched. */
interface Wanted {
  readonly place: string;
  readonly pending: boolean;
  readonly notices: readonly string[];
}

async function wantedPacts(
  broker: Broker,
  { provider, branch, selectors = versionSelectors.read(recommendedSelectors) }: Selection,
): Promise<readonly Wanted[]> {
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
  const wanted = listAt(reply.document, '_embedded', 'pacts').map(wantedPact);
  if (wanted.length === 0)
    throw new BrokerError(
      `the Pact Broker has no pact of ${provider} that the selectors choose on branch "${branch}" (PACT_CONSUMER_VERSION_SELECTORS): nothing is verified`,
    );
  return wanted;
}

function wantedPact(entry: unknown): Wanted {
  const place = linkOf(entry, 'self');
  if (place === undefined)
    throw new BrokerError('the Pact Broker names a pact without its address');
  const properties = at(entry, 'verificationProperties');
  const notices = listAt(properties, 'notices')
    .filter((notice) => textIn(notice, 'when') === 'before_verification')
    .map((notice) => oneLine((textIn(notice, 'text') ?? '').replace(/\s+/g, ' ')));
  // Work in progress counts as pending.
  return { place, pending: at(properties, 'pending') === true, notices };
}
