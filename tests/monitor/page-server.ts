import { once } from 'node:events';
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
  "default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const style = styleOf(new URL('../../monitor/web/style.css', import.meta.url));

/** Serves one status after another. */
export interface PageServer {
  readonly address: string;
  /** Serves this status from now on. */
  show(status: Status): void;
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

  /** The content at a path, as its type and its text. */
  async function content(path: string): Promise<readonly [string, string] | undefined> {
    if (path === '/style.css') return ['text/css', style];
    if (path === '/icon.svg') return ['image/svg+xml', icon];
    const name = /^\/targets\/(.+)$/.exec(path)?.[1];
    const message =
      name === undefined ? page(status) : targetPage(status, decodeURIComponent(name));
    if (message === undefined || (name === undefined && path !== '/')) return undefined;
    return ['text/html; charset=utf-8', String(await message)];
  }

  const server = http.createServer(async (request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://127.0.0.1');
    response.setHeader('Content-Security-Policy', policy);
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
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
