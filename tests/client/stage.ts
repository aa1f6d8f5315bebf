import { execFile } from 'node:child_process';
import { once } from 'node:events';
import net from 'node:net';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { test as base, expect } from '@playwright/test';
import type { Received } from '../../contract/http/answer.ts';
import { type ApiClient, type ApiClientOptions, openClient } from '../../contract/http/client.ts';
import type { Connection } from '../../contract/http/connections.ts';
import { exchange } from '../../contract/http/exchange.ts';
import type { HttpRequest } from '../../contract/http/http-request.ts';
import { Pace } from '../../contract/http/pace.ts';
import { UnreachableError } from '../../contract/http/unreachable.ts';
import { account } from './simulated-service.ts';

/** What a provider does with a request. It has the socket itself, so it can misbehave in any way. */
export type Behaviour = (socket: net.Socket, request: string) => void;

/** A provider that is only a socket, with the requests that it received. */
export interface Stage {
  readonly origin: URL;
  /** The requests as sent on the wire, in Latin-1. */
  readonly requests: string[];
  /** How many connections were opened in all, and how many are open now. */
  readonly connections: { ever: number; open: number };
}

/** Tests of the client get `raise`, which starts such a provider. It is closed when the test ends. */
export const test = base.extend<{
  raise: (behave: Behaviour, host?: string, greet?: (socket: net.Socket) => void) => Promise<Stage>;
}>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of the fixtures from it.
  raise: async ({}, use) => {
    const closing: (() => void)[] = [];
    await use(async (behave, host = '127.0.0.1', greet = () => {}) => {
      const sockets = new Set<net.Socket>();
      const [requests, connections]: [string[], Stage['connections']] = [[], { ever: 0, open: 0 }];
      const server = net.createServer((socket) => {
        connections.ever += 1;
        connections.open += 1;
        sockets.add(socket);
        socket.on('error', () => socket.destroy());
        socket.on('close', () => {
          connections.open -= 1;
          sockets.delete(socket);
        });
        greet(socket);
        listen(socket, (request) => {
          requests.push(request);
          behave(socket, request);
        });
      });
      closing.push(() => {
        server.close();
        for (const socket of sockets) socket.destroy();
      });
      return { origin: await listening(server, host), requests, connections };
    });
    for (const close of closing) close();
  },
});

/** Lets a server listen on a free port. @returns its address */
export async function listening(server: net.Server, host = '127.0.0.1', protocol = 'http') {
  await once(server.listen(0, host), 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('it does not listen');
  return new URL(`${protocol}://${host.includes(':') ? `[${host}]` : host}:${address.port}`);
}

/** Reports each complete request. */
function listen(socket: net.Socket, onRequest: (request: string) => void): void {
  let held = '';
  socket.on('data', (chunk) => {
    held += chunk.toString('latin1');
    for (let end = endOf(held); end !== undefined; end = endOf(held)) {
      const request = held.slice(0, end);
      held = held.slice(end);
      onRequest(request);
    }
  });
}

function endOf(held: string): number | undefined {
  const head = held.indexOf('\r\n\r\n');
  if (head < 0) return undefined;
  const end = head + 4 + Number(/^content-length: (\d+)/im.exec(held)?.[1] ?? 0);
  return held.length < end ? undefined : end;
}

/** Answers every request in the same way, and ends the connection. */
export const answering =
  (text: string | Buffer): Behaviour =>
  (socket) =>
    socket.end(text);

const eol = '\r\n';

/** A complete HTTP answer with this body. */
export const ok = (body: string, ...headers: string[]): string =>
  ['HTTP/1.1 200 OK', ...headers, `Content-Length: ${Buffer.byteLength(body)}`, '', body].join(eol);

/** The limit that the gate uses. */
export const limit = 16 * 1024 * 1024;

/** Sends a request to such a provider, with limits that no test reaches by accident. */
export function send(
  { origin }: Pick<Stage, 'origin'>,
  request: Partial<HttpRequest> = {},
  connection: Partial<Connection> = {},
): Promise<Received> {
  return exchange(
    { origin, timeoutMs: 10_000, maxBodyBytes: limit, ...connection },
    { method: 'GET', path: '/public-api/v1/widgets', headers: [], ...request },
    'GET /public-api/v1/widgets',
  );
}

/** A client of such a provider, with limits that no test reaches by accident. */
export function clientOf(
  { origin }: Pick<Stage, 'origin'>,
  { connection, ...options }: ClientOptions = {},
): ApiClient {
  return openClient({
    connection: { origin, timeoutMs: 10_000, maxBodyBytes: limit, ...connection },
    account,
    pace: new Pace({ maxRetryAfterMs: 0 }),
    now: () => 0,
    ...options,
  });
}

/** Options of a client that differ from the usual ones. */
export type ClientOptions = Partial<
  Omit<ApiClientOptions, 'connection'> & { readonly connection: Partial<Connection> }
>;

/** `200`, or the reason why there is no answer. Other errors are thrown. */
export async function outcome(request: Promise<{ readonly status: number }>): Promise<string> {
  try {
    return String((await request).status);
  } catch (error) {
    if (error instanceof UnreachableError) return error.reason;
    throw error;
  }
}

/** Sends a request in a process that was started with these variables, and returns what it printed. */
export async function exchangeInChild(origin: URL, env: Record<string, string>): Promise<string> {
  const script = fileURLToPath(new URL('./exchange-once.ts', import.meta.url));
  const options = { env: { ...process.env, ...env } };
  const { stdout } = await promisify(execFile)(process.execPath, [script, origin.href], options);
  return stdout;
}

export { expect };
