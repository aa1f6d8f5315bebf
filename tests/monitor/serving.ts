import type { MonitorView } from '../../monitor/status/view.ts';
import { routes, type Served, type ServerContext } from '../../monitor/web/routes.ts';
import { monitorOf, statusAfter, viewOf } from './statuses.ts';

/** Metrics of one target, `under-test`, and a count of scrapes. */
export function fakeMetrics(): Served['metrics'] {
  let rendered = 0;
  return {
    contentType: 'text/plain; version=0.0.4; charset=utf-8',
    text: async () => `rendered ${++rendered}\n`,
    of: (target) => (target === 'under-test' ? `${target} up\n` : undefined),
  };
}

/** What a monitor serves; by default it has one target of which nothing is known yet. */
export const servedOf = (view: MonitorView = monitorOf([viewOf(statusAfter())])): Served => ({
  view: () => view,
  metrics: fakeMetrics(),
});

/** Requests to routes without a socket. A second passes between two requests, so that each is answered anew. */
export function serving(served: Partial<Served> = {}, context: Partial<ServerContext> = {}) {
  let now = 0;
  const time = { after: () => () => {}, monotonic: () => (now += 1_000) };
  const app = routes({ ...servedOf(), ...served }, { time, ...context });
  return async (path: string, init: RequestInit = {}): Promise<Response> => app.request(path, init);
}
