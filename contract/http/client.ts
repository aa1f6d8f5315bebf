import type { Agent } from 'node:http';
import { GivenTokens } from '../round/given-tokens.ts';
import { tokenOf } from '../schema.ts';
import { type EarlierSecrets, Scrubber } from '../secrets/scrub.ts';
import { type Account, open, Secret, seal, type Token } from '../secrets/secret.ts';
import { lifetime } from '../time/clock.ts';
import type { Answer } from './answer.ts';
import { keptConnections, type Sharing } from './kept-connections.ts';
import type { Pace } from './pacing.ts';
import {
  type Ask,
  type Body,
  called,
  type Endpoint,
  headersOf,
  joint,
  prefix,
  referredBy,
  shown,
  tokenPath,
} from './request.ts';
import { fitsBearer, fittingToken, longestToken } from './request-encoding.ts';
import { type Connection, exchange as overNetwork, refuseOutage } from './transport.ts';
import { Unreachable } from './unreachable.ts';

/** The token endpoint answered valid credentials without a token, or with none that a request can carry. */
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
  /** A token, new or given again. @throws NoToken when the answer holds none @throws Unreachable */
  issue(account: Account): Promise<Token>;
  /** POSTs any body to the token endpoint. @throws Unreachable */
  exchange(body?: Body, headers?: Readonly<Record<string, string>>): Promise<Answer>;
  /** Calls an endpoint, with the deviations asked for. @throws Unreachable */
  call(endpoint: Endpoint, ask?: Ask): Promise<Answer>;
  /** The same service over connections that are kept open from request to request, and close at the end of `use`. */
  connection<Result>(
    use: (service: Service) => Promise<Result>,
    sharing?: Sharing,
  ): Promise<Result>;
}

/** The token under the scheme of this API. */
export const bearer = (token: Token): Ask => under('Bearer', token);

/** The token under any scheme. */
export const under = (scheme: string, token: Token): Ask => ({
  authorization: seal`${scheme} ${token.secret}`,
  token,
});

/** A user and a password, with a colon between them, as Basic has them (RFC 7617). */
export function basic(pair: Secret): Ask & { readonly conceals: Secret } {
  const conceals = pair.derive((text) => Buffer.from(text).toString('base64'));
  return { authorization: seal`Basic ${conceals}`, conceals };
}

/** The door counts what passes it. */
export interface ApiClient extends Service {
  readonly requests: () => number;
  /** The tokens that were given so far. */
  readonly given: GivenTokens;
  /** Takes every secret that has passed, or was learnt, out of a text. */
  readonly scrub: (text: string) => string;
  /** Tells it of a secret that came by another way. */
  readonly learn: (secret: Secret) => void;
}

export interface ApiClientOptions {
  readonly connection: Connection;
  readonly pace: Pace;
  readonly account: Account;
  /** The provider's time, milliseconds since 1970. */
  readonly now: () => number;
  /** Those that answers may quote although they came by another way: tokens that are kept. */
  readonly secrets?: readonly Secret[];
  /** Those of earlier doors, which answers may quote too. */
  readonly earlier?: EarlierSecrets;
  /** Another network than the real one: a simulation's. */
  readonly exchange?: typeof overNetwork;
  /** Told of every answer that comes in, also of one that says no more than that the provider is unavailable. */
  readonly onAnswer?: (answer: Answer) => void;
}

/** Opens the only door to the network: what is sent, counted, bounded, paced and scrubbed is decided here. */
export function openClient(options: ApiClientOptions): ApiClient {
  const {
    connection: wire,
    pace,
    account,
    now,
    secrets = [],
    exchange = overNetwork,
    onAnswer,
  } = options;
  const scrubber = new Scrubber(options.earlier);
  for (const secret of [account.apiKey, account.secretKey, ...secrets]) scrubber.learn(secret);
  // As Basic credentials they are a text of their own, which cannot be decoded any more where its case is lost.
  scrubber.learn(basic(seal`${account.apiKey}:${account.secretKey}`).conceals);
  const base = wire.origin.pathname.replace(/\/$/, '');
  const given = new GivenTokens();
  const learnt = [...secrets];
  let requests = 0;

  /** A plain request with a token that was given and has not ended. */
  function isAuthorised({ authorization, token, body: _body, ...deviations }: Ask): boolean {
    if (token === undefined || !(authorization instanceof Secret)) return false;
    const { secret, madeAt } = token;
    return (
      Object.values(deviations).every((value) => value === undefined) &&
      now() - madeAt < lifetime &&
      authorization.equals(seal`Bearer ${secret}`) &&
      (given.has(open(secret)) || learnt.some((one) => one.equals(secret)))
    );
  }

  async function send(to: Endpoint, ask: Ask, agent?: Agent): Promise<Answer> {
    const { method, path } = to;
    const body = ask.body ?? to.body;
    if (!path.startsWith(prefix)) throw new Error(`VERSION-1: ${path} is not below ${prefix}`);
    const whole = wire.origin.origin + base + path;
    const target = ask.address === 'target' ? whole : base + path;
    const request = {
      method,
      path: ask.query === undefined ? target : seal`${target}${joint(path)}${ask.query}`,
      headers: headersOf(to, ask.address === 'Referer' ? referredBy(whole, ask) : ask),
      ...(body === undefined ? {} : { body: textOf(body) }),
      version: ask.version,
      chunked: ask.chunked,
      agent,
    };
    if (ask.conceals !== undefined) scrubber.learn(ask.conceals);
    const where = `${method} ${path}`;
    const received = await pace.run(where, () => {
      requests += 1;
      return exchange(wire, request, where);
    });
    const texts = [request.path, ...request.headers.map(([, value]) => value)];
    const longest = Math.max(...texts.map(({ length }) => length));
    const answer = { request: { ...shown(to, ask, now()), longest }, ...received };
    onAnswer?.(answer);
    refuseOutage(received, where);
    const token = tokenOf(answer);
    if (token !== undefined) scrubber.learnToken(token);
    return answer;
  }

  const over = (agentFor: (ask: Ask) => Agent | undefined = () => undefined): Service => ({
    async issue({ apiKey, secretKey }) {
      const where = `POST ${tokenPath}`;
      const sentAt = now();
      const ask = { body: { json: { apiKey, secretKey } } };
      const answer = await send(tokenEndpoint, ask, agentFor(ask));
      const secret = tokenOf(answer);
      if (secret === undefined) throw new NoToken(answer);
      if (secret.length > longestToken) throw new Unreachable('too-large', where, 'its token');
      if (!secret.is(fitsBearer)) throw new NoToken(answer, fittingToken);
      return { secret, ...given.note(open(secret), sentAt) };
    },
    exchange: (body, headers = {}) => {
      const ask = { headers, body };
      return send(tokenEndpoint, ask, agentFor(ask));
    },
    call: async (endpoint, ask = {}) => send(called(endpoint, ask), ask, agentFor(ask)),
    async connection(use, sharing = 'one') {
      const agents = keptConnections(wire.origin, sharing, isAuthorised);
      try {
        return await use(over(agents.of));
      } finally {
        agents.close();
      }
    },
  });
  return {
    ...over(),
    requests: () => requests,
    given,
    scrub: (text) => scrubber.scrub(text),
    learn(secret) {
      scrubber.learn(secret);
      learnt.push(secret);
    },
  };
}

const tokenEndpoint: Endpoint = { method: 'POST', path: tokenPath };

/** A body as text; secrets inside JSON are opened here. */
function textOf(body: Body): string | Secret {
  if (!('json' in body)) return body.text;
  return new Secret(
    JSON.stringify(body.json, function (this: Record<string, unknown>, key, shown) {
      const value = this[key];
      return value instanceof Secret ? open(value) : shown;
    }) ?? '',
  );
}
