import { X509Certificate } from 'node:crypto';
import tls, { type DetailedPeerCertificate } from 'node:tls';
import { memoize } from '../../contract/remembering.ts';

/** When the certificates of a provider expire: milliseconds since 1970. */
export interface Expiry {
  /** The earliest end of validity in the chain that it sends. */
  readonly earliestExpiry: number;
  /** The same of the chain that leads to a trusted root, without certificates that nobody needs. */
  readonly chainExpiry?: number;
}

/**
 * Reads when certificates expire. It keeps the result: to verify them takes longer than a request.
 * @param ca certificates (PEM) that are trusted instead of the system's
 */
export function createExpiryReader(ca = ''): (certificate: DetailedPeerCertificate) => Expiry {
  let last: { readonly chain: string; readonly expiry: Expiry } | undefined;
  return (certificate) => {
    const sent = listChain(certificate);
    const chain = sent.map(({ fingerprint256 }) => fingerprint256).join();
    if (last?.chain !== chain) {
      const certificates = sent.map(({ raw }) => new X509Certificate(raw));
      last = { chain, expiry: findExpiry(certificates, trusted(ca)) };
    }
    return last.expiry;
  };
}

/** From the server's own certificate upwards. A self-signed certificate is its own issuer. */
function listChain(certificate: DetailedPeerCertificate): DetailedPeerCertificate[] {
  const { issuerCertificate: issuer } = certificate;
  return [
    certificate,
    ...(issuer === undefined || issuer === certificate ? [] : listChain(issuer)),
  ];
}

function findExpiry(sent: readonly X509Certificate[], roots: readonly X509Certificate[]): Expiry {
  const ends = sent.map(expiresAt);
  const [chainExpiry] = sent.flatMap((each, index) => {
    const root = roots.find(
      ({ subject, publicKey }) => subject === each.issuer && each.verify(publicKey),
    );
    return root === undefined ? [] : Math.min(...ends.slice(0, index + 1), expiresAt(root));
  });
  return { earliestExpiry: Math.min(...ends), chainExpiry };
}

const expiresAt = ({ validTo }: X509Certificate): number => Date.parse(validTo);

const trusted = memoize((ca: string): readonly X509Certificate[] => {
  const own = ca.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g);
  return (own ?? tls.getCACertificates('default')).map((pem) => new X509Certificate(pem));
});
