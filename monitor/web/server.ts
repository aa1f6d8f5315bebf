import type http from 'node:http';
import type { AddressInfo } from 'node:net';
import { createAdaptorServer } from '@hono/node-server';
import { realTime, type Time } from '../schedule/time.ts';
import { isLocalName } from './access-control.ts';
import { answersOnTheirWay } from './answers.ts';
import { Changes } from './changes.ts';
import { routes, type Served, streamed } from './routes.ts';

/** A listening server. */
export interface Listening {
  readonly page: URL;
  readonly metrics: URL;
  /** Also ends streams. */
  close(): Promise<void>;
}

/** Where to listen. */
export interface ListenAddress {
  readonly host: string;
  readonly port: number;
  readonly time?: Time;
}

/** The most connections, and the most waiting requests: a client may send many on one connection. */
const mostAnswers = 256;

/** An answer that is not read within this time is ended. */
const readWithinMs = 30_000;

const tooMany = (): Response =>
  new Response('Too many requests at once.\n', {
    status: 503,
    headers: {
      'Content-Type': 'text/plain; charset=UTF-8',
      'Retry-After': '5',
      Connection: 'close',
    },
  });

/**
 * Serves browsers and scrapers. Requests are limited in size, time and number.
 * @throws the error of the socket, when it cannot listen there
 */
export async function listen(
  served: Served,
  { host, port, time = realTime }: ListenAddress,
): Promise<Listening> {
  const changes = new Changes(served.onChange ?? (() => () => {}), time);
  let bound: AddressInfo | undefined;
  const isLocal = (name: string): boolean => isLocalName(name, host);
  const app = routes(served, {
    changes,
    isLocal,
    isOurName: (name) => bound === undefined || !isLoopback(bound) || isLocal(name),
  });
  const answers = answersOnTheirWay({ most: mostAnswers, withinMs: readWithinMs, time });
  const respond = app.fetch;
  const answered: Parameters<typeof createAdaptorServer>[0]['fetch'] = (request, env) => {
    const { incoming, outgoing } = env;
    const answer = answers.begin(incoming.socket, outgoing, incoming.url === streamed);
    return answer === undefined ? tooMany() : respond(request, { answer });
  };
  const server = createAdaptorServer({
    fetch: answered,
    overrideGlobalObjects: false,
    serverOptions: { maxHeaderSize: 8192, headersTimeout: 5000, requestTimeout: 10_000 },
  }) as http.Server;
  server.maxConnections = mostAnswers;
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(port, host, resolve);
  });
  bound = server.address() as AddressInfo;
  const origin = `http://${authorityOf(bound)}`;
  return {
    page: new URL(origin),
    metrics: new URL('/metrics', origin),
    close: () =>
      new Promise((resolve) => {
        changes.close();
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

const isLoopback = ({ address }: AddressInfo): boolean => /^(::ffff:)?127\.|^::1$/.test(address);

const authorityOf = ({ family, address, port }: AddressInfo): string =>
  `${family === 'IPv6' ? `[${address}]` : address}:${port}`;
