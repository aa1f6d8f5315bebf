import { at, textIn } from '../../contract/json-value.ts';
import type { InteractionResult, PactResult } from '../verify/verification.ts';
import { type Broker, type BrokerAnswer, pathOf } from './broker.ts';
import { BrokerError } from './broker-error.ts';
import { linkOf, listAt, oneLine } from './document.ts';

export interface ProviderVersion {
  readonly version: string;
  readonly branch: string;
  readonly buildUrl?: string;
}

export interface Published {
  readonly published: boolean;
  readonly line: string;
}

/** The verifier's name on the broker's pages. */
const verifiedBy = { implementation: 'public-api-contract' };

/**
 * Publishes a result through the broker's documented API, and reads it back. The official verifiers print a line
 * when publishing fails, but still succeed. A partly unverified result is not published, because the broker knows only
 * success and failure. A refused pact is published as failed; otherwise its consumer would wait for a result forever.
 * @param pact the broker's own document of the pact, with the ids of its interactions
 * @throws BrokerError
 */
export async function publishedResult(
  broker: Broker,
  pact: unknown,
  { source, interactions, refused }: PactResult,
  by: ProviderVersion,
): Promise<Published> {
  const { provider } = source.pact;
  const consumer = consumerOf(pact, source.pact.consumer);
  const open = interactions.filter(({ ending }) => ending === 'unverified').length;
  const failed = refused !== undefined || interactions.some(({ ending }) => ending === 'failed');
  if (interactions.length === 0 || (open > 0 && !failed))
    return {
      published: false,
      line: `not published: ${open} of ${interactions.length} interactions of ${consumer} are unverified`,
    };
  const place = linkOf(pact, 'pb:publish-verification-results');
  if (place === undefined)
    throw new BrokerError(`the Pact Broker takes no results: ${source.from}`);
  const sent = {
    success: !failed,
    providerApplicationVersion: by.version,
    buildUrl: by.buildUrl,
    testResults: interactions.map((result) => ({
      ...(source.unreadable === undefined
        ? { interactionId: idOf(pact, source.pact.interactions.indexOf(result.interaction)) }
        : { interactionDescription: result.interaction.description }),
      ...testResultOf(result),
    })),
    verifiedBy,
  };
  const { branch, version } = by;
  const versioned = pathOf`/pacticipants/${provider}/branches/${branch}/versions/${version}`;
  taken(await broker.request('PUT', versioned, {}));
  await readBack(broker, taken(await broker.request('POST', place, sent)), pact, sent);
  return {
    published: true,
    line: `published: ${provider} ${version} ${refused ? 'refuses' : failed ? 'fails' : 'keeps'} the pact of ${consumer}`,
  };
}

/** The consumer with its version, because a run may verify the pacts of several versions: `widget-report 1.2`. */
function consumerOf(pact: unknown, consumer: string): string {
  const version = textIn(pact, '_links', 'pb:consumer-version', 'name');
  return version === undefined ? consumer : `${consumer} ${oneLine(version)}`;
}

/** @throws BrokerError */
function taken({ ok, document, why }: BrokerAnswer): unknown {
  if (!ok) throw new BrokerError(`the Pact Broker refuses the result: ${why}`);
  return document;
}

const idOf = (pact: unknown, index: number): string | undefined =>
  textIn(listAt(pact, 'interactions')[index], '_id');

/** The format of Pact's own verifiers. `leftOutOf` uses it to find interactions that were left out. */
function testResultOf({ ending, reason, mismatches }: InteractionResult) {
  const differences = mismatches.map(({ what, expected, received }) => ({
    description: what,
    expected,
    actual: received,
  }));
  return {
    success: ending === 'verified',
    exceptions: reason === undefined ? undefined : [{ message: reason }],
    mismatches: differences.length === 0 ? undefined : differences,
  };
}

/** @throws BrokerError when the broker does not have the result, or has a different one */
async function readBack(
  broker: Broker,
  answer: unknown,
  pact: unknown,
  sent: { readonly success: boolean; readonly providerApplicationVersion: string },
): Promise<void> {
  const { success, providerApplicationVersion } = sent;
  const place = linkOf(answer, 'self');
  const result =
    place === undefined ? undefined : await broker.get(place, 'result that it has just taken');
  const same =
    at(result, 'success') === success &&
    at(result, 'providerApplicationVersion') === providerApplicationVersion &&
    contentOf(linkOf(result, 'pb:pact-version')) === contentOf(linkOf(pact, 'pb:pact-version'));
  if (!same)
    throw new BrokerError('the Pact Broker has another result than the one that was published');
}

/** The checksum of a pact's content, which is part of its addresses. */
const contentOf = (place: string | undefined): string | undefined =>
  /\/pact-version\/([^/?]+)/.exec(place ?? '')?.[1];
