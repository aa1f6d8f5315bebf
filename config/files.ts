import { createPrivateKey, X509Certificate } from 'node:crypto';
import { existsSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { field } from '../contract/json-value.ts';
import { Secret } from '../contract/secrets/secret.ts';
import { SettingsError, text } from './fields.ts';

/**
 * The text of a regular file: reading a pipe would wait for its writer, and a device such as /dev/zero never ends.
 * @param what stands before a mistake @throws SettingsError
 */
export function readText(file: string, what = `${file} `): string {
  try {
    if (statSync(file).isFile())
      return new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(file));
  } catch (error) {
    // The error's own message would quote the path.
    const why =
      error instanceof TypeError
        ? 'is not UTF-8: save it as UTF-8'
        : `cannot be read (${field(error, 'code')})`;
    throw new SettingsError(`${what}${why}`);
  }
  throw new SettingsError(`${what}is not a regular file`);
}

/** Mistakes do not quote the file's name: users may set a credential itself. */
const readNamed = (file: string): string => readText(file, 'names a file that ');

function parseSecret(text: string, empty: string): Secret {
  if (text === '') throw new SettingsError(empty);
  if (/^[“”„‘’«].*[“”‘’»]$/su.test(text))
    throw new SettingsError('is in typographic quotes: write straight ones');
  return new Secret(text);
}

/** A credential in the environment: any text, including blanks around it. */
export const credential = text('any text that is not empty', (given) =>
  parseSecret(given, 'is empty'),
);

export const credentialFile = text(
  'a readable UTF-8 file that holds the value and at most one newline after it',
  (file) => parseSecret(readNamed(file).replace(/\r?\n$/, ''), 'names a file that is empty'),
);

/** The certificates in a file, without its other content, such as a private key. */
export const certificates = text('a readable PEM file that holds a certificate', (file) => {
  const form = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;
  const found = readNamed(file).match(form);
  return found?.map((pem) => new X509Certificate(pem) && `${pem}\n`).join('');
});

export const privateKey = text(
  'a readable PEM file that holds the private key of the certificate, without a passphrase',
  (file) => {
    const pem = readNamed(file);
    return createPrivateKey(pem) && new Secret(pem);
  },
);

/** A file that may be missing, in a folder that may not. */
export const writableFile = text('a file in a folder that exists', (file) =>
  existsSync(`${path.dirname(file)}/`) && !existsSync(`${file}/`) ? file : undefined,
);
