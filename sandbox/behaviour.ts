import { randomBytes } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';

/** A request as the service sees it. */
export interface Call {
  readonly method: string;
  /** Without the query. */
  readonly path: string;
  readonly query: URLSearchParams;
  /** The request target as it was sent. */
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  /** Names and values in turn, in their original spelling. */
  readonly rawHeaders: readonly string[];
  readonly body: string;
  /** The body in its original bytes, if the request came over a network. */
  readonly bytes?: Buffer;
  readonly httpVersion: string;
  /** The same object for all requests of one connection. */
  readonly connection: { destroy?(): void };
  readonly now: number;
}

/** An answer. `headers` replace the usual ones. */
export interface Reply {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
  readonly json?: unknown;
  readonly body?: string | Buffer;
}

interface Credentials {
  readonly apiKey: unknown;
  readonly secretKey: unknown;
}

/** A protected endpoint and what it answers when the request is authorised. */
export interface Resource {
  readonly method: string;
  readonly path: string;
  readonly reply: Reply;
}

/** A token that was generated, and its state. */
export interface Issued {
  readonly text: string;
  readonly madeAt: number;
  /** Free for faults: when it was used, how long it is extended, … */
  readonly memo: Map<string, number>;
}

export interface ServiceState {
  readonly account: { readonly apiKey: string; readonly secretKey: string };
  readonly resources: readonly Resource[];
  readonly tokens: Map<string, Issued>;
  /** Free for faults: counters and caches. */
  readonly memo: Map<unknown, number>;
}

/** Why a request is unauthorised. The correct service does not reveal it. */
type Cause = 'missing' | 'scheme' | 'invalid' | 'expired';

/** The service, decision by decision. Each fault replaces one or two of them. */
export interface Behaviour {
  /** Called when a request arrives. @returns how long its handling is delayed (milliseconds) */
  arrived(call: Call, state: ServiceState): number;
  /** Reads the credentials from a body; undefined when it is not a JSON object. */
  credentials(call: Call): Credentials | undefined;
  valid(sent: Credentials, state: ServiceState): boolean;
  mint(state: ServiceState, now: number): string;
  keep(token: Issued, state: ServiceState): void;
  granted(token: Issued, call: Call, state: ServiceState): Reply;
  denied(why: 'malformed' | 'wrong', call: Call, state: ServiceState): Reply;
  route(call: Call, state: ServiceState): Resource | undefined;
  /** The token that a request presents, or the reason why there is none. */
  presented(call: Call, state: ServiceState): { readonly token: string } | Cause;
  find(text: string, state: ServiceState, call: Call): Issued | undefined;
  expired(token: Issued, now: number, state: ServiceState, call: Call): boolean;
  /** Called for each authorised request. */
  used(token: Issued, call: Call, state: ServiceState): void;
  /** Whether a request is unauthorised, and why. */
  guard(call: Call, state: ServiceState, self: Behaviour): Cause | undefined;
  unauthorised(cause: Cause, call: Call, state: ServiceState): Reply;
  authorised(resource: Resource, call: Call, state: ServiceState): Reply;
  /** Called last, for every answer. */
  finish(reply: Reply, call: Call, state: ServiceState): Reply;
}

/** 24 hours in milliseconds, written here once more: judge and sandbox share no code. */
export const day = 86_400_000;

/** The service as the contract describes it. */
export const right: Behaviour = {
  arrived: () => 0,
  credentials(call) {
    try {
      const value: unknown = JSON.parse(call.body);
      if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
      const { apiKey, secretKey } = value as Partial<Credentials>;
      return { apiKey, secretKey };
    } catch {
      return undefined;
    }
  },
  valid: (sent, { account }) =>
    sent.apiKey === account.apiKey && sent.secretKey === account.secretKey,
  mint: () => randomBytes(32).toString('base64url'),
  keep: (token, { tokens }) => void tokens.set(token.text, token),
  granted: ({ text }) => ({
    status: 200,
    json: { success: true, message: 'Access token generated.', data: { accessToken: text } },
  }),
  denied: () => ({ status: 400, json: { success: false, message: 'Invalid credentials.' } }),
  route: (call, { resources }) =>
    resources.find(({ method, path }) => method === call.method && path === call.path),
  presented(call) {
    const value = call.headers.authorization;
    if (value === undefined || value === '') return 'missing';
    const [scheme, token, ...more] = value.split(' ');
    if (scheme !== 'Bearer') return 'scheme';
    return token === undefined || token === '' || more.length > 0 ? 'missing' : { token };
  },
  find: (text, { tokens }) => tokens.get(text),
  expired: ({ madeAt }, now) => now - madeAt >= day,
  used: () => undefined,
  guard(call, state, self) {
    const presented = self.presented(call, state);
    if (typeof presented === 'string') return presented;
    const token = self.find(presented.token, state, call);
    if (token === undefined) return 'invalid';
    if (self.expired(token, call.now, state, call)) return 'expired';
    self.used(token, call, state);
    return undefined;
  },
  unauthorised: () => ({
    status: 401,
    json: { success: false, message: 'Invalid or expired access token.' },
  }),
  authorised: ({ reply }) => reply,
  finish: (reply) => reply,
};
