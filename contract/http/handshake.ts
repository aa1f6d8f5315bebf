import type http from 'node:http';
import type net from 'node:net';
import tls from 'node:tls';
import type { TlsFacts } from './answer.ts';

/** A kept connection was shaken hands on before its later requests. */
const shown = new WeakMap<net.Socket, TlsFacts>();

/**
 * Takes down what the handshake of a request shows, before Node judges the certificate: so the end of an expired one
 * is known too, and an untrusted provider is still sent no byte.
 * @returns reads it; undefined where there was no handshake
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

/** Whether the provider's certificate has not been accepted so far. */
export const isHandshaking = ({ socket }: http.ClientRequest): boolean =>
  socket instanceof tls.TLSSocket && !socket.authorized;

function read(socket: tls.TLSSocket): void {
  // Not as an X509Certificate: after such a look Node 24 finds no name in the certificate, and refuses a good one.
  const certificate = socket.getPeerCertificate(true);
  // Node asks for it again to judge it, and taking it apart twice would show in what a request costs.
  socket.getPeerCertificate = () => certificate;
  const earliestExpiry = Math.min(...endsOf(certificate));
  const version = socket.getProtocol();
  if (version !== null && Number.isFinite(earliestExpiry))
    shown.set(socket, { version, earliestExpiry });
}

/** The ends of a certificate and of those above it. Who has signed himself stands as his own issuer. */
function endsOf(certificate: tls.DetailedPeerCertificate): number[] {
  const { valid_to: end, issuerCertificate: issuer } = certificate;
  const above = issuer === undefined || issuer === certificate ? [] : endsOf(issuer);
  return [Date.parse(end), ...above];
}
