import { X509Certificate } from 'node:crypto';
import tls from 'node:tls';
import { remembering } from '../remembering.ts';
import type { TlsFacts } from './unreachable.ts';

/**
 * When the certificates of a handshake end: the first one that was sent, and the first one of the chain that leads to a
 * trusted root. Servers also send certificates that nobody needs, such as a root that is signed by an older one.
 * @param ca certificates (PEM) that are trusted instead of the system's
 */
export function expiriesOf(
  certificate: tls.DetailedPeerCertificate,
  ca: string | undefined,
): Omit<TlsFacts, 'version'> {
  const sent = sentBy(certificate);
  const ends = sent.map((one) => Date.parse(one.valid_to));
  return { earliestExpiry: Math.min(...ends), chainExpiry: chainExpiry(sent, trusted(ca ?? '')) };
}

/** From the server's own certificate upwards. A self-signed certificate is its own issuer. */
function sentBy(certificate: tls.DetailedPeerCertificate): tls.DetailedPeerCertificate[] {
  const { issuerCertificate: issuer } = certificate;
  return issuer === undefined || issuer === certificate
    ? [certificate]
    : [certificate, ...sentBy(issuer)];
}

/** Undefined if none of them is signed by a trusted root. */
function chainExpiry(
  sent: readonly tls.DetailedPeerCertificate[],
  roots: readonly X509Certificate[],
): number | undefined {
  let earliest = Number.POSITIVE_INFINITY;
  for (const { raw } of sent) {
    if (raw === undefined) return undefined;
    const one = new X509Certificate(raw);
    earliest = Math.min(earliest, Date.parse(one.validTo));
    const root = roots.find(
      ({ subject, publicKey }) => subject === one.issuer && one.verify(publicKey),
    );
    if (root !== undefined) return Math.min(earliest, Date.parse(root.validTo));
  }
  return undefined;
}

const trusted = remembering((ca: string): readonly X509Certificate[] => {
  const own = ca.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g);
  return (own ?? tls.getCACertificates('default')).map((pem) => new X509Certificate(pem));
});
