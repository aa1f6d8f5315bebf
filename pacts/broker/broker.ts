import { setTimeout as pause } from 'node:timers/promises';
import type { Received } from '../../contract/http/answer.ts';
import { exchange } from '../../contract/http/exchange.ts';
import type { HttpRequest } from '../../contract/http/http-request.ts';
import { Unreachable } from '../../contract/http/unreachable.ts';
import { Scrubber } from '../../contract/secrets/scrub.ts';
import { type Secret, seal } from '../../contract/secrets/secret.ts';
import type { BrokerAccess } from '../../settings.ts';
import { documentIn, failureOf, reasonIn } from './answer.ts';
import { BrokerError } from './broker-error.ts';
import { linkOf, oneLine } from './document.ts';

type Method = 'GET' | 'POST' | 'PUT';

/** A response of the broker: a success, or an expected refusal such as 400, 404, 409 or 422. */
export interface BrokerAnswer {
  readonly status: number;
  readonly ok: boolean;
  readonly document: unknown;
  /** The broker's own error message, in one line. */
  readonly why: string;
}

/** The largest pacts have some megabytes. */
const maxBodyBytes = 32 * 1024 * 1024;

export interface BrokerOptions {
  /** Secrets to remove from messages about the broker's responses, besides the credentials. */
  readonly secrets?: readonly Secret[];
  /** Aborts pending requests, which then throw its reason. */
  readonly signal?: AbortSignal;
  /** The pause before a retry. */
  readonly afterMs?: number;
  /** Called with one line before each retry. */
  readonly report?: (line: string) => void;
}

/** A path whose parts may hold any character: pathOf`/pacticipants/${name}`. */
export const pathOf = (words: TemplateStringsArray, ...parts: readonly string[]): string =>
  words.reduce((path, word, index) => path + encodeURIComponent(parts[index - 1] ?? '') + word);

/**
 * Connects to the configured broker, and checks that the address is that of a Pact Broker.
 * @throws BrokerError if no broker is configured, or it does not answer, is no Pact Broker, or refuses the credentials
 */
export async function openBroker(
  access: BrokerAccess | undefined,
  options: BrokerOptions = {},
): Promise<Broker> {
  if (access === undefined)
    throw new BrokerError('no Pact Broker is configured: set PACT_BROKER_BASE_URL');
  const broker = new Broker(access, options);
  const { document } = await broker.request('GET', '/');
  if (linkOf(document, 'pb:publish-contracts') === undefined)
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
  readonly #scrubber: Scrubber;
  readonly #options: BrokerOptions;
  readonly #headers: readonly (readonly [string, string | Secret])[];
  #hasRead = false;

  constructor(access: BrokerAccess, options: BrokerOptions) {
    this.shown = access.baseUrl.href.replace(/\/$/, '');
    this.#access = access;
    this.#scrubber = scrubberOf(access, options.secrets ?? []);
    this.#options = options;
    this.#headers = [
      ['Accept', 'application/hal+json, application/json, */*;q=0.1'],
      ['Content-Type', 'application/json'],
      ...authorization(access),
    ];
  }

  /**
   * Sends a request, within the time limit of one request. An idempotent request (RFC 9110 9.2.2) is retried once
   * after a broken connection or a gateway error: a build sends many requests, and gateways restart.
   * @param place a path below the broker's address, as `pathOf` makes it, or a link from one of its responses
   * @param body is sent as JSON
   * @throws BrokerError when the broker does not answer, refuses the credentials, or fails
   */
  async request(method: Method, place: string, body?: object): Promise<BrokerAnswer> {
    const path = placeBelow(this.#access.baseUrl, place, this.shown);
    const where = `${method} ${path.split('?')[0]}`;
    const sent = body === undefined ? body : JSON.stringify(body);
    const received = await this.#send({ method, path, headers: this.#headers, body: sent }, where);
    const document = documentIn(received);
    const reason = reasonIn(document) ?? `it answers ${received.status}`;
    const why = oneLine(this.#scrubber.scrub(reason));
    const { credentials } = this.#access;
    const message = failureOf(received, document, { hasRead: this.#hasRead, credentials, why });
    if (message !== undefined)
      throw new BrokerError(`the Pact Broker at ${this.shown} ${message} (${where})`);
    this.#hasRead = true;
    return { status: received.status, ok: received.status < 300, document, why };
  }

  /** Fetches the document at a place. @param what its name in the error message @throws BrokerError */
  async get(place: string, what: string): Promise<unknown> {
    const reply = await this.request('GET', place);
    if (!reply.ok) throw new BrokerError(`the Pact Broker has no ${what}: ${reply.why}`);
    return reply.document;
  }

  async #send(request: HttpRequest, where: string): Promise<Received> {
    const { signal, afterMs = 1000, report = onStderr } = this.#options;
    let outcome = await this.#once(request, where);
    if (/^(GET|PUT)$/.test(request.method) && isPassing(outcome)) {
      const what = outcome instanceof Unreachable ? outcome.message : `answers ${outcome.status}`;
      report(`the Pact Broker at ${this.shown}: ${what}; ${where} is retried once`);
      await pause(afterMs, undefined, { signal }).catch(() => signal?.throwIfAborted());
      outcome = await this.#once(request, where);
    }
    if (!(outcome instanceof Unreachable)) return outcome;
    const why = outcome.message.replace(forPrivateCa, 'for a private CA set NODE_EXTRA_CA_CERTS');
    throw new BrokerError(`the Pact Broker at ${this.shown} does not answer: ${why}`);
  }

  #once(request: HttpRequest, where: string): Promise<Received | Unreachable> {
    const { baseUrl, timeoutMs, proxies } = this.#access;
    const { signal } = this.#options;
    const connection = { origin: baseUrl, timeoutMs, maxBodyBytes, proxies, signal };
    return exchange(connection, request, where).catch((error: unknown) => {
      signal?.throwIfAborted();
      if (error instanceof Unreachable) return error;
      throw error;
    });
  }
}

/** The advice for a provider: its settings do not apply to the broker. */
const forPrivateCa = /for a private CA set .*/;

const onStderr = (line: string): boolean => process.stderr.write(`${line}\n`);

/** Whether a failure often passes within a second. Refused connections and timeouts rarely do. */
const isPassing = (outcome: Received | Unreachable): boolean =>
  outcome instanceof Unreachable
    ? ['reset', 'truncated'].includes(outcome.reason)
    : [502, 503, 504].includes(outcome.status);

function authorization({ credentials }: BrokerAccess): [string, Secret][] {
  if (credentials === undefined) return [];
  if ('token' in credentials) return [['Authorization', seal`Bearer ${credentials.token}`]];
  const { username, password } = credentials;
  const basic = password.derive((text) => Buffer.from(`${username}:${text}`).toString('base64'));
  return [['Authorization', seal`Basic ${basic}`]];
}

/** A broker's response may repeat the credentials that it received. */
function scrubberOf(access: BrokerAccess, secrets: readonly Secret[]): Scrubber {
  const { credentials, proxies, baseUrl } = access;
  const scrubber = new Scrubber();
  const { secrets: ofProxy = [] } = proxies?.for(baseUrl) ?? {};
  for (const secret of [...secrets, ...ofProxy]) scrubber.learn(secret);
  if (credentials !== undefined)
    scrubber.learn('token' in credentials ? credentials.token : credentials.password);
  return scrubber;
}

/** Credentials go only to the broker's own address, also when its responses link to other hosts. */
function placeBelow(baseUrl: URL, place: string, shown: string): string {
  const prefix = baseUrl.pathname.replace(/\/$/, '');
  if (place.startsWith('/')) return prefix + place;
  const url = URL.parse(place);
  if (url === null || url.origin !== baseUrl.origin || !url.pathname.startsWith(`${prefix}/`))
    throw new BrokerError(
      `the Pact Broker at ${shown} leads to ${oneLine(place)}, which is not below its address: set PACT_BROKER_BASE_URL to the address that the broker has for itself`,
    );
  return url.pathname + url.search;
}
