import { type Context, Hono } from 'hono';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import { styleOf } from '../../contract/report/style.ts';
import type { Secret } from '../../contract/secrets/secret.ts';
import { realTime, type Time } from '../loop/time.ts';
import type { Metrics } from '../metrics/metrics.ts';
import type { Brief } from '../watch/status.ts';
import { isFromElsewhere, openToAll, type Rules, refusalOf, reloading } from './access-control.ts';
import { badge } from './badge.ts';
import { icon } from './page/icon.ts';
import { page, type ShownStatus, targetPage } from './page.ts';
import { discovered } from './sd.ts';
import { securityHeaders } from './security-headers.ts';
import { type Connection, SlowReaders } from './slow-readers.ts';
import { type Bytes, textCache } from './text-cache.ts';

/** What is served. It holds no secret, and no part of it calls an address. */
export interface Served {
  /** @param only the name of the one requested target */
  status(only?: string): ShownStatus;
  /** The short form, for frequent requests. If absent, it is extracted from the status. */
  brief?(): Brief;
  readonly metrics: Pick<Metrics, 'text' | 'contentType' | 'of'>;
  /** Reloads the targets file, if there is one. @returns the result in one line */
  reload?(): Promise<{ readonly ok: boolean; readonly line: string }>;
  /** Required on every route except `/-/healthy` and `/-/ready`. */
  readonly authToken?: Secret;
}

/** What the routes know about the socket in front of them. */
export interface ServerContext extends Pick<Rules, 'isOurName' | 'isLocal'> {
  readonly time: Pick<Time, 'monotonic' | 'after'>;
}

interface Env {
  /** Absent in tests, where there is no socket. */
  readonly Bindings: Connection | undefined;
}

/** Routes by their patterns; a name in capitals is a placeholder for a target's name. */
type Routes = Readonly<Record<string, (context: Context<Env>) => Response | Promise<Response>>>;

/** The routes, independent of any socket. */
export function routes(
  served: Served,
  { isOurName = () => true, isLocal = () => true, time = realTime }: Partial<ServerContext> = {},
): Hono<Env> {
  const app = new Hono<Env>();
  const readers = new SlowReaders(time);
  const rendering = renderingWith(textCache(time), readers);
  const { authToken } = served;
  app.use(async (context, next) => {
    for (const [name, value] of Object.entries(securityHeaders)) context.header(name, value);
    if (context.env !== undefined) readers.begin(context.env);
    const refusal = refusalOf(context.req.raw, { isOurName, isLocal, authToken });
    return refusal === undefined
      ? next()
      : message(context, refusal.line, refusal.status, refusal.headers);
  });
  const reading = {
    ...pages(served, rendering),
    ...forPrometheus(served, rendering),
    ...aboutTheProcess(served),
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

/** An answer of one line. */
function message(
  context: Context<Env>,
  line: string,
  status: ContentfulStatusCode,
  headers: Readonly<Record<string, string>> = {},
): Response {
  return context.text(`${line}\n`, status, { ...headers });
}

type Rendering = ReturnType<typeof renderingWith>;

/** Answers with texts that are rendered at most once a second. */
function renderingWith(cached: ReturnType<typeof textCache>, readers: SlowReaders) {
  function send(context: Context<Env>, type: string, bytes: Bytes): Response {
    if (context.env !== undefined) readers.send(context.env, bytes);
    const { refresh: every = '60' } = context.req.query();
    if (type === isHtml && /^[1-9]\d{0,3}$/.test(every)) context.header('Refresh', every);
    return context.body(streamOf(bytes), 200, { 'Content-Type': type });
  }
  return {
    cached,
    send,
    async render(context: Context<Env>, type: string, key: string, text: () => unknown) {
      return send(context, type, await cached(key, text));
    },
  };
}

/** A stream of the bytes. For any other kind of body, each answer would hold a copy. */
const streamOf = (bytes: Bytes): ReadableStream<Uint8Array> =>
  new ReadableStream({
    start(controller) {
      controller.enqueue(bytes);
      controller.close();
    },
  });

const isHtml = 'text/html; charset=UTF-8';

function pages(served: Served, { render }: Rendering): Routes {
  const { status, brief = status } = served;
  const style = styleOf(new URL('./style.css', import.meta.url));
  return {
    '/': (context) => render(context, isHtml, '/', () => page(status())),
    '/targets/NAME': (context) => {
      const name = context.req.param('name') ?? '';
      const { targets } = brief();
      if (targets.every((one) => one.name !== name)) return noTarget(context);
      const text = () => targetPage(status(name), name, targets.length);
      return render(context, isHtml, `/targets/${name}`, text);
    },
    '/status.json': (context) =>
      render(context, 'application/json', '/status.json', () => JSON.stringify(status())),
    '/badge/NAME.json': (context) => {
      const name = (context.req.param('name') ?? '').replace(/\.json$/, '');
      const target = brief().targets.find((one) => one.name === name);
      return target === undefined ? noTarget(context) : context.json(badge(target));
    },
    '/style.css': (context) => context.body(style, 200, { 'Content-Type': 'text/css' }),
    '/icon.svg': (context) => context.body(icon, 200, { 'Content-Type': 'image/svg+xml' }),
  };
}

const noTarget = (context: Context<Env>): Response =>
  message(context, 'No target has that name: /sd lists all of them.', 404);

/** What Prometheus reads. Targets are requested by name: the monitor never calls an address from a request. */
function forPrometheus(
  { status, brief = status, metrics }: Served,
  { cached, send, render }: Rendering,
): Routes {
  const isText = metrics.contentType;
  return {
    '/metrics': (context) => render(context, isText, '/metrics', () => metrics.text()),
    '/probe': async (context) => {
      const { target, probe } = context.req.query();
      if (target === undefined) return message(context, 'Which one? /probe?target=NAME', 400);
      const key = JSON.stringify([target, probe]);
      const bytes = await cached(key, async () => (await metrics.of(target, probe)) ?? '');
      return bytes.length === 0
        ? message(context, 'No target or probe has that name: see /sd.', 404)
        : send(context, isText, bytes);
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

async function reload(context: Context<Env>, served: Served): Promise<Response> {
  if (isFromElsewhere(context.req.raw))
    return message(context, 'Cross-site requests are refused.', 403);
  if (served.reload === undefined)
    return message(context, 'There is no targets file to reload: set MONITOR_CONFIG.', 404);
  const { ok, line } = await served.reload();
  return message(context, line, ok ? 200 : 422);
}
