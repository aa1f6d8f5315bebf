import type http from 'node:http';
import type net from 'node:net';
import tls from 'node:tls';
import type { TlsFacts } from './answer.ts';

/** The handshake of each connection, because later requests on a kept connection have none. */
const shown = new WeakMap<net.Socket, TlsFacts>();

/**
 * Records the facts of a TLS handshake before Node verifies the certificate. So the end of an expired certificate is
 * known too, and no byte is sent to an untrusted provider.
 * @returns a function that reads the record; it returns undefined when there was no handshake
 */
export function handshakeOf(request: http.ClientRequest): () => TlsFacts | undefined {
  let used: net.Socket | undefined;
  request.once('socket', (socket) => {
    if (!(socket instanceof tls.TLSSocket)) return;
    used = socket;
    if (!shown.has(socket)) socket.prependOnceListener('secure', () => read(socket));
  });
  return () => used && shown.get(used);
}

/** Whether the provider's certificate has not been accepted yet. */
export const isHandshaking = ({ socket }: http.ClientRequest): boolean =>
  socket instanceof tls.TLSSocket && !socket.authorized;

function read(socket: tls.TLSSocket): void {
  // Not getPeerX509Certificate(): after it, Node 24 finds no name in the certificate, and rejects a valid one.
  const certificate = socket.getPeerCertificate(true);
  // Node reads it again to verify it. Parsing it twice would noticeably slow down a request.
  socket.getPeerCertificate = () => certificate;
  const earliestExpiry = Math.min(...endsOf(certificate));
  const version = socket.getProtocol();
  if (version !== null && Number.isFinite(earliestExpiry))
    shown.set(socket, { version, earliestExpiry });
}

/** The ends of validity of a certificate and of its issuers. A self-signed certificate is its own issuer. */
function endsOf(certificate: tls.DetailedPeerCertificate): number[] {
  const { valid_to: end, issuerCertificate: issuer } = certificate;
  const above = issuer === undefined || issuer === certificate ? [] : endsOf(issuer);
  return [Date.parse(end), ...above];
}

/** Certificates may be replaced now and then; the contexts of this many CA files are cached. */
const mostContexts = 20;

const contexts = new Map<string | undefined, tls.SecureContext>();

/**
 * The part that TLS connections share. Reading certificates for each connection would take a seventh of the time
 * of a monitor's request.
 * @param ca certificates (PEM) trusted instead of the system's
 * @throws OpenSSL's error about certificates
 */
export function secureContextFor(ca: string | undefined): tls.SecureContext {
  const known = contexts.get(ca);
  if (known !== undefined) return known;
  const [oldest] = contexts.keys();
  if (contexts.size >= mostContexts) contexts.delete(oldest);
  const context = tls.createSecureContext({ ca });
  contexts.set(ca, context);
  return context;
}
