import { type Answer, header, httpDate, type Phases } from '../../contract/http/answer.ts';
import { type ApiClient, openClient } from '../../contract/http/client.ts';
import { keepConnections } from '../../contract/http/connections.ts';
import { exchange } from '../../contract/http/exchange.ts';
import { Pace } from '../../contract/http/pace.ts';
import { type TlsFacts, Unreachable } from '../../contract/http/unreachable.ts';
import type { RememberedSecrets } from '../../contract/secrets/scrub.ts';
import type { Secret } from '../../contract/secrets/secret.ts';
import { realTime, type Time } from '../loop/time.ts';
import type { WatchedTarget } from './watched-target.ts';

/** The facts of an answer besides its phases. */
interface HttpFacts {
  /** 0 when only a handshake took place. */
  readonly status: number;
  readonly tls?: TlsFacts;
  /** How far the provider's clock is ahead of ours, by its `Date`: accurate to about a second. */
  readonly clockOffsetSeconds?: number;
}

/** What a client observed in the answers that it received. */
export interface Observed {
  /** The facts of its last answer; absent without an answer. */
  readonly http?: HttpFacts;
  /** The facts of the answer to its last request with only a token; absent without one. */
  readonly authorised?: { readonly http: HttpFacts; readonly phases?: Phases };
  readonly requests: number;
  /** How long the provider worked on each answer (seconds). */
  readonly processing: readonly number[];
}

/** A client for one run, and what it observed. It forgets its tokens at the end of the run. */
export interface TracedClient {
  readonly client: ApiClient;
  seen(): Observed;
  /** The `Date` of the latest answer: milliseconds since 1970. */
  dated(): number | undefined;
  /** Sends nothing any more. @returns when the requests under way have ended: a run that failed may leave some */
  end(): Promise<unknown>;
}

export interface TracedClientOptions {
  /** A network instead of the real one. */
  readonly exchange?: typeof exchange;
  readonly time?: Pick<Time, 'wall'>;
  /** Called before each request. */
  readonly onRequest?: () => void;
  /** Called at each 429. @param pauseMs how long the provider asks to wait */
  readonly onLimited?: (pauseMs: number) => void;
  /** The number of requests that may be in flight at once, and of connections that are kept; by default one. */
  readonly concurrency?: number;
  /** How long a request waits after answers with 429 (milliseconds). The monitor does not: they are an outcome. */
  readonly maxRetryAfterMs?: number;
  /** Tokens of earlier runs, which answers may quote. */
  readonly remembered?: RememberedSecrets;
}

/** How long connections are kept between runs. Runs of a target that are due together follow each other. */
const idleMs = 1_000;

/** The access to a target, with one request rate for all clients. @returns a function that opens a client */
export function openTracedClient(
  { connection, account, requestsPerSecond, tokensPerSecond }: WatchedTarget,
  options: TracedClientOptions = {},
): (secrets?: readonly Secret[]) => TracedClient {
  const { time = realTime, onLimited, remembered, concurrency = 1, maxRetryAfterMs = 0 } = options;
  const rates = { requestsPerSecond, tokensPerSecond };
  const pace = new Pace({ maxRetryAfterMs, ...rates, concurrency, onLimited });
  const shared = keepConnections(connection, {
    maxFreeSockets: concurrency,
    timeout: idleMs,
  });
  return (secrets = []) => {
    const trace = new Trace(options);
    const client = openClient({
      connection,
      pace,
      account,
      secrets,
      remembered,
      shared,
      now: time.wall,
      exchange: (...request) => trace.exchange(...request),
      onAnswer: (answer) => trace.add(answer),
    });
    return {
      client,
      dated: () => trace.dated(),
      end: () => trace.end(),
      seen: () => ({ requests: client.requests(), ...trace.seen() }),
    };
  };
}

/** Records what the answers to one client show. */
class Trace {
  readonly #options: TracedClientOptions;
  #http: HttpFacts | undefined;
  #authorised: Observed['authorised'];
  #dated: number | undefined;
  readonly #processing: number[] = [];
  readonly #underWay = new Set<Promise<unknown>>();
  #hasEnded = false;

  constructor(options: TracedClientOptions) {
    this.#options = options;
  }

  async exchange(...request: Parameters<typeof exchange>): ReturnType<typeof exchange> {
    const { exchange: send = exchange } = this.#options;
    if (this.#hasEnded) throw new Unreachable('connect', request[2], 'the run has ended');
    this.#options.onRequest?.();
    const sent = send(...request);
    this.#underWay.add(sent);
    try {
      return await sent;
    } catch (error) {
      this.#authorised = undefined;
      // Keep the certificate of a failed handshake: an expired one must not disappear from the metrics.
      if (error instanceof Unreachable && error.tls !== undefined) {
        this.#http = { status: 0, tls: error.tls };
        this.#authorised = { http: this.#http };
      }
      throw error;
    } finally {
      this.#underWay.delete(sent);
    }
  }

  end(): Promise<unknown> {
    this.#hasEnded = true;
    return Promise.allSettled(this.#underWay);
  }

  add(answer: Answer): void {
    const { time = realTime } = this.#options;
    this.#processing.push(answer.phases.processing);
    this.#dated = httpDate(header(answer, 'date'));
    this.#http = factsOf(answer, this.#dated, time.wall());
    if (answer.request.token !== undefined)
      this.#authorised = { http: this.#http, phases: answer.phases };
  }

  dated(): number | undefined {
    return this.#dated;
  }

  seen(): Omit<Observed, 'requests'> {
    return { http: this.#http, authorised: this.#authorised, processing: this.#processing };
  }
}

function factsOf({ status, tls }: Answer, date: number | undefined, wall: number): HttpFacts {
  if (date === undefined) return { status, tls };
  // The header has whole seconds, so on average the provider's clock is half a second ahead of it.
  return { status, tls, clockOffsetSeconds: (date + 500 - wall) / 1000 };
}
