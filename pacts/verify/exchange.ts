import type { IncomingMessage } from 'node:http';
import { type Answer, header } from '../../contract/http/answer.ts';
import { bearer } from '../../contract/http/client.ts';
import { apiPrefix, bodyText, endpointName, tokenPath } from '../../contract/http/request.ts';
import { UnprovenError } from '../../contract/http/unreachable.ts';
import { readToken } from '../../contract/schema.ts';
import { Secret } from '../../contract/secrets/secret.ts';
import { acceptsStatus, type Interaction } from '../pact.ts';
import { credentialNames, placeholders } from '../states.ts';
import { InteractionEnd, type Visit } from '../verification.ts';
import { unforwardedHeaders } from './core.ts';
import { dummyIn, isRefused, likelyCause, type Request, validFor } from './dummy.ts';
import type { LocalAnswer } from './local-server.ts';
import { findConfigured, findEndpoint, type Provider } from './provider.ts';
import { isOfHandler, issueToken, refuseToken } from './state-setup.ts';

export interface RelayContext {
  readonly provider: Provider;
  /** Whether a valid token replaces a token that no state gave; it does by default. */
  readonly replacesTokens?: boolean;
  /** Called when an interaction begins. */
  readonly onVisit?: (interaction: Interaction) => void;
}

/**
 * Sends the request of an interaction to the provider. A 401 that is expected must be caused by the token: the same
 * request is admitted with a valid one.
 * @throws InteractionEnd when the response proves nothing, and other errors when the provider cannot be judged
 */
export async function exchange(
  visit: Visit,
  incoming: IncomingMessage,
  body: Buffer,
  { provider, replacesTokens = true }: RelayContext,
): Promise<LocalAnswer> {
  const { interaction } = visit;
  const request = createRequest(incoming, body, visit.values, provider);
  visit.request = requestText(request);
  const { endpoint, options } = request;
  const accepts = (status: number): boolean => acceptsStatus(interaction, status);
  const send = (changed: Request['options']): Promise<Answer> =>
    provider.client.call(endpoint, { ...options, ...changed, accepts }).catch(rethrowUnsendable);
  let answer = await send({});
  const dummy = dummyIn(request, visit);
  if (dummy !== undefined && replacesTokens && isRefused(answer, request, visit)) {
    const [what, valid] = await validFor(request, provider);
    visit.remarks.push(`with ${what} instead of ${JSON.stringify(dummy)}`);
    answer = await send(valid);
  } else if (accepts(401) && endpoint.path !== tokenPath)
    await checkRefusal(visit, request, answer, provider);
  visit.body = answer.body.toString();
  visit.likely = likelyCause(answer, request, visit);
  if (isAdmitted(answer) && options.authorization !== undefined && !accepts(401))
    provider.admitted.add(endpointName(endpoint));
  if (endpoint.path === tokenPath) await checkToken(interaction, answer, provider);
  if (answer.status < 100) throw InteractionEnd.failed(`${answer.status} is not a status of HTTP`);
  return reply(answer);
}

function rethrowUnsendable(error: unknown): never {
  throw error instanceof UnprovenError ? InteractionEnd.unverified(error.message) : error;
}

/** States that spoil a token which an endpoint has just admitted. */
const madeUnusable = new Set(['a token of nobody', 'a token made some hours ago']);

/** Whether an answer shows that something is there, and that the token was admitted. */
const isAdmitted = ({ status }: Answer): boolean => ![401, 404, 405].includes(status);

/**
 * Sends the control after the request, so that it cannot influence the answer: for safe methods (RFC 9110 9.2.1),
 * endpoints in the settings, and data that the state handler tears down. Else another interaction may be the control.
 * @throws InteractionEnd when the answer would be the same with a valid token, or that is not known
 */
async function checkRefusal(visit: Visit, request: Request, answer: Answer, provider: Provider) {
  const { interaction, values } = visit;
  const { status } = answer;
  const maySend =
    /^(GET|HEAD|OPTIONS)$/.test(request.endpoint.method) ||
    findConfigured(provider, request.endpoint) !== undefined ||
    interaction.states.some((state) => isOfHandler(state, provider));
  if (maySend) {
    const options = { ...request.options, ...bearer(await issueToken(provider)) };
    const control = await provider.client.call(request.endpoint, options).catch(rethrowUnsendable);
    if (status === 401 && control.status === 401)
      throw InteractionEnd.failed(
        'a valid token is refused there too (401), so a 401 proves nothing',
      );
    const isNotFound = status === 401 || (interaction.status === 401 && status === control.status);
    if (isNotFound && !isAdmitted(control))
      throw InteractionEnd.unverified(`nothing is there: ${control.status} with a valid token too`);
  } else if (status === 401) {
    const isGiven = String(request.options.authorization).includes(String(values.accessToken));
    const isProved = interaction.states.some(({ name }) => madeUnusable.has(name));
    if (isGiven && isProved)
      visit.remarks.push(`proved on ${endpointName(findEndpoint(interaction, provider))}`);
    else visit.needs = endpointName(request.endpoint);
  }
}

/** @throws InteractionEnd when unknown credentials get a token, or valid ones get none since the account has ended */
async function checkToken(interaction: Interaction, answer: Answer, provider: Provider) {
  const { states, status } = interaction;
  const isEnded = status < 300 && readToken(answer) === undefined && provider.accountEnded();
  if (isEnded) await issueToken(provider);
  if (states.some(({ name }) => name === 'credentials of nobody'))
    await refuseToken(answer, provider);
}

/** The request as it is reported, without its other headers: Pact's core has added some. */
const requestText = ({ endpoint, options: { authorization, query, body } }: Request): string =>
  [
    `${endpoint.method} ${endpoint.path}${query === undefined ? '' : `?${query}`}`,
    ...(authorization === undefined ? [] : [`Authorization: ${authorization}`]),
    ...(body === undefined ? [] : [bodyText(body)]),
  ].join('   ');

/** Hop-by-hop headers (RFC 9110 7.6.1). */
const ofConnection = /^(connection|keep-alive|proxy-.*|te|trailer|transfer-encoding|upgrade)$/i;

/** Headers that are wrong after the body was decoded. */
const ofCoding = /^(content-(encoding|length|md5)|.*digest)$/i;

/** A byte order mark may stand before JSON (RFC 8259 8.1), but Pact's core cannot read it. */
const byteOrderMark = Buffer.from('\ufeff');

/** The response for the core. With headers beyond ASCII it drops the header, or ends without a result. */
function reply(answer: Answer): LocalAnswer {
  const isJson = /json/i.test(header(answer, 'content-type') ?? 'json');
  const isMarked = isJson && answer.body.subarray(0, byteOrderMark.length).equals(byteOrderMark);
  const isDecoded = isMarked || header(answer, 'content-encoding') !== undefined;
  return {
    status: answer.status,
    headers: answer.headers
      .filter(([name]) => !ofConnection.test(name) && !(isDecoded && ofCoding.test(name)))
      .map(([name, value]) => [name, value.replace(/[^\t\x20-\x7e]/g, '?')]),
    body: isMarked ? answer.body.subarray(byteOrderMark.length) : answer.body,
  };
}

/**
 * Converts a request of Pact's core into the request to the provider. Pacts before version 3, and of some languages,
 * have no generators: their placeholders are replaced by name.
 * @throws InteractionEnd when the request holds the example of a credential, or its path is not of this API
 */
function createRequest(
  { method = 'GET', url = '/', headersDistinct, headers }: IncomingMessage,
  body: Buffer,
  values: Visit['values'],
  provider: Provider,
): Request {
  const fill = (text: string, write: Write = String): string =>
    fillPlaceholders(text, values, write);
  const [path = '', requested] = fill(url).split(/\?(.*)/s);
  // A body may hold any bytes. Latin-1 has one character for each of them.
  const text = body.toString('latin1');
  const write = chooseEncoder(headers['content-type'] ?? '', text);
  const content = fill(text, (value) => Buffer.from(write(value)).toString('latin1'));
  // Headers with the same name are joined (RFC 9110 5.3, RFC 6265 5.4).
  const { authorization, ...others }: Record<string, string> = Object.fromEntries(
    Object.entries(headersDistinct)
      .filter(([name]) => !unforwardedHeaders.test(name))
      .map(([name, all = []]) => [name, fill(all.join(name === 'cookie' ? '; ' : ', '))]),
  );
  refuseExamples([fill(url), authorization, ...Object.values(others), content].join('\n'));
  if (!path.startsWith(apiPrefix))
    throw InteractionEnd.failed(`the path ${path} is not below ${apiPrefix} (VERSION-1)`);
  // The endpoint's configuration may have a query, which a pact cannot know.
  const query = requested ?? findConfigured(provider, { method, path })?.path.split(/\?(.*)/s)[1];
  return {
    endpoint: { method, path },
    options: {
      headers: others,
      authorization,
      // The request has the headers that the pact defines, and no others.
      without: ['traceparent'],
      ...(query === undefined ? {} : { query: new Secret(query, query) }),
      ...(body.length === 0 ? {} : { body: { text: Buffer.from(content, 'latin1') } }),
    },
  };
}

type Write = (value: string) => string;

function fillPlaceholders(text: string, values: Visit['values'], write: Write): string {
  return credentialNames.reduce((rest, name) => {
    const value = values[name];
    if (typeof value !== 'string') return rest;
    return rest
      .replaceAll(placeholders[name], () => write(value))
      .replaceAll(encodeURIComponent(placeholders[name]), () => encodeURIComponent(value));
  }, text);
}

/** How to write a value in a body. A body that looks like JSON counts as JSON, whatever its media type is. */
function chooseEncoder(type: string, body: string): Write {
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
