import type { IncomingMessage } from 'node:http';
import { type CallOptions, type Endpoint, prefix } from '../../contract/http/request.ts';
import { Secret } from '../../contract/secrets/secret.ts';
import { credentialNames, placeholders } from '../states.ts';
import { notSent } from './copy.ts';
import { configured, type Provider } from './provider.ts';
import { InteractionEnd, type Visit } from './visit.ts';

export interface Request {
  readonly endpoint: Endpoint;
  readonly options: CallOptions;
}

/**
 * Converts a request of Pact's core into the request to the provider. Pacts before version 3, and of some languages,
 * have no generators: their placeholders are replaced by name.
 * @throws InteractionEnd when the request holds the example of a credential, or its path is not of this API
 */
export function outgoing(
  { method = 'GET', url = '/', headersDistinct, headers }: IncomingMessage,
  body: Buffer,
  values: Visit['values'],
  provider: Provider,
): Request {
  const fill = (text: string, write: Write = String): string => filled(text, values, write);
  const [path = '', requested] = fill(url).split(/\?(.*)/s);
  // Bodies may be of any bytes, each of which is a sign of latin1.
  const text = body.toString('latin1');
  const write = writing(headers['content-type'] ?? '', text);
  const content = fill(text, (value) => Buffer.from(write(value)).toString('latin1'));
  // Headers with the same name are joined (RFC 9110 5.3, RFC 6265 5.4).
  const { authorization, ...others }: Record<string, string> = Object.fromEntries(
    Object.entries(headersDistinct)
      .filter(([name]) => !notSent.test(name))
      .map(([name, all = []]) => [name, fill(all.join(name === 'cookie' ? '; ' : ', '))]),
  );
  refuseExamples([fill(url), authorization, ...Object.values(others), content].join('\n'));
  if (!path.startsWith(prefix))
    throw InteractionEnd.failed(`the path ${path} is not below ${prefix} (VERSION-1)`);
  // The endpoint's configuration may have a query, which a pact cannot know.
  const query = requested ?? configured(provider, { method, path })?.path.split(/\?(.*)/s)[1];
  return {
    endpoint: { method, path },
    options: {
      headers: others,
      authorization,
      // The request has the headers that the pact defines, and no others.
      without: ['traceparent'],
      ...(query === undefined ? {} : { query: new Secret(query, query) }),
      ...(body.length === 0 ? {} : { body: { bytes: Buffer.from(content, 'latin1') } }),
    },
  };
}

type Write = (value: string) => string;

function filled(text: string, values: Visit['values'], write: Write): string {
  return credentialNames.reduce((rest, name) => {
    const value = values[name];
    if (typeof value !== 'string') return rest;
    return rest
      .replaceAll(placeholders[name], () => write(value))
      .replaceAll(encodeURIComponent(placeholders[name]), () => encodeURIComponent(value));
  }, text);
}

/** How to write a value in a body. A body that looks like JSON counts as JSON, whatever its media type is. */
function writing(type: string, body: string): Write {
  if (/json/i.test(type) || /^\s*[{["]/.test(body))
    return (value) => JSON.stringify(value).slice(1, -1);
  return /form-urlencoded/i.test(type) ? encodeURIComponent : String;
}

/** @throws InteractionEnd when a text holds the example of a secret instead of the secret */
function refuseExamples(text: string): void {
  for (const name of credentialNames)
    if (text.includes(placeholders[name]) || text.includes(encodeURIComponent(placeholders[name])))
      throw InteractionEnd.failed(`the example was sent: no state gave ${name}`);
}
