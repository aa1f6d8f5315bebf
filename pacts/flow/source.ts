import { type Pact, PactError, readPact } from '../pact.ts';
import type { PactResult, Source } from '../verify/verification.ts';
import { type Broker, pathOf } from './broker.ts';
import { asPublished, at, linkOf, listAt, textAt } from './document.ts';
import { FlowError } from './flow-error.ts';
import { oneLine } from './one-line.ts';
import { type Published, publishedResult } from './results.ts';

/** Which pacts a provider asks for. */
export interface Selection {
  readonly provider: string;
  /** The branch of the provider that is verified. */
  readonly branch: string;
  /** Exactly this pact, which a webhook has named. */
  readonly pactUrl?: URL;
}

/** The version of the provider that was verified. */
export interface ProviderVersion {
  readonly version: string;
  readonly branch: string;
  readonly buildUrl?: string;
}

/** What a broker wants verified, and where it takes the results. */
export interface FromBroker {
  readonly sources: readonly Source[];
  /** A line for each pending pact that cannot be read: it fails nothing, and nothing is known of it. */
  readonly unreadable: readonly string[];
  /**
   * Publishes the result of one of the sources, and reads it back.
   * @param result without secrets
   * @throws FlowError when it is not in the broker afterwards, as it was meant
   */
  publish(result: PactResult, by: ProviderVersion): Promise<Published>;
}

/** How far back a pact that was never verified counts as work in progress. */
const wipDays = 30;

/**
 * Fetches the pacts that a provider is to be verified against, as Pact recommends: of the consumers' main branches,
 * of the branch of the same name, and of what is deployed or released; pending ones, and on the provider's main branch
 * work in progress too.
 * @throws FlowError when there is none, or one that is not pending cannot be read
 */
export async function brokerPacts(broker: Broker, selection: Selection): Promise<FromBroker> {
  const wanted =
    selection.pactUrl === undefined
      ? await wantedPacts(broker, selection)
      : [{ place: selection.pactUrl.href, pending: false, notices: [] }];
  const places = new Map<Source, unknown>();
  const unreadable: string[] = [];
  for (const { place, pending, notices } of wanted) {
    const document = await broker.get(place, `pact at ${place}`);
    const from = linkOf(document, 'self') ?? place;
    try {
      const pact = pactOf(document, from, selection.provider);
      places.set({ pact, from, pending, notices }, document);
    } catch (error) {
      if (!(error instanceof PactError)) throw error;
      if (!pending) throw new FlowError(error.message);
      unreadable.push(error.message);
    }
  }
  return {
    sources: [...places.keys()],
    unreadable,
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
  { provider, branch }: Selection,
): Promise<readonly Wanted[]> {
  const known = await broker.ask('GET', pathOf`/pacticipants/${provider}`);
  const onMain = textAt(known.document, 'mainBranch') === branch;
  const since = new Date(Date.now() - wipDays * 86_400_000).toISOString().slice(0, 10);
  const reply = await broker.ask('POST', pathOf`/pacts/provider/${provider}/for-verification`, {
    consumerVersionSelectors: [
      { mainBranch: true },
      { matchingBranch: true },
      { deployedOrReleased: true },
    ],
    includePendingStatus: true,
    providerVersionBranch: branch,
    ...(onMain ? { includeWipPactsSince: since } : {}),
  });
  if (!reply.ok && reply.status !== 404)
    throw new FlowError(`the Pact Broker does not say what to verify: ${reply.why}`);
  const wanted = listAt(reply.document, '_embedded', 'pacts').map(wantedPact);
  if (wanted.length === 0)
    throw new FlowError(
      `the Pact Broker has no pact of a main branch, of branch "${branch}", or of anything deployed for ${provider}: nothing is verified`,
    );
  return wanted;
}

function wantedPact(entry: unknown): Wanted {
  const place = linkOf(entry, 'self');
  if (place === undefined) throw new FlowError('the Pact Broker names a pact without its address');
  const properties = at(entry, 'verificationProperties');
  const notices = listAt(properties, 'notices')
    .filter((notice) => textAt(notice, 'when') === 'before_verification')
    .map((notice) => oneLine((textAt(notice, 'text') ?? '').replace(/\s+/g, ' ')));
  // Work in progress is pending too.
  return { place, pending: at(properties, 'pending') === true, notices };
}

/** @throws PactError */
function pactOf(document: unknown, from: string, provider: string): Pact {
  const pact = readPact(JSON.stringify(asPublished(document)), from);
  if (pact.provider !== provider)
    throw new PactError(`${from}: its provider is "${pact.provider}", not "${provider}"`);
  return pact;
}
