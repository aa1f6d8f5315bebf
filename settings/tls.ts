import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto';
import { type Accepted, NotAccepted } from './accepted.ts';
import { certificates, contents } from './files.ts';
import { largest } from './regular-file.ts';
import type { Setting } from './setting.ts';
import { SettingsError, type SettingsReader } from './settings-reader.ts';

/** The paths of a certificate and its private key. */
export interface TlsFiles {
  readonly cert: string;
  readonly key: string;
}

/** The content of these files for node:tls. The key is not used for anything else, and is not stored. */
export interface TlsPair {
  /** The certificate and its chain (PEM). */
  readonly cert: string;
  readonly key: Buffer;
  /** Milliseconds since 1970. */
  readonly expiresAt: number;
}

/** A file with a server's certificate first, and then its chain. */
export const certificateFile: Accepted<string> = {
  words: certificates.words,
  read(file) {
    certificates.read(file);
    return file;
  },
};

/** The file of the private key. Its name is never quoted, because users may set the key itself by mistake. */
export const keyFile: Accepted<string> = {
  words: 'a readable PEM file that holds the private key of MONITOR_TLS_CERT, without a passphrase',
  read(file) {
    privateKeyIn(contents(file, largest.credential));
    return file;
  },
};

/** Both files or none. The key must belong to the certificate. */
export function tlsFilesOf(
  reader: SettingsReader,
  certificate: Setting<string>,
  privateKey: Setting<string>,
): TlsFiles | undefined {
  const cert = reader.optional(certificate);
  const key = reader.optional(privateKey);
  for (const [one, other] of [
    [certificate, privateKey],
    [privateKey, certificate],
  ] as const)
    if (reader.isSet(one) && !reader.isSet(other))
      reader.wrong(`${other.name} is missing, but ${one.name} is set: HTTPS needs both`);
  if (cert === undefined || key === undefined) return undefined;
  try {
    readTlsPair({ cert, key });
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error;
    for (const line of error.lines) reader.wrong(line);
  }
  return { cert, key };
}

/**
 * Reads a certificate and its key. Their files may change while the monitor runs, so both are checked each time.
 * @throws SettingsError when they cannot be used
 */
export function readTlsPair(files: TlsFiles): TlsPair {
  const cert = naming('MONITOR_TLS_CERT', () => certificates.read(files.cert));
  const key = naming('MONITOR_TLS_KEY', () => contents(files.key, largest.credential));
  const leaf = new X509Certificate(cert);
  if (!leaf.checkPrivateKey(naming('MONITOR_TLS_KEY', () => privateKeyIn(key))))
    throw new SettingsError([
      'MONITOR_TLS_KEY names the key of another certificate than that in MONITOR_TLS_CERT',
    ]);
  const expiresAt = Date.parse(leaf.validTo);
  if (expiresAt <= Date.now())
    throw new SettingsError([
      `MONITOR_TLS_CERT names a certificate that expired at ${new Date(expiresAt).toISOString()}`,
    ]);
  return { cert, key, expiresAt };
}

/** @throws SettingsError with the setting's name */
function naming<Value>(name: string, read: () => Value): Value {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof NotAccepted)) throw error;
    const { message, quoted } = error;
    throw new SettingsError([`${name} ${message}${quoted === undefined ? '' : ` "${quoted}"`}`]);
  }
}

function privateKeyIn(pem: Buffer): KeyObject {
  try {
    return createPrivateKey(pem);
  } catch {
    // OpenSSL's message does not help users.
    throw new NotAccepted(
      'names a file without a private key that can be read without a passphrase',
    );
  }
}
