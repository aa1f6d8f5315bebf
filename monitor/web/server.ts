import type http from 'node:http';
import https from 'node:https';
import type { AddressInfo } from 'node:net';
import { createAdaptorServer } from '@hono/node-server';
import { realTime, type Time } from '../schedule/time.ts';
import { isLocalName } from './access-control.ts';
import { answersOnTheirWay } from './answers.ts';
import { Changes } from './changes.ts';
import { keepRenewed, type OwnCertificate } from './own-certificate.ts';
import { routes, type Served, streamed } from './routes.ts';

export interface Listening {
  readonly page: URL;
  readonly metrics: URL;
  /** Closes the server, including open streams. */
  close(): Promise<void>;
}

export interface ListenAddress {
  readonly host: string;
  readonly port: number;
  readonly time?: Time;
  /** Without a certificate the monitor serves plain HTTP. */
  readonly certificate?: OwnCertificate;
}

/** The most connections, and the most pending requests: a client may send many on one connection. */
const mostAnswers = 256;

/** An answer that is not read within this time is aborted. */
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
 * @throws UserError when the certificate cannot be used
 * @throws the error of the socket, when it cannot listen there
 */
export async function listen(
  served: Served,
  { host, port, time = realTime, certificate }: ListenAddress,
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
  const answered: Fetch = (request, env) => {
    const { incoming, outgoing } = env;
    const answer = answers.begin(incoming.socket, outgoing, incoming.url === streamed);
    return answer === undefined ? tooMany() : respond(request, { answer });
  };
  const { server, stopRenewing } = serverFor(answered, certificate, time);
  server.maxConnections = mostAnswers;
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(port, host, resolve);
  });
  bound = server.address() as AddressInfo;
  const origin = `http${certificate === undefined ? '' : 's'}://${authorityOf(bound)}`;
  return {
    page: new URL(origin),
    metrics: new URL('/metrics', origin),
    close: () =>
      new Promise((resolve) => {
        changes.close();
        stopRenewing();
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

type Fetch = Parameters<typeof createAdaptorServer>[0]['fetch'];

/** Creates an HTTPS server if there is a certificate, otherwise an HTTP server. */
function serverFor(
  fetch: Fetch,
  own: OwnCertificate | undefined,
  time: Time,
): { readonly server: http.Server; stopRenewing(): void } {
  const options = { maxHeaderSize: 8192, headersTimeout: 5000, requestTimeout: 10_000 };
  const common = { fetch, overrideGlobalObjects: false };
  if (own === undefined) {
    const server = createAdaptorServer({ ...common, serverOptions: options }) as http.Server;
    return { server, stopRenewing: () => {} };
  }
  const pair = own.read();
  const server = createAdaptorServer({
    ...common,
    createServer: https.createServer,
    serverOptions: { ...options, handshakeTimeout: 5000, ...pair },
  }) as https.Server;
  return { server, stopRenewing: keepRenewed(server, pair, { own, time }) };
}

const isLoopback = ({ address }: AddressInfo): boolean => /^(::ffff:)?127\.|^::1$/.test(address);

const authorityOf = ({ family, address, port }: AddressInfo): string =>
  `${family === 'IPv6' ? `[${address}]` : address}:${port}`;
