import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import { type Answer, header, jsonOf } from '../../contract/http/answer.ts';
import { type ApiClient, bearer } from '../../contract/http/client.ts';
import { Unsendable } from '../../contract/http/http-request.ts';
import {
  bodyText,
  type CallOptions,
  type Endpoint,
  tokenPath,
} from '../../contract/http/request.ts';
import { isObject } from '../../contract/json-value.ts';
import { tokenOf } from '../../contract/schema.ts';
import { acceptsStatus } from '../expectation.ts';
import type { Interaction } from '../pact.ts';
import type { LocalAnswer } from './local-server.ts';
import { outgoing, type Request } from './outgoing.ts';
import { holdsToken, type Provider, pathOf } from './provider.ts';
import { judgedHeader, withJudgedForms } from './secret-forms.ts';
import type { SecretPlaceholders } from './secret-placeholders.ts';
import { orNoToken } from './state-setup.ts';
import { InteractionEnd, type Visit } from './visit.ts';

/** What all exchanges of a run share. */
export interface ExchangeContext {
  readonly provider: Provider;
  readonly placeholders: SecretPlaceholders;
}

/**
 * Sends the request of an interaction to the provider. If a 401 is expected, the same request is first sent with a
 * valid token as the control, if it may be sent. So only the token can cause the 401.
 * @throws InteractionEnd when the response proves nothing, and other errors when the provider cannot be judged
 */
export async function exchange(
  visit: Visit,
  incoming: IncomingMessage,
  body: Buffer,
  { provider, placeholders }: ExchangeContext,
): Promise<LocalAnswer> {
  const { interaction } = visit;
  const { endpoints } = provider;
  const request = outgoing(incoming, body, { endpoints, placeholders, values: visit.values });
  visit.request = requestText(request, interaction);
  const { method, path } = request.endpoint;
  const needsControl = path !== tokenPath && acceptsStatus(interaction, 401);
  const controlled = needsControl && mayControl(request, endpoints);
  const control = controlled ? await admittedOf(provider, request) : undefined;
  // Over a connection of its own, because no verdict may depend on what was sent before over the same one.
  const answer = await sent(provider.unshared, request, (status) =>
    acceptsStatus(interaction, status),
  );
  if (control?.status === 401 && answer.status === 401)
    throw InteractionEnd.failed(
      'a valid token is refused there too (401), so a 401 proves nothing',
    );
  if (needsControl && !controlled && answer.status === 401)
    visit.ended = InteractionEnd.unverified(
      `a 401 proves nothing without the same request with a valid token, which might change something: add ${method} ${path} to PUBLIC_API_ENDPOINTS if it may be sent`,
    );
  if (interaction.status === 401 && control?.status === 404 && answer.status === 404)
    visit.ended = InteractionEnd.unverified('nothing is there: 404 with a valid token too');
  const token = tokenOf(answer);
  if (token !== undefined) placeholders.placeholderFor('ACCESS_TOKEN', token);
  else if (path === tokenPath && interaction.status < 300) await checkAccount(provider);
  if (hasUnknownCredentials(interaction) && (await holdsToken(provider, answer)))
    throw InteractionEnd.failed(
      `credentials of nobody were answered by ${answer.status} with a token`,
    );
  if (answer.status < 100) throw InteractionEnd.failed(`${answer.status} is not a status of HTTP`);
  return reply(answer, interaction, placeholders);
}

/** Whether the control may be sent: safe methods (RFC 9110 9.2.1), and endpoints in the settings. */
const mayControl = ({ endpoint }: Request, endpoints: readonly Endpoint[]): boolean =>
  /^(GET|HEAD|OPTIONS)$/.test(endpoint.method) ||
  endpoints.some((one) => one.method === endpoint.method && pathOf(one) === endpoint.path);

/** The response to the same request with a valid token. @throws InteractionEnd when no token is issued */
async function admittedOf(provider: Provider, request: Request): Promise<Answer> {
  const { client, account } = provider;
  const token = await orNoToken(provider, () => client.issue(account));
  return sent(client, { ...request, options: { ...request.options, ...bearer(token) } });
}

/** A token may be missing because the account has ended in simulated time. @throws InteractionEnd */
async function checkAccount(provider: Provider): Promise<void> {
  const { client, account } = provider;
  if (provider.accountEnded() !== undefined) await orNoToken(provider, () => client.issue(account));
}

async function sent(
  client: ApiClient,
  { endpoint, options }: Request,
  accepts?: CallOptions['accepts'],
): Promise<Answer> {
  try {
    return await client.call(endpoint, { ...options, accepts });
  } catch (error) {
    if (error instanceof Unsendable) throw InteractionEnd.unverified(error.message);
    throw error;
  }
}

const hasUnknownCredentials = ({ states }: Interaction): boolean =>
  states.some(({ name }) => name === 'credentials of nobody');

/** The request for display, without headers that Pact's core has added. */
function requestText({ endpoint, options }: Request, interaction: Interaction): string {
  const own = namedHeaders(interaction, 'request');
  const query = options.query === undefined ? '' : `?${options.query}`;
  // The core sends them in a different order each time.
  const headers = Object.entries(options.headers ?? {})
    .filter(([name]) => own.has(name))
    .sort(([one], [other]) => (one < other ? -1 : 1));
  return [
    `${endpoint.method} ${endpoint.path}${query}`,
    ...[options.authorization ?? []].flat().map((value) => `Authorization: ${value}`),
    ...headers.map(([name, value]) => `${name}: ${value}`),
    ...(options.body === undefined ? [] : [bodyText(options.body)]),
  ].join('   ');
}

/** The headers that a pact names, in lower case. */
function namedHeaders(
  { document }: Interaction,
  where: 'request' | 'response',
): ReadonlySet<string> {
  const part = document[where];
  const names = isObject(part) && isObject(part.headers) ? Object.keys(part.headers) : [];
  return new Set(names.map((name) => name.toLowerCase()));
}

const mark = Buffer.from([0xef, 0xbb, 0xbf]);

/** Hop-by-hop headers (RFC 9110 7.6.1), and headers that are wrong after the body was decoded. */
const aboutTransfer =
  /^(connection|keep-alive|proxy-.*|te|trailer|transfer-encoding|upgrade|content-(encoding|length|md5)|.*digest)$/i;

/** Pact's core fails on a response with more than a hundred headers, although HTTP permits it. */
const mostHeaders = 90;

/**
 * Converts the response for the core. The body is decoded, without a byte order mark, which JSON may have (RFC 8259
 * 8.1). Headers are ASCII only: with others the core drops the header, or ends without a result. If there are too
 * many headers, those that the pact compares come first.
 */
function reply(
  answer: Answer,
  interaction: Interaction,
  placeholders: SecretPlaceholders,
): LocalAnswer {
  const { status, body } = answer;
  const compared = namedHeaders(interaction, 'response');
  // A word of the expected response is no secret, even if it is the API key of a test account.
  const expected = JSON.stringify(interaction.document.response);
  const withoutSecrets = (text: string): string => placeholders.withoutSecrets(text, expected);
  const matters = ([name]: readonly [string, string]): boolean =>
    compared.has(name.toLowerCase()) || name.toLowerCase() === 'content-type';
  const headers = [
    ...answer.headers.filter(matters),
    ...answer.headers.filter((one) => !matters(one)),
  ];
  const isJson = /json/i.test(header(answer, 'content-type') ?? 'json');
  const marked =
    isJson && jsonOf(answer).is === 'json' && body.subarray(0, mark.length).equals(mark);
  const bare = marked ? body.subarray(mark.length) : body;
  const encoding = isUtf8(bare) ? 'utf8' : 'latin1';
  const masked = withoutSecrets(bare.toString(encoding));
  return {
    status,
    headers: headers
      .filter(([name]) => !aboutTransfer.test(name))
      .slice(0, mostHeaders)
      .map(
        ([name, value]) =>
          [name, ascii(judgedHeader(interaction, name, value, withoutSecrets))] as const,
      ),
    body: Buffer.from(withJudgedForms(interaction, answer, masked, withoutSecrets), encoding),
  };
}

const ascii = (text: string): string => text.replace(/[^\t\x20-\x7e]/g, '?');
