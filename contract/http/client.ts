import { lifetime } from '../durations.ts';
import { readToken } from '../schema.ts';
import { type RememberedSecrets, Scrubber } from '../secrets/scrub.ts';
import {
  type Account,
  inBase64,
  maxTokenLength,
  open,
  type Secret,
  seal,
  type Token,
} from '../secrets/secret.ts';
import { claimsIn, doubtsIn } from '../token-claims.ts';
import { type Answer, readCookies, readWords } from './answer.ts';
import { type Connection, type KeptConnections, keepConnections } from './connections.ts';
import { curlLine } from './curl.ts';
import { exchange as overNetwork } from './exchange.ts';
import { fitsBearer, prepareRequest } from './http-request.ts';
import type { Pace } from './pace.ts';
import {
  type Call,
  type CallOptions,
  createCall,
  describeCall,
  type Endpoint,
  endpointName,
  tokenEndpoint,
  tokenEndpointName,
} from './request.ts';
import { UnreachableError } from './unreachable.ts';

/** The token endpoint answered valid credentials without a token, or with one that no request can carry. */
export class NoTokenError extends Error {
  override readonly name = 'NoTokenError';
  /** Private, so that printing the error does not print the answer. */
  readonly #answer: Answer;

  constructor(answer: Answer) {
    super('no token was issued');
    this.#answer = answer;
  }

  get answer(): Answer {
    return this.#answer;
  }
}

/** What is requested; undefined if there is no answer, or no token in it. */
export const orNothing = <Result>(requested: Promise<Result>): Promise<Result | undefined> =>
  requested.catch((error: unknown) => {
    if (error instanceof UnreachableError || error instanceof NoTokenError) return undefined;
    throw error;
  });

/**
 * Which requests share a kept connection: all of them; or those with a valid token one, and those without another, so
 * that no refusal depends on whether its connection was authorised before. `renewed` first closes the former.
 */
type Sharing = 'one' | 'shared' | 'renewed';

/** What probes can do with the provider. */
export interface Service {
  /** A token, new or repeated. @throws NoTokenError when the answer holds no token @throws UnreachableError */
  issue(account: Account): Promise<Token>;
  /** Calls an endpoint, with the given deviations. @throws UnreachableError */
  call(endpoint: Endpoint, options?: CallOptions): Promise<Answer>;
  /** The same service over connections that are kept open between requests and closed at the end of `use`. */
  connection<Result>(
    use: (service: Service) => Promise<Result>,
    sharing?: Sharing,
  ): Promise<Result>;
}

/** The token under the scheme of this API. */
export const bearer = (token: Token): CallOptions => under('Bearer', token);

export const under = (scheme: string, token: Token): CallOptions => ({
  authorization: seal`${scheme} ${token.secret}`,
  token,
});

/** Basic credentials (RFC 7617). @param pair the user and the password, joined by a colon */
export const basic = (pair: Secret): Secret => seal`Basic ${inBase64(pair)}`;

/** A service that counts what it sends and receives. */
export type ApiClient = ReturnType<typeof openClient>;

export interface ApiClientOptions {
  readonly connection: Connection;
  readonly pace: Pace;
  readonly account: Account;
  /** The provider's time, milliseconds since 1970. */
  readonly now: () => number;
  /** Kept tokens, and secrets of earlier clients: answers may quote them. */
  readonly secrets?: readonly Secret[];
  readonly remembered?: RememberedSecrets;
  /** The connections that runs of several probes share. */
  readonly shared?: KeptConnections;
  /** Another network than the real one: a simulation's. */
  readonly exchange?: typeof overNetwork;
  /** Called for every answer, including one that only reports that the provider is unavailable. */
  readonly onAnswer?: (answer: Answer) => void;
}

/** Opens the client, the only access to the network. It sends, counts, limits, paces and scrubs. */
export function openClient(options: ApiClientOptions) {
  const sender = new Sender(options);
  const { issued, scrubber } = sender;
  const { scrub, scrubWhole, scrubKnown, learn } = scrubber;
  const requests = (): number => sender.requests;
  return { ...sender.service(), requests, issued, scrub, scrubWhole, scrubKnown, learn };
}

/** Sends the requests of a service, and remembers the secrets in them. */
class Sender {
  readonly #options: ApiClientOptions;
  readonly scrubber: Scrubber;
  /** When each token was first issued (milliseconds since 1970): it is at least that old. */
  readonly issued = new Map<string, number>();
  requests = 0;

  constructor(options: ApiClientOptions) {
    const { connection, account, secrets = [], remembered } = options;
    this.#options = options;
    this.scrubber = new Scrubber(remembered);
    const ofProxy = connection.proxies?.(connection.origin)?.secrets ?? [];
    const pair = inBase64(seal`${account.apiKey}:${account.secretKey}`);
    for (const secret of [account.apiKey, account.secretKey, pair, ...ofProxy, ...secrets])
      this.scrubber.learn(secret);
  }

  /** The service that probes use. @param kept the kept connections, if any */
  service(kept?: KeptConnections): Service {
    return {
      issue: (account) => this.#issue(account, kept),
      call: (endpoint, options = {}) => this.#send(endpoint, options, kept),
      connection: async (use, sharing = 'one') => {
        const { connection, shared } = this.#options;
        if (sharing !== 'one' && shared !== undefined) {
          if (sharing === 'renewed') shared.close('authorised');
          return use(this.service(shared));
        }
        const own = keepConnections(connection, sharing === 'one' ? { maxSockets: 1 } : {});
        return use(this.service(own)).finally(() => own.close());
      },
    };
  }

  async #issue({ apiKey, secretKey }: Account, kept?: KeptConnections): Promise<Token> {
    const sentAt = this.#options.now();
    const body = { json: { apiKey, secretKey } };
    const answer = await this.#send(tokenEndpoint, { body }, kept);
    const secret = readToken(answer);
    if (secret !== undefined && secret.length > maxTokenLength)
      throw new UnreachableError('too-large', tokenEndpointName, 'its token');
    if (secret === undefined || !secret.is(fitsBearer)) throw new NoTokenError(answer);
    const facts = { cookies: readCookies(answer), doubts: doubtsIn(claimsIn(answer)) };
    const madeAt = this.issued.get(open(secret)) ?? sentAt;
    this.issued.set(open(secret), madeAt);
    return { secret, ...facts, madeAt, issuedBefore: sentAt - madeAt >= 1000 };
  }

  async #send(to: Endpoint, options: CallOptions, kept?: KeptConnections): Promise<Answer> {
    const { pace, onAnswer } = this.#options;
    const { accepts } = options;
    const call = createCall(to, options);
    const where = endpointName(call);
    const answer = await pace.run(where, () => this.#sendOnce(call, kept), accepts);
    onAnswer?.(answer);
    // A gateway sends such an answer instead of the service: it is not judged.
    if (/^50[234]$/.test(`${answer.status}`) && accepts?.(answer.status) !== true)
      throw new UnreachableError('unavailable', where, `status ${answer.status}`);
    const token = readToken(answer);
    if (token !== undefined) this.scrubber.learnToken(token);
    return answer;
  }

  async #sendOnce(call: Call, kept?: KeptConnections): Promise<Answer> {
    const { connection, account, now, secrets = [], exchange = overNetwork } = this.#options;
    const prepared = prepareRequest(connection.origin, call);
    const { request, trace, longestLine } = prepared;
    for (const secret of prepared.secrets) this.scrubber.learn(secret);
    const { token } = call;
    const isKnown =
      token !== undefined &&
      (this.issued.has(open(token.secret)) || secrets.some((known) => known.equals(token.secret)));
    const agent = kept?.agentFor(request, isKnown && now() - token.madeAt < lifetime);
    this.requests += 1;
    const received = await exchange(connection, { ...request, agent }, endpointName(call));
    return {
      request: {
        line: describeCall(call),
        longestLine,
        ...(token && { token, tokenAgeMs: now() - token.madeAt }),
        trace,
        curl: () => curlLine(request, call, connection, account, isKnown ? token : undefined),
        words: () => readWords(received, this.scrubber.scrub),
      },
      ...received,
    };
  }
}

/** The same service with some of its functions in another way, also over kept connections. */
export const withChanges = (
  service: Service,
  change: (service: Service) => Partial<Service>,
): Service => ({
  ...service,
  ...change(service),
  connection: (use, sharing) =>
    service.connection((kept) => use(withChanges(kept, change)), sharing),
});

/** A service that gives this token, for probes that accept any. */
export const withToken = (service: Service, token: Token): Service =>
  withChanges(service, () => ({ issue: async () => token }));
