import { createPrivateKey, X509Certificate } from 'node:crypto';
import type http from 'node:http';
import https from 'node:https';
import type { AddressInfo } from 'node:net';
import type tls from 'node:tls';
import { createAdaptorServer } from '@hono/node-server';
import { UserError } from '../../contract/command.ts';
import { mask } from '../../contract/secrets/masked.ts';
import { open, type Secret } from '../../contract/secrets/secret.ts';
import type { Log } from '../log.ts';
import { realTime, type Time } from '../loop/time.ts';
import { routes, type Served } from './routes.ts';

export interface ListenAddress {
  readonly host: string;
  readonly port: number;
  readonly time?: Time;
  readonly certificate?: OwnCertificate;
}

interface OwnCertificate {
  /** The certificate with its chain, and its private key (PEM), that are in the files now, if any are set. @throws UserError */
  read(): KeyPair | undefined;
  readonly log: Pick<Log, 'info' | 'warn'>;
}

interface KeyPair {
  readonly cert: string;
  readonly key: Secret;
}

/** @throws UserError if the pair cannot be used */
function toSecureContext({ cert, key }: KeyPair): tls.SecureContextOptions {
  const leaf = new X509Certificate(cert);
  if (!key.is((pem) => leaf.checkPrivateKey(createPrivateKey(pem))))
    throw new UserError(
      'MONITOR_TLS_KEY names the key of another certificate than that in MONITOR_TLS_CERT',
    );
  if (leaf.validToDate.getTime() > Date.now()) return { cert, key: open(key) };
  const end = leaf.validToDate.toISOString();
  throw new UserError(`MONITOR_TLS_CERT names a certificate that expired at ${end}`);
}

/** How often the files of the certificate are read: they are replaced days before it expires. */
const renewalMs = 30_000;

const whyNotListening: Readonly<Record<string, string>> = {
  EADDRINUSE: 'is in use: set MONITOR_PORT to another port, or 0 for any',
  EACCES: 'needs a privilege that this user lacks: set MONITOR_PORT above 1023',
  EADDRNOTAVAIL: 'is not an address of this machine: set MONITOR_HOST',
  ENOTFOUND: 'has a name that does not resolve: set MONITOR_HOST',
  EAI_AGAIN: 'has a name that does not resolve now: set MONITOR_HOST',
};

/** Serves browsers and scrapers, with limits of size, time and number. @throws UserError */
export async function listen(
  served: Served,
  { host, port, time = realTime, certificate }: ListenAddress,
): Promise<{ readonly page: URL; close(): Promise<void> }> {
  let bound: AddressInfo | undefined;
  const isLoopback = (): boolean => /^(::ffff:)?127\.|^::1$/.test(bound?.address ?? '');
  const { fetch: answer } = routes(served, { host, isLoopback });
  const pair = certificate?.read();
  const tls = pair && { ...toSecureContext(pair), handshakeTimeout: 5000 };
  const server = createAdaptorServer({
    // Many answers to a client that reads none would fill the memory. Until one is written, the next has no socket.
    fetch: (request, { outgoing }) =>
      outgoing.socket === null ? onePerConnection() : answer(request),
    overrideGlobalObjects: false,
    ...(pair === undefined ? {} : { createServer: https.createServer }),
    serverOptions: { maxHeaderSize: 8192, headersTimeout: 5000, requestTimeout: 10_000, ...tls },
  }) as http.Server & https.Server;
  const stopRenewing = certificate && pair && keepRenewed(server, pair, certificate, time);
  server.maxConnections = 256;
  // Closes the connection of a client that does not read its answer.
  server.timeout = 30_000;
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(port, host, resolve);
  }).catch((error: NodeJS.ErrnoException) => {
    const why = whyNotListening[error.code ?? ''];
    throw why === undefined ? error : new UserError(`${mask(host)}:${port} ${why}`);
  });
  bound = server.address() as AddressInfo;
  const name = bound.family === 'IPv6' ? `[${bound.address}]` : bound.address;
  return {
    page: new URL(`http${pair === undefined ? '' : 's'}://${name}:${bound.port}`),
    close: () =>
      new Promise((resolve) => {
        stopRenewing?.();
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

const onePerConnection = (): Response =>
  new Response('One request at a time on a connection.\n', { status: 429 });

/** Reads the files repeatedly, and uses a new pair that they hold. @returns a function that stops this */
function keepRenewed(
  server: tls.Server,
  inUse: KeyPair,
  { read, log }: OwnCertificate,
  time: Time,
): () => void {
  let current = inUse;
  let problem: string | undefined;
  const look = (): void => {
    cancel = time.after(renewalMs, look);
    try {
      const pair = read() ?? current;
      const context = toSecureContext(pair);
      const isSame = pair.cert === current.cert && pair.key.equals(current.key);
      if (isSame && problem === undefined) return;
      server.setSecureContext(context);
      current = pair;
      problem = undefined;
      const until = new X509Certificate(pair.cert).validToDate.toISOString();
      log.info(`the renewed certificate is in use, and expires at ${until}`);
    } catch (error) {
      // Any other message may quote the files.
      const newProblem = error instanceof UserError ? error.message : 'TLS does not accept it';
      if (newProblem !== problem) log.warn(`the earlier certificate stays in use: ${newProblem}`);
      problem = newProblem;
    }
  };
  let cancel = time.after(renewalMs, look);
  return () => cancel();
}
