import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import { type Answer, isObject, jsonOf } from '../../contract/answer.ts';
import { tokenOf } from '../../contract/schema.ts';
import type { Secret } from '../../contract/secret.ts';
import { bearer } from '../../contract/service.ts';
import { Unsendable } from '../../contract/transport.ts';
import type { Veil } from '../../contract/veil.ts';
import { keptBack } from '../lint/header.ts';
import type { Interaction } from '../pact.ts';
import { NotGiven, refusesToken } from './given.ts';
import { outgoing, type Request } from './outgoing.ts';
import type { Provider } from './provider.ts';
import type { Visit } from './relay.ts';

/** An answer as it goes back to Pact's core. */
export interface Reply {
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
  { provider, veil }: { readonly provider: Provider; readonly veil: Veil },
): Promise<Reply> {
  const { interaction } = visit;
  const { door, account, endpoints } = provider;
  if (!isUtf8(body)) throw new NotGiven('its body is no text in UTF-8, and nothing else is sent');
  const request = outgoing(incoming, body.toString(), endpoints, veil);
  visit.asked = told(request, interaction);
  const control = refusesToken(interaction)
    ? await sent(provider, {
        ...request,
        ask: { ...request.ask, ...bearer(await door.issue(account)) },
      })
    : undefined;
  if (control?.status === 401)
    throw new NotGiven('a valid token is refused there too (401), so a 401 proves nothing');
  const answer = await sent(provider, request);
  if (control?.status === 404 && answer.status === 404)
    visit.ended = { ending: 'unverified', reason: 'nothing is there: 404 with a valid token too' };
  const token = tokenOf(answer);
  if (token !== undefined) seeToken(token, answer, interaction, veil);
  return reply(answer, veil);
}

async function sent({ door }: Provider, { endpoint, ask }: Request): Promise<Answer> {
  try {
    return await door.call(endpoint, ask);
  } catch (error) {
    if (error instanceof Unsendable) throw new NotGiven(error.message);
    throw error;
  }
}

function seeToken(token: Secret, { status }: Answer, { states }: Interaction, veil: Veil): void {
  veil.hide('ACCESS_TOKEN', token);
  if (states.some(({ name }) => name === 'credentials of nobody'))
    throw new NotGiven(`credentials of nobody were answered by ${status} with a token`);
}

/** The request as it may be shown, without the headers that only Pact's core has added. */
function told({ endpoint, ask }: Request, { document }: Interaction): string {
  const { request } = document;
  const named = isObject(request) && isObject(request.headers) ? Object.keys(request.headers) : [];
  const own = new Set(named.map((name) => name.toLowerCase()));
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

const mark = Buffer.from([0xef, 0xbb, 0xbf]);

/**
 * The answer as the core may know it: decoded, without the byte order mark that JSON may have (RFC 8259 8.1), and with
 * headers in ASCII alone, since others make it lose the header, or end without any result.
 */
function reply(answer: Answer, veil: Veil): Reply {
  const { status, headers, body } = answer;
  const marked = jsonOf(answer).is === 'json' && body.subarray(0, mark.length).equals(mark);
  const bare = marked ? body.subarray(mark.length) : body;
  const encoding = isUtf8(bare) ? 'utf8' : 'latin1';
  return {
    status,
    headers: headers
      .filter(([name]) => !keptBack.test(name))
      .map(([name, value]) => [name, ascii(veil.cover(value))] as const),
    body: Buffer.from(veil.cover(bare.toString(encoding)), encoding),
  };
}

const ascii = (text: string): string => text.replace(/[^\t\x20-\x7e]/g, '?');
