import type { IncomingMessage } from 'node:http';
import { type Ask, type Endpoint, prefix } from '../../contract/http/request.ts';
import { Secret } from '../../contract/secrets/secret.ts';
import { placeholders } from '../states.ts';
import { notSent } from './copy.ts';
import { StateSetupError } from './given.ts';
import { pathOf } from './provider.ts';
import type { SecretPlaceholders } from './secret-placeholders.ts';

/** A request on its way to the provider. */
export interface Request {
  readonly endpoint: Endpoint;
  readonly ask: Ask;
}

/**
 * What Pact's core sends, with secrets in place of their placeholders.
 * @throws NotGiven when an example of the pact came in place of a value, or a secret would stand in a path
 */
export function outgoing(
  incoming: IncomingMessage,
  body: string,
  endpoints: readonly Endpoint[],
  placeholders: SecretPlaceholders,
): Request {
  const { method = 'GET', url = '/', rawHeaders } = incoming;
  refuseExamples([decodedUrl(url), ...rawHeaders, body].join('\n'));
  const [path = '', asked] = url.split(/\?(.*)/s);
  if (!path.startsWith(prefix))
    throw new StateSetupError(`VERSION-1: ${path} is not below ${prefix}`);
  if (placeholders.fill(path) !== path) throw new StateSetupError('no secret may stand in a path');
  const query = asked ?? ownQuery(endpoints, method, path);
  const headers = headersOf(rawHeaders, placeholders);
  const { authorization, ...others } = headers;
  const type = incoming.headers['content-type'] ?? 'application/octet-stream';
  return {
    endpoint: { method, path },
    ask: {
      headers: others,
      authorization,
      ...(query === undefined
        ? {}
        : { query: asSecret(placeholders.fill(query, encodeURIComponent)) }),
      ...(body === ''
        ? {}
        : { body: { type, text: placeholders.fill(body, writing(type, body)) } }),
    },
  };
}

/** The example of a secret has come where a state should have given the secret itself. */
function refuseExamples(text: string): void {
  for (const name of ['apiKey', 'secretKey', 'accessToken'] as const)
    if (text.includes(placeholders[name]))
      throw new StateSetupError(`the example was sent: no state gave ${name}`);
}

function decodedUrl(url: string): string {
  try {
    return decodeURIComponent(url.replaceAll('+', ' '));
  } catch {
    return url;
  }
}

/** What the owner of an endpoint says that every call of it has: a pact cannot know. */
const ownQuery = (
  endpoints: readonly Endpoint[],
  method: string,
  path: string,
): string | undefined =>
  endpoints
    .find((one) => one.method === method && pathOf(one) === path)
    ?.path.split(/\?(.*)/s)
    .at(1);

/** Headers by their names in small letters; those of one name are joined (RFC 9110 5.3). */
function headersOf(
  raw: readonly string[],
  placeholders: SecretPlaceholders,
): Record<string, string | Secret> {
  const joined = new Map<string, string>();
  for (const [index, name] of raw.map((one) => one.toLowerCase()).entries()) {
    if (index % 2 === 1 || notSent.has(name)) continue;
    const [before, value = ''] = [joined.get(name), raw[index + 1]];
    joined.set(name, before === undefined ? value : `${before}, ${value}`);
  }
  return Object.fromEntries([...joined].map(([name, value]) => [name, placeholders.fill(value)]));
}

/** How a secret is written in a body; also JSON that has no media type is JSON. */
function writing(type: string, body: string): (secret: string) => string {
  if (/json/i.test(type) || /^\s*[{["]/.test(body))
    return (secret) => JSON.stringify(secret).slice(1, -1);
  return /form-urlencoded/i.test(type) ? encodeURIComponent : String;
}

const asSecret = (text: string | Secret): Secret =>
  typeof text === 'string' ? new Secret(text, text) : text;
