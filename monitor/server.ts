import { readFileSync } from 'node:fs';
import type http from 'node:http';
import type { AddressInfo } from 'node:net';
import { createAdaptorServer } from '@hono/node-server';
import { type Context, Hono } from 'hono';
import type { Metrics } from './metrics.ts';
import { icon, page } from './page.ts';
import type { Status } from './status.ts';

/** What is served: reading only, and nothing that holds a secret. */
export interface Served {
  status(): Status;
  readonly metrics: Pick<Metrics, 'text' | 'contentType'>;
}

/** A server that listens. */
export interface Listening {
  readonly page: URL;
  readonly metrics: URL;
  close(): Promise<void>;
}

/** Nothing of this page's comes from elsewhere, and nothing in it runs. */
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

const style = readFileSync(new URL('./style.css', import.meta.url), 'utf8');

/** The routes, apart from any socket. */
export function routes({ status, metrics }: Served): Hono {
  const app = new Hono();
  const scrape = forASecond(metrics.text);

  app.use(async (context, next) => {
    for (const [name, value] of Object.entries(securityHeaders)) context.header(name, value);
    if (!hasBody(context)) return next();
    context.header('Connection', 'close');
    return context.text('No route takes a body.\n', 413);
  });

  const known: Readonly<Record<string, (context: Context) => Response | Promise<Response>>> = {
    '/': (context) => {
      const every = context.req.query('refresh') ?? '';
      if (/^[1-9]\d{0,3}$/.test(every)) context.header('Refresh', every);
      return context.html(page(status()));
    },
    '/status.json': (context) => context.json(status()),
    '/metrics': async (context) =>
      context.body(await scrape(), 200, { 'Content-Type': metrics.contentType }),
    '/style.css': (context) => context.body(style, 200, { 'Content-Type': 'text/css' }),
    '/icon.svg': async (context) =>
      context.body(String(await icon(status())), 200, { 'Content-Type': 'image/svg+xml' }),
    '/-/healthy': (context) => context.text('healthy\n'),
    '/-/ready': (context) =>
      status().draining ? context.text('stopping\n', 503) : context.text('ready\n'),
  };
  for (const [path, handle] of Object.entries(known)) {
    app.get(path, handle);
    app.all(path, (context) => context.text('GET or HEAD only.\n', 405, { Allow: 'GET, HEAD' }));
  }
  app.notFound((context) =>
    context.text(`Not found. There is ${Object.keys(known).join(' ')}\n`, 404),
  );
  app.onError((_error, context) => context.text('The monitor has a defect: see its log.\n', 500));
  return app;
}

function hasBody({ req }: Context): boolean {
  return (
    req.header('Transfer-Encoding') !== undefined || Number(req.header('Content-Length') ?? 0) > 0
  );
}

/** Rendering takes time that probes need, so several scrapers at once get one text. */
function forASecond(render: () => Promise<string>): () => Promise<string> {
  let text: Promise<string> | undefined;
  let until = 0;
  return () => {
    const now = performance.now();
    if (text === undefined || now >= until) {
      text = render();
      until = now + 1000;
    }
    return text;
  };
}

/**
 * Listens for whoever reads and scrapes. Requests are bounded in size, time and number.
 * @throws the error of the socket, when it cannot listen there
 */
export async function listen(
  served: Served,
  { host, port }: { readonly host: string; readonly port: number },
): Promise<Listening> {
  const server = createAdaptorServer({
    fetch: routes(served).fetch,
    overrideGlobalObjects: false,
    serverOptions: { maxHeaderSize: 8192, headersTimeout: 5000, requestTimeout: 10_000 },
  }) as http.Server;
  server.maxConnections = 256;
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(port, host, resolve);
  });
  const bound = server.address() as AddressInfo;
  const at = bound.family === 'IPv6' ? `[${bound.address}]` : bound.address;
  const origin = `http://${at}:${bound.port}`;
  return {
    page: new URL(origin),
    metrics: new URL('/metrics', origin),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
