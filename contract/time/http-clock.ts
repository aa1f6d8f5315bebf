import { setTimeout } from 'node:timers/promises';
import { type Connection, newAgent } from '../http/connections.ts';
import { exchange } from '../http/exchange.ts';
import { pauses } from '../http/retry.ts';
import { UnreachableError } from '../http/unreachable.ts';
import { field, parsedJson } from '../json-value.ts';
import { ClockError, type SettableClock } from './clock.ts';

/** A test clock: `GET` returns `{"now": ISO 8601}`, `PUT {"now": …}` stops it there, `DELETE` lets it continue. */
export function httpClock(
  url: URL,
  bounds: Omit<Connection, 'origin' | 'maxBodyBytes'>,
): SettableClock {
  const name = `test clock ${url.origin}${url.pathname}`;
  const connection: Connection = { ...bounds, origin: url, maxBodyBytes: 65_536 };
  const agent = newAgent(connection, { keepAlive: true, maxSockets: 2 });
  /** The answer's JSON, if it is JSON. All methods are idempotent: a failed request is retried. @throws ClockError */
  const send = async (method: string, now?: string): Promise<unknown> => {
    // Fastify refuses a request that names a content type and has no body.
    const json =
      now === undefined ? { headers: [] } : { headers: jsonType, body: JSON.stringify({ now }) };
    const request = { method, path: url.pathname + url.search, agent, ...json };
    const where = `${method} ${url.pathname}`;
    let failure = '';
    for (const pauseMs of [0, ...pauses]) {
      if (pauseMs > 0) await setTimeout(pauseMs);
      try {
        const { status, body } = await exchange(connection, request, where);
        if (status < 300) return parsedJson(body.toString());
        failure = `${method} answered ${status}`;
      } catch (error) {
        failure = error instanceof Error ? error.message : 'failed';
        if (!(error instanceof UnreachableError) || error.reason === 'timeout') break;
      }
    }
    throw new ClockError(`${name}: ${failure}`);
  };
  return {
    name,
    async read() {
      const now = field(await send('GET'), 'now');
      const instant = typeof now === 'string' && iso8601.test(now) ? Date.parse(now) : Number.NaN;
      if (Number.isNaN(instant))
        throw new ClockError(`${name}: GET did not answer {"now": "<ISO 8601>"}`);
      return instant;
    },
    set: async (instant) => void (await send('PUT', new Date(instant).toISOString())),
    release: async () => void (await send('DELETE').finally(() => agent.destroy())),
  };
}

const jsonType = [['Content-Type', 'application/json']] as const;

/** With its zone: a time without one means another instant on another machine. */
const iso8601 = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)$/;
