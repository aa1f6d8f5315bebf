import { readFileSync } from 'node:fs';
import { type Context, Hono } from 'hono';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import { styleOf } from '../../contract/report/style.ts';
import type { Secret } from '../../contract/secrets/secret.ts';
import type { Metrics } from '../metrics/metrics.ts';
import { realTime } from '../schedule/time.ts';
import type { Brief } from '../watch/status.ts';
import { isFromElsewhere, openToAll, type Rules, refusalOf, reloading } from './access-control.ts';
import type { Answer } from './answers.ts';
import { badge } from './badge.ts';
import { Changes } from './changes.ts';
import { icon, signs } from './page/icon.ts';
import { page, type ShownStatus, targetPage } from './page.ts';
import { type Rendered, Renderer, streamOf } from './renderer.ts';
import { discovered } from './sd.ts';
import { securityHeaders } from './security-headers.ts';

/** What is served. It holds no secret, and no part of it calls an address. */
export interface Served {
  /** @param only the name of the one requested target */
  status(only?: string): ShownStatus;
  /** The short form, for frequent requests. If absent, it is extracted from the status. */
  brief?(): Brief;
  readonly metrics: Pick<Metrics, 'text' | 'contentType' | 'of'>;
  /** Reloads the targets file, if there is one. @returns the result in one line */
  reload?(): Promise<{ readonly ok: boolean; readonly line: string }>;
  /** @param listener called after each run @returns a function that removes the listener */
  onChange?(listener: () => void): () => void;
  /** Required on every route except `/-/healthy` and `/-/ready`. */
  readonly authToken?: Secret;
}

/** What the routes know about the socket in front of them. */
export interface ServerContext extends Pick<Rules, 'isOurName' | 'isLocal'> {
  readonly changes: Changes;
}

/** What the socket knows about a request. */
interface Bindings {
  readonly answer?: Answer;
}

/** Routes by their patterns; a name in capitals is a placeholder for a target's name. */
type Routes = Readonly<Record<string, (context: Context) => Response | Promise<Response>>>;

/** A renderer for pages, which each run may outdate, and one for Prometheus, which tolerates a second. */
interface Renderers {
  readonly forPeople: Renderer;
  readonly forScrapes: Renderer;
}

/** The routes, independent of any socket. */
export function routes(
  served: Served,
  { isOurName = () => true, isLocal = () => true, ...rest }: Partial<ServerContext> = {},
): Hono<{ Bindings: Bindings }> {
  const app = new Hono<{ Bindings: Bindings }>();
  const { authToken, onChange } = served;
  const changes = rest.changes ?? new Changes(onChange ?? (() => () => {}), realTime);
  // A source without change events may have changed at any time.
  const version = onChange === undefined ? () => Symbol() : () => changes.count();
  const renderers: Renderers = {
    forPeople: new Renderer({ share: 0.2, version }),
    forScrapes: new Renderer({ share: 0.5, version: () => 0 }),
  };
  app.use(async (context, next) => {
    for (const [name, value] of Object.entries(securityHeaders)) context.header(name, value);
    const refusal = refusalOf(context.req.raw, { isOurName, isLocal, authToken });
    return refusal === undefined
      ? next()
      : message(context, refusal.line, refusal.status, refusal.headers);
  });
  const reading = {
    ...pages(served, renderers),
    ...forPrometheus(served, renderers),
    ...aboutTheProcess(served),
    [streamed]: streaming(changes),
  };
  for (const [pattern, handle] of Object.entries(reading)) {
    const path = pattern.replace(/NAME[.](\w+)/, ':name{.+[.]$1}').replace('NAME', ':name');
    app.get(path, handle);
    app.all(path, (context) => message(context, 'GET or HEAD only.', 405, { Allow: 'GET, HEAD' }));
  }
  app.post(reloading, (context) => reload(context, served));
  app.all(reloading, (context) => message(context, 'POST only.', 405, { Allow: 'POST' }));
  const there = [...Object.keys(reading), reloading].join(' ');
  app.notFound((context) => message(context, `Not found. There is ${there}`, 404));
  app.onError((_, context) => message(context, 'The monitor has a defect: see its log.', 500));
  return app;
}

/** The path of the only answer without an end. */
export const streamed = '/changes';

/** An answer of one line. */
function message(
  context: Context,
  line: string,
  status: ContentfulStatusCode,
  headers: Readonly<Record<string, string>> = {},
): Response {
  return context.text(`${line}\n`, status, { ...headers });
}

/** An answer whose text is rendered once for all requests. */
const rendered = async (
  context: Context,
  renderer: Renderer,
  type: string,
  render: () => PromiseLike<unknown> | unknown,
): Promise<Response> => sent(context, renderer, type, await renderer.get(context.req.path, render));

function sent(context: Context, renderer: Renderer, type: string, bytes: Rendered): Response {
  const { answer }: Bindings = context.env ?? {};
  if (answer !== undefined) renderer.lend(bytes, answer);
  const { refresh: every = '' } = context.req.query();
  if (type === isHtml && /^[1-9]\d{0,3}$/.test(every)) context.header('Refresh', every);
  return context.body(streamOf(bytes), 200, { 'Content-Type': type });
}

const isHtml = 'text/html; charset=UTF-8';
const isSvg = 'image/svg+xml';

function pages(served: Served, { forPeople }: Renderers): Routes {
  const { status, brief = status } = served;
  const style = styleOf(new URL('./style.css', import.meta.url));
  const script = readFileSync(new URL('./live.js', import.meta.url), 'utf8');
  return {
    '/': (context) => rendered(context, forPeople, isHtml, () => page(status())),
    '/targets/NAME': async (context) => {
      const name = context.req.param('name') ?? '';
      const { targets } = brief();
      if (targets.every((one) => one.name !== name)) return noTarget(context);
      const render = () => targetPage(status(name), name, targets.length) ?? '';
      const bytes = await forPeople.get(context.req.path, render);
      // The target may have left while the page waited for others.
      return bytes.length === 0 ? noTarget(context) : sent(context, forPeople, isHtml, bytes);
    },
    '/status.json': (context) =>
      rendered(context, forPeople, 'application/json', () => JSON.stringify(status())),
    '/badge/NAME.json': (context) => {
      const name = (context.req.param('name') ?? '').replace(/\.json$/, '');
      const target = brief().targets.find((one) => one.name === name);
      return target === undefined ? noTarget(context) : context.json(badge(target));
    },
    '/style.css': (context) => context.body(style, 200, { 'Content-Type': 'text/css' }),
    '/icon.svg': async (context) => {
      const sign = signs.find((one) => context.req.query(one) !== undefined);
      return context.body(String(await icon(brief(), sign)), 200, { 'Content-Type': isSvg });
    },
    '/live.js': (context) => context.body(script, 200, { 'Content-Type': 'text/javascript' }),
  };
}

const noTarget = (context: Context): Response =>
  message(context, 'No target has that name: /sd lists all of them.', 404);

/** What Prometheus reads. Targets are requested by name: the monitor never calls an address from a request. */
function forPrometheus(
  { status, brief = status, metrics }: Served,
  { forScrapes }: Renderers,
): Routes {
  const isText = metrics.contentType;
  return {
    '/metrics': (context) => rendered(context, forScrapes, isText, () => metrics.text()),
    '/probe': async (context) => {
      const { target, probe } = context.req.query();
      if (target === undefined) return message(context, 'Which one? /probe?target=NAME', 400);
      const key = JSON.stringify([target, probe]);
      const bytes = await forScrapes.get(key, async () => (await metrics.of(target, probe)) ?? '');
      return bytes.length === 0
        ? message(context, 'No target or probe has that name: see /sd.', 404)
        : sent(context, forScrapes, isText, bytes);
    },
    '/sd': (context) => context.json(discovered(brief().targets, new URL(context.req.url))),
  };
}

/** Routes for process supervisors. */
const aboutTheProcess = ({ status, brief = status }: Served): Routes => ({
  [openToAll.healthy]: (context) => message(context, 'healthy', 200),
  [openToAll.ready]: (context) =>
    brief().draining ? message(context, 'stopping', 503) : message(context, 'ready', 200),
});

async function reload(context: Context, served: Served): Promise<Response> {
  if (isFromElsewhere(context.req.raw))
    return message(context, 'Cross-site requests are refused.', 403);
  if (served.reload === undefined)
    return message(context, 'There is no targets file to reload: set MONITOR_CONFIG.', 404);
  const { ok, line } = await served.reload();
  return message(context, line, ok ? 200 : 422);
}

const streaming =
  (changes: Changes): Routes[string] =>
  (context) => {
    const headers = { 'Content-Type': 'text/event-stream', 'X-Accel-Buffering': 'no' };
    // No client would end a stream that answers a HEAD request.
    if (context.req.method === 'HEAD') return context.body(null, 200, headers);
    const stream = changes.open();
    if (stream !== undefined) return context.body(stream, 200, headers);
    const line = 'Too many live connections; reload the page instead.';
    return message(context, line, 503, { 'Retry-After': '30' });
  };
