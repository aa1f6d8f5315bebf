import { createPrivateKey, X509Certificate } from 'node:crypto';
import { certificates, privateKey } from './files.ts';
import { parse, SettingsError } from './parse.ts';

/**
 * Reads a certificate with its chain and its key (PEM), for node:tls. Their files may change while the monitor runs,
 * so both are checked each time.
 * @returns with `expiresAt` in milliseconds since 1970
 * @throws SettingsError when they cannot be used
 */
export function readTlsPair(files: { readonly cert: string; readonly key: string }) {
  const { MONITOR_TLS_CERT: cert, MONITOR_TLS_KEY: key } = parse(
    { MONITOR_TLS_CERT: certificates, MONITOR_TLS_KEY: privateKey },
    { MONITOR_TLS_CERT: files.cert, MONITOR_TLS_KEY: files.key },
  );
  const leaf = new X509Certificate(cert);
  if (!leaf.checkPrivateKey(createPrivateKey(key)))
    throw new SettingsError([
      'MONITOR_TLS_KEY names the key of another certificate than that in MONITOR_TLS_CERT',
    ]);
  const expiresAt = Date.parse(leaf.validTo);
  if (expiresAt <= Date.now())
    throw new SettingsError([
      `MONITOR_TLS_CERT names a certificate that expired at ${new Date(expiresAt).toISOString()}`,
    ]);
  return { cert, key: Buffer.from(key), expiresAt };
}
