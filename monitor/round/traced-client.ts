import { type Answer, header, httpDate, type Phases } from '../../contract/http/answer.ts';
import { type ApiClient, openClient } from '../../contract/http/client.ts';
import { keepConnections } from '../../contract/http/connections.ts';
import { exchange } from '../../contract/http/exchange.ts';
import { Pace } from '../../contract/http/pace.ts';
import { UnreachableError } from '../../contract/http/unreachable.ts';
import type { RememberedSecrets } from '../../contract/secrets/scrub.ts';
import type { Secret } from '../../contract/secrets/secret.ts';
import { realTime, type Time } from '../loop/time.ts';
import { createExpiryReader, type Expiry } from './certificates.ts';
import type { WatchedTarget } from './watched-target.ts';

/** What a client observed in the answers that it received. */
export interface Observed {
  /** When the certificates of its last handshake expire, also of one that failed. */
  readonly tls?: Expiry;
  /** How far the provider's clock is ahead of ours, by its `Date`: accurate to about a second. */
  readonly clockOffsetSeconds?: number;
  /** The answer to its last request with only a token: its status is 0 if only a handshake took place. */
  readonly authorised?: {
    readonly status: number;
    readonly isTls: boolean;
    readonly phases?: Phases;
  };
  readonly requests: number;
  /** How long the provider worked on each answer (seconds). */
  readonly processing: readonly number[];
}

/** A client for one run, and what it observed. It forgets its tokens at the end of the run. */
export interface TracedClient {
  readonly client: ApiClient;
  observed(): Observed;
  /** The `Date` of the latest answer: milliseconds since 1970. */
  latestDate(): number | undefined;
  /** Sends nothing any more. @returns when the requests under way have ended: a run that failed may leave some */
  end(): Promise<unknown>;
  /** Closes the connections of all clients of the target. */
  [Symbol.dispose](): void;
}

export interface TracedClientOptions {
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

/** The access to a target, with one request rate for all clients. @returns a function that opens a client */
export function openTracedClient(
  { connection, account, requestsPerSecond, tokensPerSecond }: WatchedTarget,
  options: TracedClientOptions = {},
): (secrets?: readonly Secret[]) => TracedClient {
  const { time = realTime, onLimited, remembered, concurrency = 1, maxRetryAfterMs = 0 } = options;
  const rates = { requestsPerSecond, tokensPerSecond };
  const pace = new Pace({ maxRetryAfterMs, ...rates, concurrency, onLimited });
  const shared = keepConnections(connection, { maxFreeSockets: concurrency });
  const readExpiry = createExpiryReader(connection.ca);
  const access = { connection, pace, account, remembered, shared, now: time.wall };
  return (secrets = []) => ({
    ...traceClient((hooks) => openClient({ ...access, secrets, ...hooks }), readExpiry, options),
    [Symbol.dispose]: () => shared.close(),
  });
}

type Hooks = Pick<Parameters<typeof openClient>[0], 'exchange' | 'onAnswer'>;

function traceClient(
  openWith: (hooks: Hooks) => ApiClient,
  readExpiry: ReturnType<typeof createExpiryReader>,
  { exchange: send = exchange, time = realTime, onRequest }: TracedClientOptions,
): Omit<TracedClient, keyof Disposable> {
  let observed: Omit<Observed, 'requests'> = { processing: [] };
  let date: number | undefined;
  let hasEnded = false;
  const underWay = new Set<Promise<unknown>>();
  const observe = (seen: Partial<Observed>, certificate?: Answer['certificate']): void => {
    observed = { ...observed, ...seen, ...(certificate && { tls: readExpiry(certificate) }) };
  };
  const client = openWith({
    async exchange(...request) {
      if (hasEnded) throw new UnreachableError('connect', request[2], 'the run has ended');
      onRequest?.();
      const sent = send(...request);
      underWay.add(sent);
      return sent
        .catch((error: unknown) => {
          // An expired certificate must not disappear from the metrics.
          const shown = error instanceof UnreachableError ? error.certificate : undefined;
          observe({ authorised: shown && { status: 0, isTls: true } }, shown);
          throw error;
        })
        .finally(() => underWay.delete(sent));
    },
    onAnswer({ headers, status, request, phases, certificate }) {
      date = httpDate(header({ headers }, 'date'));
      // The header has whole seconds, so on average the provider's clock is half a second ahead of it.
      const clockOffsetSeconds = date && (date + 500 - time.wall()) / 1000;
      const processing = [...observed.processing, phases.processing];
      observe({ clockOffsetSeconds, processing }, certificate);
      if (request.token === undefined) return;
      observe({ authorised: { status, isTls: observed.tls !== undefined, phases } });
    },
  });
  return {
    client,
    latestDate: () => date,
    observed: () => ({ requests: client.requests(), ...observed }),
    end() {
      hasEnded = true;
      return Promise.allSettled(underWay);
    },
  };
}
