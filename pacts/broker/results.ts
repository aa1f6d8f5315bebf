import { version as ownVersion } from '../../contract/http/http-request.ts';
import { textIn } from '../../contract/json-value.ts';
import type { InteractionResult, PactResult } from '../verify/verification.ts';
import { type Broker, BrokerError, linkOf, oneLine, pathOf } from './broker.ts';
import type { Checkout } from './checkout.ts';

/**
 * Publishes a result through the broker's documented API. The official verifiers print a line when publishing fails,
 * but still succeed. The broker knows only success and failure, so an unverified interaction fails its pact, with its
 * reason: its consumer would otherwise wait for a result forever.
 * @param pact the broker's own document of the pact
 * @throws BrokerError
 */
export async function publishedResult(
  broker: Broker,
  pact: unknown,
  { source, interactions }: PactResult,
  { version, branch, buildUrl }: Checkout,
): Promise<string> {
  const { provider, consumer: name } = source.pact;
  // A run may verify the pacts of several versions of a consumer.
  const consumerVersion = textIn(pact, '_links', 'pb:consumer-version', 'name') ?? '';
  const consumer = oneLine(`${name} ${consumerVersion}`);
  const success = interactions.every(({ ending }) => ending === 'verified');
  const place = linkOf(pact, 'pb:publish-verification-results');
  if (place === undefined)
    throw new BrokerError(`the Pact Broker takes no results: ${source.from}`);
  const versioned = pathOf`/pacticipants/${provider}/branches/${branch}/versions/${version}`;
  const sent = {
    success,
    providerApplicationVersion: version,
    buildUrl,
    testResults: interactions.map(testResultOf),
    verifiedBy: { implementation: 'public-api-contract', version: ownVersion },
  };
  for (const [method, where, body] of [
    ['PUT', versioned, {}],
    ['POST', place, sent],
  ] as const) {
    const { ok, why } = await broker.request(method, where, body);
    if (!ok) throw new BrokerError(`the Pact Broker refuses the result: ${why}`);
  }
  return `published: ${provider} ${version} ${success ? 'keeps' : 'fails'} the pact of ${consumer}`;
}

/** The format of Pact's own verifiers. */
function testResultOf({ interaction, mismatches, ...result }: InteractionResult) {
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
