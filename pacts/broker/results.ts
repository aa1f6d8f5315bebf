import { textIn } from '../../contract/json-value.ts';
import type { InteractionResult, PactResult } from '../verify/verification.ts';
import { type Broker, type BrokerAnswer, BrokerError, pathOf } from './broker.ts';
import type { Checkout } from './checkout.ts';
import { linkOf, listAt, oneLine } from './document.ts';

export interface Published {
  readonly published: boolean;
  readonly line: string;
}

/**
 * Publishes a result through the broker's documented API. The official verifiers print a line when publishing fails,
 * but still succeed. A partly unverified result is not published, because the broker knows only success and failure. A
 * refused pact is published as failed; otherwise its consumer would wait for a result forever.
 * @param pact the broker's own document of the pact, with the ids of its interactions
 * @throws BrokerError
 */
export async function publishedResult(
  broker: Broker,
  pact: unknown,
  { source, interactions, refused }: PactResult,
  { version, branch, buildUrl }: Checkout,
): Promise<Published> {
  const { provider, consumer: name } = source.pact;
  // A run may verify the pacts of several versions of a consumer.
  const consumerVersion = textIn(pact, '_links', 'pb:consumer-version', 'name');
  const consumer = consumerVersion === undefined ? name : `${name} ${oneLine(consumerVersion)}`;
  const open = interactions.filter(({ ending }) => ending === 'unverified').length;
  const failed = refused !== undefined || interactions.some(({ ending }) => ending === 'failed');
  if (open > 0 && !failed)
    return {
      published: false,
      line: `not published: ${open} of ${interactions.length} interactions of ${consumer} are unverified`,
    };
  const place = linkOf(pact, 'pb:publish-verification-results');
  if (place === undefined)
    throw new BrokerError(`the Pact Broker takes no results: ${source.from}`);
  const versioned = pathOf`/pacticipants/${provider}/branches/${branch}/versions/${version}`;
  checkTaken(await broker.request('PUT', versioned, {}));
  const sent = {
    success: !failed,
    providerApplicationVersion: version,
    buildUrl,
    testResults: interactions.map((result) => ({
      ...(source.unreadable === undefined
        ? { interactionId: idOf(pact, source.pact.interactions.indexOf(result.interaction)) }
        : { interactionDescription: result.interaction.description }),
      ...testResultOf(result),
    })),
    verifiedBy: { implementation: 'public-api-contract' },
  };
  checkTaken(await broker.request('POST', place, sent));
  const verb = refused ? 'refuses' : failed ? 'fails' : 'keeps';
  const line = `published: ${provider} ${version} ${verb} the pact of ${consumer}`;
  return { published: true, line };
}

/** @throws BrokerError */
function checkTaken({ ok, why }: BrokerAnswer): void {
  if (!ok) throw new BrokerError(`the Pact Broker refuses the result: ${why}`);
}

const idOf = (pact: unknown, index: number): string | undefined =>
  textIn(listAt(pact, 'interactions')[index], '_id');

/** The format of Pact's own verifiers. */
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
