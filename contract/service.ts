import type http from 'node:http';
import type { Answer, RequestSummary } from './answer.ts';
import { acceptable } from './coding.ts';
import { GivenTokens } from './given-tokens.ts';
import type { Pace } from './pace.ts';
import { fitsBearer, fittingToken, longestToken } from './request-encoding.ts';
import { tokenOf } from './schema.ts';
import { type EarlierSecrets, Scrubber } from './scrub.ts';
import { type Account, open, Secret, seal, type Token } from './secret.ts';
import { type Connection, keeping, exchange as overNetwork, refuseOutage } from './transport.ts';
import { Unreachable } from './unreachable.ts';

/** A protected endpoint: what its owner says about it, since the document shows none. */
export interface Endpoint {
  readonly method: string;
  /** Below the base address; begins with `/public-api/v1/`, and may have a query. */
  readonly path: string;
  /** Sent with every call of it, but for what the call itself says otherwise. No secrets, and no Authorization. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent with every call that brings none, where the method is its own or takes a body. */
  readonly body?: Body;
}

/** Everything of a request that a probe may want otherwise than usual. */
export interface Ask {
  readonly authorization?: string | Secret | readonly (string | Secret)[];
  /** The token inside `authorization`, so that findings can tell its age. */
  readonly token?: Token;
  /** A text in it that tells a secret, and that the door cannot see in there. */
  readonly conceals?: Secret;
  readonly method?: string;
  readonly path?: string;
  /** Appended to the path, without the question mark. */
  readonly query?: Secret;
  readonly headers?: Readonly<Record<string, string | Secret>>;
  /** Headers that every request has, and this one lacks. */
  readonly without?: readonly ('Accept' | 'User-Agent')[];
  readonly body?: Body;
  readonly version?: '1.0';
  /** Odd requests may well be reset: that is as good as a refusal, and hardly worth another try. */
  readonly mayFail?: true;
  readonly chunked?: true;
  /** Where the whole address stands: in the request target, as proxies get it (RFC 9112 3.2.2), or as Referer. */
  readonly address?: 'target' | 'Referer';
}

/** A body and its media type. A JSON value may hold secrets. */
export type Body =
  | { readonly type: string; readonly text: string | Secret }
  | { readonly json: unknown };

/** The token endpoint answered valid credentials without a token, or with none that a request can carry. */
export class NoToken extends Error {
  /** Private, so that whoever prints the error does not print the answer. */
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
  /** The same service over one connection that is kept open from request to request. */
  connection<Result>(use: (service: Service) => Promise<Result>): Promise<Result>;
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

/** Where the token endpoint is, and what every path begins with. */
export const tokenPath = '/public-api/v1/auth/token';
export const prefix = '/public-api/v1/';

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
  let requests = 0;

  async function send(to: Endpoint, ask: Ask, agent?: http.Agent): Promise<Answer> {
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
      ...(ask.version === undefined ? {} : { version: ask.version }),
      ...(ask.chunked === undefined ? {} : { chunked: ask.chunked }),
      ...(agent === undefined ? {} : { agent }),
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

  const over = (agent?: http.Agent): Service => ({
    async issue({ apiKey, secretKey }) {
      const where = `POST ${tokenPath}`;
      const sentAt = now();
      const answer = await send(tokenEndpoint, { body: { json: { apiKey, secretKey } } }, agent);
      const secret = tokenOf(answer);
      if (secret === undefined) throw new NoToken(answer);
      if (secret.length > longestToken) throw new Unreachable('too-large', where, 'its token');
      if (!secret.is(fitsBearer)) throw new NoToken(answer, fittingToken);
      return { secret, ...given.note(open(secret), sentAt) };
    },
    exchange: (body, headers = {}) =>
      send(tokenEndpoint, { headers, ...(body === undefined ? {} : { body }) }, agent),
    call: async (endpoint, ask = {}) => send(called(endpoint, ask), ask, agent),
    async connection(use) {
      const kept = keeping(wire.origin);
      try {
        return await use(over(kept));
      } finally {
        kept.destroy();
      }
    },
  });
  return {
    ...over(),
    requests: () => requests,
    given,
    scrub: (text) => scrubber.scrub(text),
    learn: (secret) => scrubber.learn(secret),
  };
}

const tokenEndpoint: Endpoint = { method: 'POST', path: tokenPath };

/** What a call goes to, and what of the endpoint's own goes with it. */
function called(endpoint: Endpoint, ask: Ask): Endpoint {
  const { headers, body } = endpoint;
  const method = ask.method ?? endpoint.method;
  const path = ask.path ?? endpoint.path;
  if (path.split('?')[0] === tokenPath) return { method, path };
  if (Object.keys(headers ?? {}).some((name) => name.toLowerCase() === 'authorization'))
    throw new Error(`${method} ${path}: Authorization is no header of an endpoint's own`);
  const brings = method === endpoint.method || /^(POST|PUT|PATCH)$/.test(method);
  return {
    method,
    path,
    ...(headers === undefined ? {} : { headers }),
    ...(body === undefined || ask.body !== undefined || !brings ? {} : { body }),
  };
}

function headersOf(to: Endpoint, ask: Ask): [string, string | Secret][] {
  const { authorization = [], headers = {}, without = [] } = ask;
  const authorizations =
    typeof authorization === 'string' || authorization instanceof Secret
      ? [authorization]
      : authorization;
  const body = ask.body ?? to.body;
  const type = body === undefined ? undefined : 'json' in body ? 'application/json' : body.type;
  const usual: [string, string][] = [
    ['Accept', 'application/json'],
    ['Accept-Encoding', acceptable],
    ['User-Agent', 'public-api-contract'],
    ...(type === undefined ? [] : ([['Content-Type', type]] satisfies [string, string][])),
  ];
  const [asked, own] = [Object.entries(headers), ownHeaders(to, ask)];
  const names = namesOf([...asked, ...own, ...without.map((name) => [name, ''] as const)]);
  return [
    ...usual.filter(([name]) => !names.has(name.toLowerCase())),
    ...authorizations.map((value): [string, string | Secret] => ['Authorization', value]),
    ...own,
    ...asked,
  ];
}

/** The endpoint's own headers, but for those that the call has too or that describe another body than the call's. */
function ownHeaders(to: Endpoint, ask: Ask): [string, string][] {
  const asked = namesOf(Object.entries(ask.headers ?? {}));
  return Object.entries(to.headers ?? {}).filter(
    ([name]) =>
      !asked.has(name.toLowerCase()) && !(ask.body !== undefined && /^content-/i.test(name)),
  );
}

const namesOf = (headers: readonly (readonly [string, unknown])[]): ReadonlySet<string> =>
  new Set(headers.map(([name]) => name.toLowerCase()));

const referredBy = (Referer: string, ask: Ask): Ask => ({
  ...ask,
  headers: { Referer, Origin: new URL(Referer).origin, ...ask.headers },
});

/** What stands before a further parameter: the endpoint may have a query of its own. */
const joint = (path: string): string => (path.includes('?') ? '&' : '?');

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

/**
 * The request as it may be shown. A secret inside a JSON body shows itself as `[secret]`; of what is the endpoint's own
 * its owner knows the value.
 */
function shown(to: Endpoint, ask: Ask, now: number): RequestSummary {
  const { authorization, token, body } = ask;
  const where = `${to.method} ${to.path}`;
  const parts = [
    ask.query === undefined ? where : `${where}${joint(where)}${ask.query}`,
    ...(authorization === undefined
      ? []
      : [authorization].flat().map((value) => `Authorization: ${value}`)),
    ...ownHeaders(to, ask).map(([name]) => `${name}: …`),
    ...Object.entries(ask.headers ?? {}).map(([name, value]) => `${name}: ${value}`),
    ...(ask.without ?? []).map((name) => `without ${name}`),
    ...(ask.version === undefined ? [] : ['over HTTP/1.0']),
    ...(ask.chunked === undefined ? [] : ['in chunks']),
    ...(ask.address === undefined ? [] : [`with its whole address as ${ask.address}`]),
    ...(body === undefined ? [] : ['json' in body ? JSON.stringify(body.json) : `${body.text}`]),
    ...(to.body === undefined ? [] : ['its own body']),
  ];
  const age = token === undefined ? {} : { token, tokenAgeMs: now - token.madeAt };
  return { line: parts.join('   '), ...age };
}
