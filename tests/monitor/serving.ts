import type { MonitorView, TargetView } from '../../monitor/status/view.ts';
import { routes, type Served, type ServerContext } from '../../monitor/web/routes.ts';
import { monitorWith, statusAfter, viewWith } from './statuses.ts';

/** What a monitor serves. By default it has one target of which nothing is known yet. It counts scrapes. */
export function servedBy(view: MonitorView = monitorWith([viewWith(statusAfter())])): Served {
  let rendered = 0;
  const contentType = 'text/plain; version=0.0.4; charset=utf-8';
  const text = async () => `rendered ${++rendered}\n`;
  const of = async ({ status }: TargetView) => `${status.target} up\n`;
  const reload = async () => ({ ok: true, line: '2 targets' });
  return { view: () => view, metrics: { contentType, text, of }, reload };
}

/** Requests to routes without a socket. */
export function requestRoutes(served: Partial<Served> = {}, context: Partial<ServerContext> = {}) {
  const serverContext = { host: 'localhost', isLoopback: () => false, ...context };
  const app = routes({ ...servedBy(), ...served }, serverContext);
  return async (path: string, init: RequestInit = {}): Promise<Response> => app.request(path, init);
}
