import { tokenOf } from '../schema.ts';
import { type RememberedSecrets, Scrubber } from '../secrets/scrub.ts';
import { type Account, inBase64, open, type Secret, seal, type Token } from '../secrets/secret.ts';
import { lifetime } from '../time/clock.ts';
import { type Answer, cookiesOf } from './answer.ts';
import {
  type Connection,
  connectionsFor,
  type KeptConnections,
  type OpenConnections,
  type Sharing,
} from './connections.ts';
import { curlLine } from './curl.ts';
import { exchange as overNetwork } from './exchange.ts';
import {
  fitsBearer,
  fittingToken,
  type HttpRequest,
  longestOf,
  longestToken,
  outgoingRequest,
  secretsIn,
  traced,
} from './http-request.ts';
import { IssuedTokens } from './issued-tokens.ts';
import type { Pace } from './pacing.ts';
import {
  type Body,
  type CallOptions,
  called,
  type Endpoint,
  endpointName,
  ownHeaders,
  shown,
  tokenEndpoint,
  tokenEndpointName,
} from './request.ts';
import { refuseOutage, Unreachable } from './unreachable.ts';

/** The token endpoint answered valid credentials without a token, or with one that no request can carry. */
export class NoToken extends Error {
  /** Private, so that printing the error does not print the answer. */
  readonly #answer: Answer;
  readonly expected: string;

  constructor(answer: Answer, expected = 'a token') {
    super('no token was issued');
    this.name = 'NoToken';
    this.#answer = answer;
    this.expected = expected;
  }

  get answer(): Answer {
    return this.#answer;
  }
}

/** What probes can do with the provider. */
export interface Service {
  /** A token, new or repeated. @throws NoToken when the answer holds no token @throws Unreachable */
  issue(account: Account): Promise<Token>;
  /** POSTs any body to the token endpoint. @throws Unreachable */
  exchange(body?: Body, headers?: Readonly<Record<string, string>>): Promise<Answer>;
  /** Calls an endpoint, with the given deviations. @throws Unreachable */
  call(endpoint: Endpoint, options?: CallOptions): Promise<Answer>;
  /** The same service over connections that are kept open between requests and closed at the end of `use`. */
  connection<Result>(
    use: (service: Service) => Promise<Result>,
    sharing?: Sharing,
  ): Promise<Result>;
}

/** The token under the scheme of this API. */
export const bearer = (token: Token): CallOptions => under('Bearer', token);

/** The token under any scheme. */
export const under = (scheme: string, token: Token): CallOptions => ({
  authorization: seal`${scheme} ${token.secret}`,
  token,
});

/** Basic credentials (RFC 7617). @param pair the user and the password, joined by a colon */
export const basic = (pair: Secret): Secret => seal`Basic ${inBase64(pair)}`;

/** The client counts what it sends and receives. */
export interface ApiClient extends Service {
  readonly requests: () => number;
  readonly issued: IssuedTokens;
  /** Removes the secrets that were sent, received or registered: from a provider's text, and whole ones from a user's. */
  readonly scrub: (text: string) => string;
  readonly scrubWhole: (text: string) => string;
  /** Removes them, and parts of them, from a text of a team's tests. */
  readonly scrubKnown: (text: string) => string;
  /** Registers a secret that the client neither sent nor received. */
  readonly learn: (secret: Secret) => void;
}

export interface ApiClientOptions {
  readonly connection: Connection;
  readonly pace: Pace;
  readonly account: Account;
  /** The provider's time, milliseconds since 1970. */
  readonly now: () => number;
  /** Secrets from elsewhere that answers may quote: kept tokens. */
  readonly secrets?: readonly Secret[];
  /** Secrets of earlier clients that answers may quote too. */
  readonly remembered?: RememberedSecrets;
  /** The connections that runs of several probes share. */
  readonly shared?: KeptConnections;
  /** Another network than the real one: a simulation's. */
  readonly exchange?: typeof overNetwork;
  /** Called for every answer, including one that only reports that the provider is unavailable. */
  readonly onAnswer?: (answer: Answer) => void;
}

/** Opens the client, the only access to the network. It sends, counts, limits, paces and scrubs. */
export function openClient(options: ApiClientOptions): ApiClient {
  const sender = new Sender(options);
  return {
    ...serviceOver(sender),
    requests: () => sender.requests,
    issued: sender.issued,
    scrub: (text) => sender.scrubber.scrub(text),
    scrubWhole: (text) => sender.scrubber.scrubWhole(text),
    scrubKnown: (text) => sender.scrubber.scrubKnown(text),
    learn: (secret) => sender.learn(secret),
  };
}

/** Sends the requests of a service, and remembers the secrets in them. */
class Sender {
  readonly #options: ApiClientOptions;
  readonly #learnt: Secret[];
  readonly scrubber: Scrubber;
  readonly issued = new IssuedTokens();
  requests = 0;

  constructor(options: ApiClientOptions) {
    const { connection, account, secrets = [], remembered } = options;
    this.#options = options;
    this.#learnt = [...secrets];
    this.scrubber = new Scrubber(remembered);
    const ofProxy = connection.proxies?.for(connection.origin)?.secrets ?? [];
    for (const secret of [account.apiKey, account.secretKey, ...secrets, ...ofProxy])
      this.scrubber.learn(secret);
    this.scrubber.learn(inBase64(seal`${account.apiKey}:${account.secretKey}`));
  }

  now(): number {
    return this.#options.now();
  }

  learn(secret: Secret): void {
    this.scrubber.learn(secret);
    this.#learnt.push(secret);
  }

  kept(sharing: Sharing): OpenConnections {
    return connectionsFor(this.#options.connection, sharing, this.#options.shared);
  }

  /** @throws Unreachable */
  async send(to: Endpoint, options: CallOptions, kept?: OpenConnections): Promise<Answer> {
    const { connection, pace, exchange = overNetwork, onAnswer } = this.#options;
    const request = outgoingRequest(connection, to, options);
    const agent = kept?.agentFor(to, options, this.#isAuthorised(options));
    for (const secret of secretsIn(request)) this.scrubber.learn(secret);
    const where = endpointName(to);
    let trace: string | undefined;
    const sendOnce = () => {
      this.requests += 1;
      const sent = traced(request, options);
      trace = sent.trace;
      return exchange(connection, { ...sent.request, agent }, where);
    };
    const received = await pace.run(where, sendOnce, options.accepts);
    const answer = {
      request: {
        ...shown(to, options, this.now()),
        longest: longestOf(request),
        trace,
        curl: () => this.#curl(request, to, options),
      },
      ...received,
    };
    onAnswer?.(answer);
    if (options.accepts?.(received.status) !== true) refuseOutage(received, where);
    const token = tokenOf(answer);
    if (token !== undefined) this.scrubber.learnToken(token);
    return answer;
  }

  #curl(request: HttpRequest, to: Endpoint, options: CallOptions): string | undefined {
    const { connection, account } = this.#options;
    const token = options.token?.secret;
    return curlLine(request, {
      origin: connection.origin,
      hasPrivateCa: connection.ca !== undefined,
      account,
      token: token !== undefined && this.#isToken(token) ? token : undefined,
      own: {
        headers: ownHeaders(to, options).map(([name]) => name),
        hasBody: to.body !== undefined && options.body === undefined,
      },
    });
  }

  #isToken(secret: Secret): boolean {
    return this.issued.has(open(secret)) || this.#learnt.some((one) => one.equals(secret));
  }

  /** Whether a request has a token that was issued and has not expired. */
  #isAuthorised({ token }: CallOptions): boolean {
    if (token === undefined || this.now() - token.madeAt >= lifetime) return false;
    return this.#isToken(token.secret);
  }
}

/** The service that probes use. @param kept the kept connections, if any */
const serviceOver = (sender: Sender, kept?: OpenConnections): Service => ({
  async issue({ apiKey, secretKey }) {
    const where = tokenEndpointName;
    const sentAt = sender.now();
    const options = { body: { json: { apiKey, secretKey } } };
    const answer = await sender.send(tokenEndpoint, options, kept);
    const secret = tokenOf(answer);
    if (secret === undefined) throw new NoToken(answer);
    if (secret.length > longestToken) throw new Unreachable('too-large', where, 'its token');
    if (!secret.is(fitsBearer)) throw new NoToken(answer, fittingToken);
    return {
      secret,
      cookies: cookiesOf(answer),
      ...sender.issued.note(open(secret), sentAt),
    };
  },
  exchange: (body, headers = {}) => sender.send(tokenEndpoint, { headers, body }, kept),
  call: async (endpoint, options = {}) => sender.send(called(endpoint, options), options, kept),
  async connection(use, sharing = 'one') {
    const own = sender.kept(sharing);
    try {
      return await use(serviceOver(sender, own));
    } finally {
      own.close();
    }
  },
});
