import { isDeepStrictEqual } from 'node:util';
import { at, textIn } from '../../contract/json-value.ts';
import { Secret } from '../../contract/secrets/secret.ts';
import { type Broker, pathOf } from './broker.ts';
import { listAt } from './document.ts';
import { FlowError } from './flow-error.ts';

/** The receiver of the broker's webhook when a pact must be verified. */
export interface Receiver {
  readonly url: string;
  /** A token, or a header with a reference to a secret in the broker. */
  readonly authorization?: Secret | string;
}

/** A variable that the broker replaces by its value. */
const given = (name: string): string => `\${pactbroker.${name}}`;

/** The body of GitHub's repository_dispatch; other receivers find the same values in it. */
const body = {
  event_type: 'contract_requiring_verification_published',
  client_payload: {
    pact_url: given('pactUrl'),
    sha: given('providerVersionNumber'),
    branch: given('providerVersionBranch'),
    message: `Verify the pact of ${given('consumerName')} ${given('consumerVersionNumber')}, for ${given('providerVersionDescriptions')}`,
  },
};

/**
 * Ensures that the broker has exactly one such webhook for a provider. The id is derived from the provider's name, so
 * a second run does not create another webhook.
 * @returns what was done
 * @throws FlowError
 */
export async function putWebhook(
  broker: Broker,
  provider: string,
  { url, authorization }: Receiver,
): Promise<string> {
  const place = pathOf`/webhooks/${`verification-of-${provider}`}`;
  const wanted = (header?: string) => ({
    description: `Verify a pact of ${provider} that is not verified yet`,
    enabled: true,
    provider: { name: provider },
    events: [{ name: 'contract_requiring_verification_published' }],
    request: {
      method: 'POST',
      url,
      headers: {
        'Content-Type': 'application/json',
        Accept: 'application/vnd.github+json',
        Authorization: header,
      },
      body,
    },
  });
  const known = await broker.request('GET', place);
  if (authorization === undefined) {
    const isSigned = signsIn(known.document);
    if (!isSigned && isGitHub(url)) throw new FlowError(noToken);
    const same = known.ok && isDeepStrictEqual(comparable(known.document), comparable(wanted()));
    if (same) return 'is there';
    if (isSigned) throw new FlowError(lostToken);
  }
  const sent =
    authorization instanceof Secret
      ? authorization.derive((token) => JSON.stringify(wanted(`Bearer ${token}`)))
      : wanted(authorization);
  const reply = await broker.request('PUT', place, sent);
  if (!reply.ok) throw new FlowError(`the Pact Broker does not take the webhook: ${reply.why}`);
  return known.ok ? 'written again' : 'made';
}

/** The parts of a webhook that can be compared: the broker does not return tokens. */
const comparable = (webhook: unknown): unknown => ({
  description: textIn(webhook, 'description'),
  enabled: at(webhook, 'enabled'),
  provider: textIn(webhook, 'provider', 'name'),
  events: listAt(webhook, 'events').map((event) => textIn(event, 'name')),
  method: textIn(webhook, 'request', 'method'),
  url: textIn(webhook, 'request', 'url'),
  body: at(webhook, 'request', 'body'),
});

const noToken =
  'GitHub refuses calls without a token: name its file with --webhook-token-file, or a secret of the broker with --webhook-token-secret';

const lostToken =
  'the webhook is another one now, and its token would be lost: give it with --webhook-token-file';

const isGitHub = (url: string): boolean => new URL(url).host === 'api.github.com';

const signsIn = (webhook: unknown): boolean =>
  Object.keys(Object(at(webhook, 'request', 'headers'))).some((name) =>
    /^authorization$/i.test(name),
  );
