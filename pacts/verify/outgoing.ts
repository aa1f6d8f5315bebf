import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import { type CallOptions, type Endpoint, prefix } from '../../contract/http/request.ts';
import { Secret } from '../../contract/secrets/secret.ts';
import { credentialNames, placeholders } from '../states.ts';
import { notSent } from './copy.ts';
import { pathOf } from './provider.ts';
import type { SecretPlaceholders } from './secret-placeholders.ts';
import { InteractionEnd } from './visit.ts';

/** A request on its way to the provider. */
export interface Request {
  readonly endpoint: Endpoint;
  readonly options: CallOptions;
}

/** The input for a request besides the request itself. */
interface Filling {
  readonly endpoints: readonly Endpoint[];
  readonly placeholders: SecretPlaceholders;
  /** The values of the states, in the form for Pact's core. */
  readonly values: Readonly<Record<string, unknown>>;
}

/**
 * The request of Pact's core, with secrets instead of their placeholders.
 * @throws InteractionEnd when it has an example of the pact instead of a value, or cannot be sent
 */
export function outgoing(
  incoming: IncomingMessage,
  body: Buffer,
  { endpoints, placeholders, values }: Filling,
): Request {
  const { method = 'GET', url = '/', rawHeaders } = incoming;
  const named = (text: string): string => filledByName(text, values);
  const [path = '', requested] = named(url).split(/\?(.*)/s);
  const content = contentOf(body, named, incoming.headers['content-type'] ?? '', placeholders);
  const raw = rawHeaders.map(named);
  refuseExamples([decodedUrl(named(url)), ...raw, content.text].join('\n'));
  if (!path.startsWith(prefix))
    throw InteractionEnd.unverified(`VERSION-1: ${path} is not below ${prefix}`);
  if (placeholders.fill(path) !== path)
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
        : { query: asSecret(placeholders.fill(query, encodeURIComponent)) }),
      ...(body.length === 0 ? {} : { body: { bytes: content.bytes } }),
    },
  };
}

/** Specifications before version 3, and some languages, have no generator that replaces an example. */
function filledByName(text: string, values: Filling['values']): string {
  let filled = text;
  for (const name of credentialNames) {
    const value = values[name];
    if (typeof value !== 'string') continue;
    for (const example of [placeholders[name], encodeURIComponent(placeholders[name])])
      filled = filled.replaceAll(example, () => value);
  }
  return filled;
}

/** A body as received, unless it is a text with a placeholder in it. */
function contentOf(
  body: Buffer,
  named: (text: string) => string,
  type: string,
  placeholders: SecretPlaceholders,
): { readonly text: string; readonly bytes: Buffer | Secret } {
  const text = named(body.toString('latin1'));
  if (!isUtf8(body)) {
    // In bytes that are not a text the encoding of a secret is unknown.
    if (placeholders.fill(text) !== text)
      throw InteractionEnd.unverified('a secret in a binary body is not sent');
    return { text, bytes: body };
  }
  const decoded = named(body.toString());
  const filled = placeholders.fill(decoded, writing(type, decoded));
  return { text: decoded, bytes: filled instanceof Secret ? filled : body };
}

/** The request has the example of a secret instead of the secret itself. */
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

/** What the endpoint's configuration adds to every call: a pact cannot know it. */
const ownQuery = (
  endpoints: readonly Endpoint[],
  method: string,
  path: string,
): string | undefined =>
  endpoints
    .find((one) => one.method === method && pathOf(one) === path)
    ?.path.split(/\?(.*)/s)
    .at(1);

/** Headers by their names in lower case; those of one name are joined (RFC 9110 5.3, RFC 6265 5.4). */
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
  return Object.fromEntries([...joined].map(([name, value]) => [name, placeholders.fill(value)]));
}

/** How a secret is written in a body; JSON without a media type counts too. */
function writing(type: string, body: string): (secret: string) => string {
  if (/json/i.test(type) || /^\s*[{["]/.test(body))
    return (secret) => JSON.stringify(secret).slice(1, -1);
  return /form-urlencoded/i.test(type) ? encodeURIComponent : String;
}

const asSecret = (text: string | Secret): Secret =>
  typeof text === 'string' ? new Secret(text, text) : text;
