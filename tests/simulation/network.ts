import type { Received } from '../../contract/http/answer.ts';
import type { Connection } from '../../contract/http/connections.ts';
import type { exchange } from '../../contract/http/exchange.ts';
import type { HttpRequest } from '../../contract/http/http-request.ts';
import { UnreachableError } from '../../contract/http/unreachable.ts';
import type { Written } from '../../sandbox/provider.ts';
import { callOf } from '../faults/in-memory.ts';
import type { SimulatedTime } from '../monitor/simulated-time.ts';
import type { SimulatedProvider } from './provider.ts';
import type { Random } from './random.ts';

/** What may happen to requests. None of it is a violation. */
export interface Weather {
  /** The share of requests, and of answers, that are lost. */
  lost: number;
  /** The share of them that take seconds, sometimes longer than the timeout. */
  slow: number;
  /** The share of requests that a proxy answers in the provider's place. */
  odd: number;
  /** How the provider is unavailable, if it is. */
  outage?: 'refused' | 'unavailable' | 'silent';
  /** Called when a request is half-way there, and when its answer is half-way back. */
  onTheWay?: () => void;
}

/** The network between the monitor and all providers. */
export interface Network {
  readonly exchange: typeof exchange;
}

export interface NetworkOptions {
  readonly time: SimulatedTime;
  readonly random: Random;
  /** By host name. */
  readonly providers: ReadonlyMap<string, SimulatedProvider>;
  readonly weather: Weather;
  /** Whether answers have a `Date`. */
  readonly dated: boolean;
  /** How far the clock of every other server is ahead (milliseconds): a `Date` may come from any of them. */
  readonly skewMs: number;
  /** Called before each request is sent. */
  readonly onRequest: () => void;
}

/** A network in simulated time, instead of the client's own. */
export function network(options: NetworkOptions): Network {
  const { time, random, providers, weather, dated, skewMs, onRequest } = options;
  const servers = random.fork('servers');
  const proxy = random.fork('proxy');

  const pass = (ms: number): Promise<void> =>
    new Promise((resolve) => void time.after(ms, resolve));

  function travelMs(): number {
    return random.chance(weather.slow) ? random.between(1_000, 16_000) : random.between(2, 150);
  }

  /** Waits for half of the travel time, calls `onTheWay`, and waits for the rest. A lost message never arrives. */
  async function travel(): Promise<void> {
    const ms = travelMs();
    await pass(Math.floor(ms / 2));
    weather.onTheWay?.();
    await pass(Math.ceil(ms / 2));
    if (random.chance(weather.lost)) await new Promise(() => {});
  }

  async function answered(host: string, request: HttpRequest, where: string): Promise<Received> {
    const startedAt = time.monotonic();
    await travel();
    const provider = providers.get(host);
    const refused = provider === undefined || weather.outage === 'refused';
    if (refused) throw new UnreachableError('connect', where, 'ECONNREFUSED');
    if (weather.outage === 'silent') await new Promise(() => {});
    const out = time.monotonic();
    const isOdd = weather.odd > 0 && proxy.chance(weather.odd);
    const own = () =>
      weather.outage === 'unavailable'
        ? unavailable
        : provider.answer(callOf(request, provider.now()));
    const answer = isOdd ? proxy.pick(oddAnswers) : own();
    const aheadMs = skewMs > 0 && servers.chance(0.5) ? skewMs : 0;
    const date = new Date(provider.now() + aheadMs - random.between(0, 400)).toUTCString();
    const broken = random.chance(weather.lost / 2);
    await travel();
    if (broken) throw new UnreachableError('reset', where, 'ECONNRESET');
    return receivedFrom(answer, request, dated ? [['Date', date]] : [], {
      resolve: 0,
      tls: 0,
      connect: 0.001,
      transfer: (time.monotonic() - out) / 1000,
      processing: (out - startedAt) / 1000,
    });
  }

  return {
    exchange(connection: Connection, request: HttpRequest, where: string) {
      const host = connection.origin.hostname;
      onRequest();
      return new Promise<Received>((resolve, reject) => {
        const cancel = time.after(connection.timeoutMs, () =>
          reject(new UnreachableError('timeout', where, `${connection.timeoutMs} ms`)),
        );
        answered(host, request, where).finally(cancel).then(resolve, reject);
      });
    },
  };
}

const unavailable: Written = { status: 503, headers: {}, body: 'no worker is left' };

const page = (status: number): Written => ({
  status,
  headers: { 'Content-Type': 'text/html' },
  body: `<html>${status}</html>`,
});

/** Answers of proxies, firewalls and load balancers in the provider's place. */
const oddAnswers: readonly [Written, ...Written[]] = [
  { status: 408, headers: {}, body: '' },
  { status: 500, headers: {}, body: 'oops' },
  { status: 520, headers: {}, body: 'unknown error' },
  { status: 401, headers: { 'WWW-Authenticate': 'Basic' }, body: 'log in at the proxy' },
  { status: 302, headers: { Location: '/login' }, body: '' },
  page(403),
  page(404),
  page(200),
];

function receivedFrom(
  { status, headers, body }: Written,
  { method }: HttpRequest,
  more: readonly (readonly [string, string])[],
  phases: Received['phases'],
): Received {
  const all = Object.entries(headers).flatMap(([name, value]): [string, string][] =>
    [value].flat().map((part) => [name, String(part)]),
  );
  return {
    status,
    headers: [...all, ...more],
    body: method === 'HEAD' ? Buffer.alloc(0) : Buffer.from(body),
    phases,
  };
}
