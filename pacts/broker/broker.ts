import type { PactSettings } from '../../config/settings.ts';
import { UserError } from '../../contract/command.ts';
import { header, type Received } from '../../contract/http/answer.ts';
import { basic } from '../../contract/http/client.ts';
import type { Connection } from '../../contract/http/connections.ts';
import { exchange } from '../../contract/http/exchange.ts';
import { fitsHeader, type HttpRequest } from '../../contract/http/http-request.ts';
import { UnreachableError } from '../../contract/http/unreachable.ts';
import { field, textIn, textsIn } from '../../contract/json-value.ts';
import { harmless } from '../../contract/secrets/printable.ts';
import { Scrubber } from '../../contract/secrets/scrub.ts';
import { type Secret, seal } from '../../contract/secrets/secret.ts';
import { brief } from '../../contract/words.ts';
import { exactOrUndefined } from '../exact.ts';

/** A request that cannot be fulfilled: one line with the reason, and what to do. */
export class BrokerError extends UserError {
  override readonly name = 'BrokerError';
}

type Configured = NonNullable<PactSettings['broker']>;

/** The Pact Broker, and how it is reached. */
export type BrokerAccess = Pick<Configured, 'baseUrl'> &
  Partial<Configured> &
  Pick<Connection, 'timeoutMs' | 'proxies'>;

/** The largest pacts have some megabytes. */
const maxBodyBytes = 32 * 1024 * 1024;

export interface BrokerOptions {
  /** Secrets to remove from messages about the broker's responses, besides the credentials. */
  readonly secrets?: readonly Secret[];
  /** Aborts pending requests, which then throw its reason. */
  readonly signal?: AbortSignal;
}

/** A path whose parts may hold any character: buildPath`/pacticipants/${name}`. */
export const buildPath = (words: TemplateStringsArray, ...parts: readonly string[]): string =>
  words.reduce((path, word, index) => path + encodeURIComponent(parts[index - 1] ?? '') + word);

/**
 * Connects to the configured broker, and checks that the address is that of a Pact Broker.
 * @throws BrokerError if it does not answer, is no Pact Broker, or refuses the credentials
 */
export async function openBroker(access: BrokerAccess, options: BrokerOptions = {}) {
  const broker = new Broker(access, options);
  const { document } = await broker.request('GET', '/');
  if (findLink(document, 'pb:publish-contracts') === undefined)
    throw new BrokerError(
      `${broker.shown} is not a Pact Broker: set PACT_BROKER_BASE_URL to the address of one`,
    );
  return broker;
}

/** A Pact Broker that is reachable and accepts the credentials. */
export class Broker {
  /** Its address as messages show it. */
  readonly shown: string;
  readonly #access: BrokerAccess;
  readonly #options: BrokerOptions;
  /** A broker's response may repeat the credentials that it received. */
  readonly #scrubber = new Scrubber();
  readonly #headers: (readonly [string, string | Secret])[] = [
    ['Accept', 'application/hal+json, application/json, */*;q=0.1'],
    ['Content-Type', 'application/json'],
  ];

  constructor(access: BrokerAccess, options: BrokerOptions) {
    const { baseUrl, proxies, credentials, headers = [] } = access;
    this.shown = baseUrl.href.replace(/\/$/, '');
    this.#access = access;
    this.#options = options;
    const { secrets: ofProxy = [] } = proxies?.(baseUrl) ?? {};
    const ofHeaders = headers.map(([, value]) => value);
    const credential =
      credentials && ('token' in credentials ? credentials.token : credentials.password);
    for (const secret of [
      ...(options.secrets ?? []),
      ...ofProxy,
      ...ofHeaders,
      credential ?? [],
    ].flat())
      this.#scrubber.learn(secret);
    if (credentials === undefined) return;
    if ('token' in credentials && !credentials.token.is(fitsHeader))
      throw new BrokerError(
        'PACT_BROKER_TOKEN holds a line break or a control character, perhaps at its end, which no header can hold: omit it',
      );
    const authorization =
      'token' in credentials
        ? seal`Bearer ${credentials.token}`
        : basic(seal`${credentials.username}:${credentials.password}`);
    this.#headers.push(['Authorization', authorization]);
  }

  /**
   * Sends a request, within the time limit of one request.
   * @param place a path below the broker's address, as `buildPath` makes it, or a link from one of its responses
   * @param body is sent as JSON
   * @returns a success, or an expected refusal, such as 404 or 409; `why` is the broker's own error message in one line
   * @throws BrokerError when the broker does not answer, refuses the credentials, or fails
   */
  async request(method: 'GET' | 'POST' | 'PUT', place: string, body?: object) {
    const path = this.#below(place);
    const where = `${method} ${path.split('?')[0]}`;
    const sent = { method, path, headers: this.#headers, body: body && JSON.stringify(body) };
    const received = await this.#send(sent, where);
    const { status } = received;
    const document = exactOrUndefined(received.body.toString());
    const texts = textsIn([field(document, 'error'), field(document, 'errors')]).join('; ');
    const why = oneLine(this.#scrubber.scrub(texts || `it answers ${status}`));
    const failure = this.#describeFailure(received, document, why);
    if (failure !== undefined) throw this.#error(`${failure} (${where})`);
    return { status, ok: status < 300, document, why };
  }

  /** Fetches the document at a place. @param what its name in the error message @throws BrokerError */
  async get(place: string, what: string): Promise<unknown> {
    const reply = await this.request('GET', place);
    if (!reply.ok) throw new BrokerError(`the Pact Broker has no ${what}: ${reply.why}`);
    return reply.document;
  }

  /** The reason why a command cannot continue with a response; undefined when it can. */
  #describeFailure(received: Received, document: unknown, why: string): string | undefined {
    const { status } = received;
    // The open-source broker refuses tokens without a body or a challenge.
    const isRefused =
      status === 401 || status === 403 || (status === 400 && document === undefined);
    if (isRefused)
      return `refuses the credentials: it answers ${status}; set PACT_BROKER_TOKEN, or PACT_BROKER_USERNAME and PACT_BROKER_PASSWORD`;
    if (status >= 300 && status < 400)
      return `redirects to ${oneLine(header(received, 'location') ?? 'nowhere')}: set PACT_BROKER_BASE_URL to where it is`;
    if (status === 200 && document === undefined) return 'does not answer with JSON';
    return status < 300 || [400, 404, 409, 422].includes(status) ? undefined : `fails: ${why}`;
  }

  #error(what: string): BrokerError {
    return new BrokerError(`the Pact Broker at ${this.shown} ${what}`);
  }

  async #send(request: HttpRequest, where: string): Promise<Received> {
    const { signal } = this.#options;
    const { baseUrl: origin, ...access } = this.#access;
    const connection = { ...access, origin, maxBodyBytes, signal };
    try {
      return await exchange(connection, request, where);
    } catch (error) {
      signal?.throwIfAborted();
      if (!(error instanceof UnreachableError)) throw error;
      // The settings of the provider do not apply to the broker.
      const why = error.message.replace(/(?<=for a private CA set ).*/, 'NODE_EXTRA_CA_CERTS');
      throw this.#error(`does not answer: ${why}`);
    }
  }

  /** Credentials go only to the broker's own address, also when its responses link to other hosts. */
  #below(place: string): string {
    const address = place.startsWith('/') ? this.shown + place : place;
    if (address.startsWith(`${this.shown}/`))
      return address.slice(this.#access.baseUrl.origin.length);
    throw this.#error(
      `leads to ${oneLine(place)}, which is not below its address: set PACT_BROKER_BASE_URL to the address that the broker has for itself`,
    );
  }
}

/** The address of a link relation in a HAL document, such as `pb:publish-verification-results`. */
export const findLink = (document: unknown, relation: string): string | undefined =>
  textIn(document, '_links', relation, 'href');

/** Makes a foreign text safe inside a line of output: no control characters, and no workflow command of a CI. */
export const oneLine = (text: string): string =>
  brief(harmless(text.replace(/[^\P{C}]+/gu, ' ').trimEnd()), 400);
