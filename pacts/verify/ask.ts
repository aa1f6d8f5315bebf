import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import { type Answer, isObject, jsonOf } from '../../contract/http/answer.ts';
import { bearer } from '../../contract/http/client.ts';
import type { Endpoint } from '../../contract/http/request.ts';
import { Unsendable } from '../../contract/http/request-encoding.ts';
import { tokenOf } from '../../contract/schema.ts';
import { keptBack } from '../lint/header.ts';
import type { Interaction } from '../pact.ts';
import { noTokenMessage, refusesToken, StateSetupError } from './given.ts';
import { outgoing, type Request } from './outgoing.ts';
import { holdsToken, type Provider, pathOf } from './provider.ts';
import type { Visit } from './relay.ts';
import type { SecretPlaceholders } from './secret-placeholders.ts';

/** An answer as it goes back to Pact's core. */
export interface RelayedAnswer {
  readonly status: number;
  readonly headers: readonly (readonly [string, string])[];
  readonly body: Buffer;
}

/**
 * Asks the provider what an interaction asks. Before a 401 that is expected the very same is asked with a valid token,
 * so that nothing but the token can be its cause.
 * @throws NotGiven when the answer would say nothing, and what the provider throws when it cannot be judged
 */
export async function ask(
  visit: Visit,
  incoming: IncomingMessage,
  body: Buffer,
  {
    provider,
    placeholders,
  }: { readonly provider: Provider; readonly placeholders: SecretPlaceholders },
): Promise<RelayedAnswer> {
  const { interaction } = visit;
  const { endpoints } = provider;
  if (!isUtf8(body))
    throw new StateSetupError('its body is no text in UTF-8, and nothing else is sent');
  const request = outgoing(incoming, body.toString(), endpoints, placeholders);
  visit.asked = message(request, interaction);
  const controlled = refusesToken(interaction) && mayControl(request, endpoints);
  const control = controlled ? await admittedOf(provider, request) : undefined;
  if (control?.status === 401)
    throw new StateSetupError('a valid token is refused there too (401), so a 401 proves nothing');
  const answer = await sent(provider, request);
  if (refusesToken(interaction) && !controlled && answer.status === 401)
    visit.ended = {
      ending: 'unverified',
      reason: `a 401 proves nothing without the same request with a valid token, which might change something: add ${request.endpoint.method} ${request.endpoint.path} to PUBLIC_API_ENDPOINTS if it may be sent`,
    };
  if (control?.status === 404 && answer.status === 404)
    visit.ended = { ending: 'unverified', reason: 'nothing is there: 404 with a valid token too' };
  const token = tokenOf(answer);
  if (token !== undefined) placeholders.hide('ACCESS_TOKEN', token);
  if (isOfNobody(interaction) && (await holdsToken(provider, answer)))
    throw new StateSetupError(
      `credentials of nobody were answered by ${answer.status} with a token`,
    );
  if (answer.status < 100) throw new StateSetupError(`${answer.status} is not a status of HTTP`);
  return reply(answer, namedHeaders(interaction, 'response'), placeholders);
}

/** Requests that change nothing (RFC 9110 9.2.1), and those that the settings say may be sent. */
const mayControl = ({ endpoint }: Request, endpoints: readonly Endpoint[]): boolean =>
  /^(GET|HEAD|OPTIONS)$/.test(endpoint.method) ||
  endpoints.some((one) => one.method === endpoint.method && pathOf(one) === endpoint.path);

/** The answer to the same request with a valid token. @throws NotGiven when no token is to be had */
async function admittedOf(provider: Provider, request: Request): Promise<Answer> {
  const { client, account } = provider;
  const token = await noTokenMessage(() => client.issue(account));
  return sent(provider, { ...request, ask: { ...request.ask, ...bearer(token) } });
}

async function sent({ client }: Provider, { endpoint, ask }: Request): Promise<Answer> {
  try {
    return await client.call(endpoint, ask);
  } catch (error) {
    if (error instanceof Unsendable) throw new StateSetupError(error.message);
    throw error;
  }
}

const isOfNobody = ({ states }: Interaction): boolean =>
  states.some(({ name }) => name === 'credentials of nobody');

/** The request as it may be shown, without the headers that only Pact's core has added. */
function message({ endpoint, ask }: Request, interaction: Interaction): string {
  const own = namedHeaders(interaction, 'request');
  const query = ask.query === undefined ? '' : `?${ask.query}`;
  // The core sends them in an order of its own each time.
  const headers = Object.entries(ask.headers ?? {})
    .filter(([name]) => own.has(name))
    .sort(([one], [other]) => (one < other ? -1 : 1));
  return [
    `${endpoint.method} ${endpoint.path}${query}`,
    ...[ask.authorization ?? []].flat().map((value) => `Authorization: ${value}`),
    ...headers.map(([name, value]) => `${name}: ${value}`),
    ...(ask.body !== undefined && 'text' in ask.body ? [`${ask.body.text}`] : []),
  ].join('   ');
}

/** The headers that a pact names, in small letters. */
function namedHeaders(
  { document }: Interaction,
  where: 'request' | 'response',
): ReadonlySet<string> {
  const part = document[where];
  const names = isObject(part) && isObject(part.headers) ? Object.keys(part.headers) : [];
  return new Set(names.map((name) => name.toLowerCase()));
}

const mark = Buffer.from([0xef, 0xbb, 0xbf]);

/** Pact's core fails at an answer with more than a hundred headers, which HTTP allows. */
const mostHeaders = 90;

/**
 * The answer as the core may know it: decoded, without the byte order mark that JSON may have (RFC 8259 8.1), and with
 * headers in ASCII alone, since others make it lose the header, or end without any result. Where there are too many
 * headers, those that the pact compares go first.
 */
function reply(
  answer: Answer,
  compared: ReadonlySet<string>,
  placeholders: SecretPlaceholders,
): RelayedAnswer {
  const { status, body } = answer;
  const matters = ([name]: readonly [string, string]): boolean =>
    compared.has(name.toLowerCase()) || name.toLowerCase() === 'content-type';
  const headers = [
    ...answer.headers.filter(matters),
    ...answer.headers.filter((one) => !matters(one)),
  ];
  const marked = jsonOf(answer).is === 'json' && body.subarray(0, mark.length).equals(mark);
  const bare = marked ? body.subarray(mark.length) : body;
  const encoding = isUtf8(bare) ? 'utf8' : 'latin1';
  return {
    status,
    headers: headers
      .filter(([name]) => !keptBack.test(name))
      .slice(0, mostHeaders)
      .map(([name, value]) => [name, ascii(placeholders.cover(value))] as const),
    body: Buffer.from(placeholders.cover(bare.toString(encoding)), encoding),
  };
}

const ascii = (text: string): string => text.replace(/[^\t\x20-\x7e]/g, '?');
