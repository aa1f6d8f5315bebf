import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import { type CallOptions, type Endpoint, prefix } from '../../contract/http/request.ts';
import { Secret } from '../../contract/secrets/secret.ts';
import { credentialNames, placeholders } from '../states.ts';
import { notSent } from './copy.ts';
import { pathOf } from './provider.ts';
import type { SecretPlaceholders } from './secret-placeholders.ts';
import { InteractionEnd } from './visit.ts';

export interface Request {
  readonly endpoint: Endpoint;
  readonly options: CallOptions;
}

/** What a request of the core needs to become a request to the provider. */
interface OutgoingContext {
  readonly endpoints: readonly Endpoint[];
  readonly placeholders: SecretPlaceholders;
  /** The values of the states as Pact's core has them, with placeholders for secrets. */
  readonly values: Readonly<Record<string, unknown>>;
}

/**
 * Converts a request of Pact's core into the request to the provider, with secrets in place of placeholders.
 * @throws InteractionEnd when the request holds an example of the pact instead of a value, or cannot be sent
 */
export function outgoing(
  incoming: IncomingMessage,
  body: Buffer,
  { endpoints, placeholders, values }: OutgoingContext,
): Request {
  const { method = 'GET', url = '/', rawHeaders } = incoming;
  const named = (text: string): string => filledByName(text, values);
  const [path = '', requested] = named(url).split(/\?(.*)/s);
  const content = contentOf(body, named, incoming.headers['content-type'] ?? '', placeholders);
  const raw = rawHeaders.map(named);
  refuseExamples([decodedUrl(named(url)), ...raw, content.text].join('\n'));
  if (!path.startsWith(prefix))
    throw InteractionEnd.failed(`the path ${path} is not below ${prefix} (VERSION-1)`);
  if (placeholders.withSecrets(path) !== path)
    throw InteractionEnd.unverified('a secret in a path is not sent');
  const query = requested ?? ownQuery(endpoints, method, path);
  const { authorization, ...headers } = headersOf(raw, placeholders);
  return {
    endpoint: { method, path },
    options: {
      headers,
      authorization,
      // The request has the headers that the pact defines, and no others.
      without: ['traceparent'],
      ...(query === undefined
        ? {}
        : { query: asSecret(placeholders.withSecrets(query, encodeURIComponent)) }),
      ...(body.length === 0 ? {} : { body: { bytes: content.bytes } }),
    },
  };
}

/** Replaces examples by values. Pacts before version 3, and of some languages, have no generator for that. */
function filledByName(text: string, values: OutgoingContext['values']): string {
  let filled = text;
  for (const name of credentialNames) {
    const value = values[name];
    if (typeof value !== 'string') continue;
    for (const example of [placeholders[name], encodeURIComponent(placeholders[name])])
      filled = filled.replaceAll(example, () => value);
  }
  return filled;
}

/** The body, unchanged unless it is a text with placeholders: then with their secrets. */
function contentOf(
  body: Buffer,
  named: (text: string) => string,
  type: string,
  placeholders: SecretPlaceholders,
): { readonly text: string; readonly bytes: Buffer | Secret } {
  const text = named(body.toString('latin1'));
  if (!isUtf8(body)) {
    // The encoding of a secret in a binary body is unknown.
    if (placeholders.withSecrets(text) !== text)
      throw InteractionEnd.unverified('a secret in a binary body is not sent');
    return { text, bytes: body };
  }
  const decoded = named(body.toString());
  const filled = placeholders.withSecrets(decoded, writing(type, decoded));
  return { text: decoded, bytes: filled instanceof Secret ? filled : body };
}

/** @throws InteractionEnd when a text holds the example of a secret instead of the secret */
function refuseExamples(text: string): void {
  for (const name of credentialNames)
    if (text.includes(placeholders[name]))
      throw InteractionEnd.failed(`the example was sent: no state gave ${name}`);
}

function decodedUrl(url: string): string {
  try {
    return decodeURIComponent(url.replaceAll('+', ' '));
  } catch {
    return url;
  }
}

/** The query in the endpoint's configuration, which a pact cannot know. */
const ownQuery = (
  endpoints: readonly Endpoint[],
  method: string,
  path: string,
): string | undefined =>
  endpoints
    .find((one) => one.method === method && pathOf(one) === path)
    ?.path.split(/\?(.*)/s)
    .at(1);

/** Headers by name in lower case. Headers with the same name are joined (RFC 9110 5.3, RFC 6265 5.4). */
function headersOf(
  raw: readonly string[],
  placeholders: SecretPlaceholders,
): Record<string, string | Secret> {
  const joined = new Map<string, string>();
  for (const [index, name] of raw.map((one) => one.toLowerCase()).entries()) {
    if (index % 2 === 1 || notSent.has(name)) continue;
    const [before, value = ''] = [joined.get(name), raw[index + 1]];
    const comma = name === 'cookie' ? '; ' : ', ';
    joined.set(name, before === undefined ? value : before + comma + value);
  }
  return Object.fromEntries(
    [...joined].map(([name, value]) => [name, placeholders.withSecrets(value)]),
  );
}

/** How to encode a secret in a body. A body that looks like JSON counts as JSON, whatever its media type is. */
function writing(type: string, body: string): (secret: string) => string {
  if (/json/i.test(type) || /^\s*[{["]/.test(body))
    return (secret) => JSON.stringify(secret).slice(1, -1);
  return /form-urlencoded/i.test(type) ? encodeURIComponent : String;
}

const asSecret = (text: string | Secret): Secret =>
  typeof text === 'string' ? new Secret(text, text) : text;
