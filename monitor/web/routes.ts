import { type Context, Hono } from 'hono';
import { methodNotAllowed } from 'hono/method-not-allowed';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import { readStyles } from '../../contract/report/html.ts';
import type { MonitorMetrics } from '../metrics/metrics.ts';
import type { MonitorView, TargetView } from '../status/view.ts';
import * as access from './access-control.ts';
import { badge, icon, type Markup } from './page/markup.ts';
import { page, targetPage } from './page.ts';
import { listScrapeTargets, statusJson } from './status-json.ts';

/** What is served. It holds no secret, and no part of it calls an address. */
export interface Served extends Pick<access.AccessRules, 'authToken'> {
  view(): MonitorView;
  readonly metrics: MonitorMetrics;
  /** Reloads the targets. @returns the result in one line */
  reload(): Promise<{ readonly ok: boolean; readonly line: string }>;
}

/** What the routes know about the socket in front of them. */
export type ServerContext = Omit<access.AccessRules, 'authToken'>;

/** The headers of every answer. The pages load nothing from elsewhere, and run no script. */
const securityHeaders = {
  'Content-Security-Policy':
    "default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
  'Cache-Control': 'no-store',
};

const { healthy, ready } = access.openToAll;
const paths = `/ /targets/NAME /status.json /badge/NAME.json /metrics /probe?target=NAME /sd ${healthy} ${ready} ${access.reloadPath}`;

/** The routes, independent of any socket. */
export function routes(served: Served, { host, isLoopback }: ServerContext): Hono {
  const app = new Hono();
  app.use(async (context, next) => {
    for (const [name, value] of Object.entries(securityHeaders)) context.header(name, value);
    const refusal = access.findRefusal(context.req.raw, { ...served, host, isLoopback });
    if (refusal === undefined) return next();
    return context.text(`${refusal.line}\n`, refusal.status, refusal.headers);
  });
  app.use(methodNotAllowed({ app }));
  addRoutes(app, served);
  app.notFound((context) =>
    message(context, `Not found. There is ${paths}; /sd names all targets.`, 404),
  );
  app.onError((_, context) => message(context, 'The monitor has a defect: see its log.', 500));
  return app;
}

const message = (context: Context, line: string, status: ContentfulStatusCode): Response =>
  context.text(`${line}\n`, status);

/** Answers with a page, which the browser loads again each minute, or as its reader requests. */
async function sendPage(context: Context, page: Markup): Promise<Response> {
  const { refresh = '60' } = context.req.query();
  if (/^[1-9]\d{0,3}$/.test(refresh)) context.header('Refresh', refresh);
  return context.html(page);
}

function addRoutes(app: Hono, { view, metrics, reload }: Served): void {
  const style = readStyles(new URL('./style.css', import.meta.url));
  /** Targets are requested by name, never by address. */
  const findTarget = (name: string): TargetView | undefined =>
    view().targets.find(({ status }) => status.target === name);
  app.get('/', (context) => sendPage(context, page(view())));
  app.get('/targets/:name', (context) => {
    const target = findTarget(context.req.param('name'));
    if (target === undefined) return context.notFound();
    return sendPage(context, targetPage(view(), target));
  });
  app.get('/status.json', (context) =>
    context.body(statusJson(view()), 200, { 'Content-Type': 'application/json' }),
  );
  const prometheus = { 'Content-Type': metrics.contentType };
  app.get('/badge/:name{.+[.]json}', (context) => {
    const target = findTarget(context.req.param('name').replace(/\.json$/, ''));
    return target === undefined ? context.notFound() : context.json(badge(target));
  });
  app.get('/style.css', (context) => context.body(style, 200, { 'Content-Type': 'text/css' }));
  app.get('/icon.svg', (context) => context.body(icon, 200, { 'Content-Type': 'image/svg+xml' }));
  app.get('/metrics', async (context) => context.body(await metrics.text(), 200, prometheus));
  app.get('/probe', async (context) => {
    const target = findTarget(context.req.query('target') ?? '');
    if (target === undefined) return context.notFound();
    return context.body(await metrics.of(target), 200, prometheus);
  });
  app.get('/sd', (context) =>
    context.json(listScrapeTargets(view().targets, new URL(context.req.url))),
  );
  app.get(healthy, (context) => message(context, 'healthy', 200));
  app.get(ready, (context) =>
    view().draining ? message(context, 'stopping', 503) : message(context, 'ready', 200),
  );
  app.post(access.reloadPath, (context) => sendReload(context, reload));
}

async function sendReload(context: Context, reload: Served['reload']): Promise<Response> {
  if (access.isFromElsewhere(context.req.raw))
    return message(context, 'Cross-site requests are refused.', 403);
  const { ok, line } = await reload();
  return message(context, line, ok ? 200 : 422);
}
