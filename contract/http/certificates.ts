import { X509Certificate } from 'node:crypto';
import tls from 'node:tls';
import { remembering } from '../remembering.ts';
import type { TlsFacts } from './unreachable.ts';

/** The ends of the first certificate of a handshake to end, and of the first one of the chain to a trusted root. */
export function expiriesOf(
  certificate: tls.DetailedPeerCertificate,
  ca = '',
): Omit<TlsFacts, 'version'> {
  const sent = sentBy(certificate);
  const ends: number[] = [];
  let chainExpiry: number | undefined;
  for (const one of sent) {
    ends.push(endOf(one));
    const root = trusted(ca).find(
      ({ subject, publicKey }) => subject === one.issuer && one.verify(publicKey),
    );
    if (root !== undefined) chainExpiry ??= Math.min(...ends, endOf(root));
  }
  return { earliestExpiry: Math.min(...ends), chainExpiry };
}

const endOf = ({ validTo }: X509Certificate): number => Date.parse(validTo);

/** From the server's own certificate upwards. A self-signed certificate is its own issuer. */
function sentBy(certificate: tls.DetailedPeerCertificate): X509Certificate[] {
  const { raw, issuerCertificate: issuer } = certificate;
  const above = issuer === undefined || issuer === certificate ? [] : sentBy(issuer);
  return [new X509Certificate(raw), ...above];
}

const trusted = remembering((ca: string): readonly X509Certificate[] => {
  const own = ca.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g);
  return (own ?? tls.getCACertificates('default')).map((pem) => new X509Certificate(pem));
});
