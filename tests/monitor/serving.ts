import type { Status } from '../../monitor/watch/status.ts';
import { routes, type Served, type ServerContext } from '../../monitor/web/routes.ts';
import { statusWith } from './statuses.ts';

/** Metrics of one target, `under-test`, with one probe, `opens`, and a count of scrapes. */
export function fakeMetrics() {
  let rendered = 0;
  return {
    contentType: 'text/plain; version=0.0.4; charset=utf-8' as const,
    text: async () => `rendered ${++rendered}\n`,
    of: (target: string, probe = 'all') =>
      target === 'under-test' && ['all', 'opens'].includes(probe)
        ? Promise.resolve(`${target} ${probe}\n`)
        : undefined,
    rendered: () => rendered,
  };
}

/** A clock on which a second passes between two requests, so that each is answered anew. */
function passing() {
  let now = 0;
  return {
    monotonic: () => {
      now += 1_000;
      return now;
    },
    after: () => () => {},
  };
}

/** Routes over a status that a test may replace. */
export function serving(served: Partial<Served> = {}, context: Partial<ServerContext> = {}) {
  let status = statusWith([]);
  const metrics = fakeMetrics();
  const app = routes({ status: () => status, metrics, ...served }, { time: passing(), ...context });
  return {
    get: async (path: string, init: RequestInit = {}) => app.request(path, init),
    become(other: Status) {
      status = other;
    },
    rendered: metrics.rendered,
  };
}
