import { setTimeout } from 'node:timers/promises';
import type { Connection } from '../http/connections.ts';
import { keepAliveAgent } from '../http/connections.ts';
import { exchange } from '../http/exchange.ts';
import type { HttpRequest } from '../http/http-request.ts';
import { Pace, type PaceOptions } from '../http/pacing.ts';
import { pauses } from '../http/resending.ts';
import { Unreachable } from '../http/unreachable.ts';
import { field, parsedJson } from '../json-value.ts';
import { ClockError, type SettableClock } from './clock.ts';

/**
 * A provider's test clock over HTTP: `GET` returns `{"now": ISO 8601}`, `PUT {"now": …}` stops it there, `DELETE`
 * lets real time continue. One connection is kept, because a run sets the clock more than a hundred times.
 */
export function httpClock(url: URL, options: Bounds): SettableClock {
  const requests = new ClockRequests(url, options);
  const { name } = requests;
  return {
    name,
    async read() {
      const now = field(await requests.send('GET'), 'now');
      const instant = typeof now === 'string' && iso8601.test(now) ? Date.parse(now) : Number.NaN;
      if (Number.isNaN(instant))
        throw new ClockError(`${name}: GET did not answer {"now": "<ISO 8601>"}`);
      return instant;
    },
    async set(instant) {
      await requests.send('PUT', { now: new Date(instant).toISOString() });
    },
    async release() {
      try {
        await requests.send('DELETE');
      } finally {
        requests.close();
      }
    },
  };
}

type Bounds = Pick<Connection, 'timeoutMs' | 'ca' | 'proxies' | 'socketPath'> &
  Partial<Pick<PaceOptions, 'maxRetryAfterMs'>>;

/** The requests to one test clock, over one kept connection. */
class ClockRequests {
  readonly name: string;
  readonly #url: URL;
  readonly #connection: Connection;
  readonly #agent: ReturnType<typeof keepAliveAgent>;
  readonly #maxRetryAfterMs: number;

  constructor(url: URL, { maxRetryAfterMs = 0, ...options }: Bounds) {
    this.name = `test clock ${url.origin}${url.pathname}`;
    this.#url = url;
    this.#connection = { origin: url, maxBodyBytes: 65_536, ...options };
    this.#agent = keepAliveAgent(this.#connection, { maxSockets: 2 });
    this.#maxRetryAfterMs = maxRetryAfterMs;
  }

  /**
   * A failed request is retried: all three methods are idempotent, and there may be a proxy in front of the clock, as
   * in front of the provider. A 429 is waited for, as elsewhere.
   * @returns the JSON of the answer; undefined if it is not JSON
   * @throws ClockError
   */
  async send(method: string, body?: object): Promise<unknown> {
    const request: HttpRequest = {
      method,
      path: this.#url.pathname + this.#url.search,
      // Fastify refuses a request that names a content type and has no body.
      headers: body === undefined ? [] : [['Content-Type', 'application/json']],
      body: body && JSON.stringify(body),
      agent: this.#agent,
    };
    const where = `${method} ${this.#url.pathname}`;
    const pace = new Pace({ maxRetryAfterMs: Math.min(this.#maxRetryAfterMs, longestPauseMs) });
    const sent = () => pace.run(where, () => exchange(this.#connection, request, where));
    for (let tries = 1; ; tries++) {
      try {
        const { status, body } = await sent();
        if (status < 300) return parsedJson(body.toString());
        if (tries === mostTries) throw new ClockError(`${this.name}: ${method} answered ${status}`);
      } catch (error) {
        if (error instanceof ClockError) throw error;
        if (tries === mostTries || !(error instanceof Unreachable) || error.reason === 'timeout')
          throw new ClockError(
            `${this.name}: ${error instanceof Error ? error.message : 'failed'}`,
          );
      }
      await setTimeout(pauses[tries - 1]);
    }
  }

  close(): void {
    this.#agent.destroy();
  }
}

const mostTries = pauses.length + 1;

/** It also bounds how long Ctrl-C takes. */
const longestPauseMs = 5000;

/** With its zone: a time without one means another instant on another machine. */
const iso8601 = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)$/;
