import type { MonitorView, TargetView } from '../../monitor/status/view.ts';
import { routes, type Served, type ServerContext } from '../../monitor/web/routes.ts';
import { monitorOf, statusAfter, viewOf } from './statuses.ts';

/** What a monitor serves. By default it has one target of which nothing is known yet. It counts scrapes. */
export function servedOf(view: MonitorView = monitorOf([viewOf(statusAfter())])): Served {
  let rendered = 0;
  const contentType = 'text/plain; version=0.0.4; charset=utf-8';
  const text = async () => `rendered ${++rendered}\n`;
  const of = async ({ status }: TargetView) => `${status.target} up\n`;
  const reload = async () => ({ ok: true, line: '2 targets' });
  return { view: () => view, metrics: { contentType, text, of }, reload };
}

/** Requests to routes without a socket. */
export function serving(served: Partial<Served> = {}, context: Partial<ServerContext> = {}) {
  const near = { host: 'localhost', isLoopback: () => false, ...context };
  const app = routes({ ...servedOf(), ...served }, near);
  return async (path: string, init: RequestInit = {}): Promise<Response> => app.request(path, init);
}
