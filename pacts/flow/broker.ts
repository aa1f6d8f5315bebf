import { setTimeout as pause } from 'node:timers/promises';
import type { Received } from '../../contract/http/received.ts';
import type { HttpRequest } from '../../contract/http/request-encoding.ts';
import { exchange } from '../../contract/http/transport.ts';
import { Unreachable } from '../../contract/http/unreachable.ts';
import { Scrubber } from '../../contract/secrets/scrub.ts';
import { Secret, seal } from '../../contract/secrets/secret.ts';
import type { BrokerAccess } from '../../settings.ts';
import { documentIn, failureOf, reasonIn } from './broker-answer.ts';
import { linkOf } from './document.ts';
import { FlowError } from './flow-error.ts';
import { oneLine } from './one-line.ts';
import { runPactCli } from './pact-cli.ts';

/** A Pact Broker that has answered, and has let us in. */
export interface Broker {
  /** Its address as it is shown. */
  readonly shown: string;
  /**
   * Asks it, within the bound on one request. What may be done twice (RFC 9110 9.2.2) is asked once more where a
   * connection broke, or a gateway in between had no answer: a build asks many times, and gateways restart.
   * @param place a path below its address, as `pathOf` makes them, or a link that it has given
   * @param body is sent as JSON; a secret is JSON already
   * @throws FlowError when it does not answer, does not let us, or fails
   */
  request(method: Method, place: string, body?: object | Secret): Promise<BrokerAnswer>;
  /** The document at a place. @param what names it, where it is missing @throws FlowError */
  get(place: string, what: string): Promise<unknown>;
  /**
   * Runs a command of Pact's own client. It may report success for what the broker did not store: read that back.
   * @throws FlowError when the broker does not let us, or it is not done in time
   */
  pact(command: string, args: readonly string[]): Promise<{ ok: boolean; why: string }>;
}

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH';

/** What it has answered: a success, or that what was asked is wrong (400), not there (404) or in conflict (409). */
export interface BrokerAnswer {
  readonly status: number;
  readonly ok: boolean;
  readonly document: unknown;
  /** Its own words about what is wrong, in one line. */
  readonly why: string;
}

/** A bound for pacts, of which the largest have some megabytes. */
const maxBodyBytes = 32 * 1024 * 1024;

/** How a request is made once more. */
interface Again {
  readonly afterMs: number;
  /** Called for each, with one line. */
  readonly report: (line: string) => void;
}

const againSoon: Again = {
  afterMs: 1000,
  report: (line) => process.stderr.write(`${line}\n`),
};

/** A path whose parts may hold any sign: pathOf`/pacticipants/${name}`. */
export const pathOf = (words: TemplateStringsArray, ...parts: readonly string[]): string =>
  words.reduce((path, word, index) => path + encodeURIComponent(parts[index - 1] ?? '') + word);

/**
 * Goes to the broker of the settings, and sees that it is one.
 * @param secrets are removed from messages about its answers, besides the credentials
 * @throws FlowError when none is set, it does not answer, it is none, or it does not let these credentials in
 */
export async function openBroker(
  access: BrokerAccess | undefined,
  secrets: readonly Secret[] = [],
  again = againSoon,
): Promise<Broker> {
  if (access === undefined)
    throw new FlowError('no Pact Broker is configured: set PACT_BROKER_BASE_URL');
  const broker = new BrokerClient(access, secrets, again);
  const { document } = await broker.request('GET', '/');
  if (linkOf(document, 'pb:publish-contracts') === undefined)
    throw new FlowError(
      `${broker.shown} is not a Pact Broker: set PACT_BROKER_BASE_URL to the address of one`,
    );
  return broker;
}

class BrokerClient implements Broker {
  readonly shown: string;
  readonly #access: BrokerAccess;
  readonly #scrubber: Scrubber;
  readonly #again: Again;
  readonly #headers: readonly (readonly [string, string | Secret])[];
  #letIn = false;

  constructor(access: BrokerAccess, secrets: readonly Secret[], again: Again) {
    this.shown = access.baseUrl.href.replace(/\/$/, '');
    this.#access = access;
    this.#scrubber = scrubberOf(access, secrets);
    this.#again = again;
    this.#headers = [
      ['Accept', 'application/hal+json, application/json, */*;q=0.1'],
      ['Content-Type', 'application/json'],
      ...authorization(access),
    ];
  }

  async request(method: Method, place: string, body?: object | Secret): Promise<BrokerAnswer> {
    const path = placeBelow(this.#access.baseUrl, place, this.shown);
    const where = `${method} ${path.split('?')[0]}`;
    const sent = body instanceof Secret || body === undefined ? body : JSON.stringify(body);
    const received = await this.#send({ method, path, headers: this.#headers, body: sent }, where);
    const document = documentIn(received);
    const reason = reasonIn(document) ?? `it answers ${received.status}`;
    const why = oneLine(this.#scrubber.scrub(reason));
    const { credentials } = this.#access;
    const message = failureOf(received, document, { letIn: this.#letIn, credentials, why });
    if (message !== undefined)
      throw new FlowError(`the Pact Broker at ${this.shown} ${message} (${where})`);
    this.#letIn = true;
    return { status: received.status, ok: received.status < 300, document, why };
  }

  async get(place: string, what: string): Promise<unknown> {
    const reply = await this.request('GET', place);
    if (!reply.ok) throw new FlowError(`the Pact Broker has no ${what}: ${reply.why}`);
    return reply.document;
  }

  async pact(command: string, args: readonly string[]): Promise<{ ok: boolean; why: string }> {
    const { ok, output } = await runPactCli(this.#access, [command, ...args]);
    const lines = this.#scrubber.scrub(output).split('\n');
    const line = lines.find((one) => one.includes('❌')) ?? lines.find((one) => one.trim() !== '');
    const why = oneLine((line ?? 'it says nothing').replace(/^[\s❌]+/u, ''));
    const status = /failed: (401|403) /.exec(why)?.[1];
    if (!ok && status !== undefined)
      throw new FlowError(
        `the Pact Broker at ${this.shown} lets these credentials read, but not do this: it answers ${status} (pact-broker ${command})`,
      );
    return { ok, why };
  }

  async #send(request: HttpRequest, where: string): Promise<Received> {
    let outcome = await this.#once(request, where);
    if (/^(GET|PUT)$/.test(request.method) && isPassing(outcome)) {
      const what = outcome instanceof Unreachable ? outcome.message : `answers ${outcome.status}`;
      this.#again.report(`the Pact Broker at ${this.shown}: ${what}; ${where} is retried once`);
      await pause(this.#again.afterMs);
      outcome = await this.#once(request, where);
    }
    if (outcome instanceof Unreachable)
      throw new FlowError(`the Pact Broker at ${this.shown} does not answer: ${outcome.message}`);
    return outcome;
  }

  #once(request: HttpRequest, where: string): Promise<Received | Unreachable> {
    const { baseUrl, timeoutMs } = this.#access;
    const connection = { origin: baseUrl, timeoutMs, maxBodyBytes };
    return exchange(connection, request, where).catch((error: unknown) => {
      if (error instanceof Unreachable) return error;
      throw error;
    });
  }
}

/** What is often over in a second. A broker that refuses connections, or takes its whole time, seldom is. */
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

/** A broker may repeat what it was sent. */
function scrubberOf({ credentials }: BrokerAccess, secrets: readonly Secret[]): Scrubber {
  const scrubber = new Scrubber();
  for (const secret of secrets) scrubber.learn(secret);
  if (credentials !== undefined)
    scrubber.learn('token' in credentials ? credentials.token : credentials.password);
  return scrubber;
}

/** Credentials go to the broker's own address and to no other, whatever links its answers hold. */
function placeBelow(baseUrl: URL, place: string, shown: string): string {
  const prefix = baseUrl.pathname.replace(/\/$/, '');
  if (place.startsWith('/')) return prefix + place;
  const url = URL.parse(place);
  if (url === null || url.origin !== baseUrl.origin || !url.pathname.startsWith(`${prefix}/`))
    throw new FlowError(
      `the Pact Broker at ${shown} leads to ${oneLine(place)}, which is not below its address: set PACT_BROKER_BASE_URL to the address that the broker has for itself`,
    );
  return url.pathname + url.search;
}
