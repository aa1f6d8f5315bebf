import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { styleOf } from '../../contract/report/style.ts';
import type { Status } from '../../monitor/watch/status.ts';
import { icon } from '../../monitor/web/page/icon.ts';
import { page, targetPage } from '../../monitor/web/page.ts';
import { test as base } from '../report/chromium.ts';
import { states } from './page-states.ts';

/** As strict as the monitor's own policy: nothing from elsewhere, nothing inline. */
const policy =
  "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const fileUrl = (name: string): URL => new URL(`../../monitor/web/${name}`, import.meta.url);

/** Serves one status after another, and notifies browsers of changes. */
export interface PageServer {
  readonly address: string;
  /** Serves this status from now on, without a notification. */
  show(status: Status): void;
  /** Sends a change to every page that listens. @returns how many pages listen */
  change(): number;
  /** How often a page was fetched. */
  fetched(): number;
  close(): Promise<void>;
}

/** Tests in Debian's Chromium, each with a server of its own. */
export const test = base.extend<{ server: PageServer }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of the fixtures from it.
  server: async ({}, use) => {
    const server = await servePages();
    await use(server);
    await server.close();
  },
});

async function servePages(): Promise<PageServer> {
  let status: Status = states.holds;
  let fetched = 0;
  const listeners = new Set<http.ServerResponse>();

  /** The content at a path, as its type and its text. */
  async function content(path: string): Promise<readonly [string, string] | undefined> {
    if (path === '/style.css') return ['text/css', styleOf(fileUrl('style.css'))];
    if (path === '/live.js') return ['text/javascript', readFileSync(fileUrl('live.js'), 'utf8')];
    if (path === '/icon.svg') return ['image/svg+xml', String(await icon(status))];
    const name = /^\/targets\/(.+)$/.exec(path)?.[1];
    const message =
      name === undefined ? page(status) : targetPage(status, decodeURIComponent(name));
    if (message === undefined || (name === undefined && path !== '/')) return undefined;
    fetched += 1;
    return ['text/html; charset=utf-8', String(await message)];
  }

  const server = http.createServer(async (request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://127.0.0.1');
    response.setHeader('Content-Security-Policy', policy);
    if (pathname === '/changes') {
      response.writeHead(200, { 'Content-Type': 'text/event-stream' }).flushHeaders();
      listeners.add(response);
      response.on('close', () => listeners.delete(response));
      return;
    }
    const [type, text] = (await content(pathname)) ?? [];
    if (type === undefined) response.writeHead(404).end();
    else response.setHeader('Content-Type', type).end(text);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    address: `http://127.0.0.1:${port}`,
    show: (next) => {
      status = next;
    },
    change() {
      for (const one of listeners) one.write('event: change\ndata:\n\n');
      return listeners.size;
    },
    fetched: () => fetched,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
