import { createPrivateKey, X509Certificate } from 'node:crypto';
import { existsSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { Secret } from '../contract/secrets/secret.ts';
import { accepting, attempt, Unaccepted } from './accepted.ts';

/** More than thousands of targets need. */
const mostMebibytes = 4;

/**
 * The text of a regular file: reading a pipe would wait for its writer, and a device such as /dev/zero never ends.
 * @throws Unaccepted with the reason, in words that follow the file's name
 */
export function readText(file: string): string {
  try {
    const about = statSync(file);
    if (!about.isFile()) throw new Unaccepted('is not a regular file');
    if (about.size > mostMebibytes * 1024 ** 2)
      throw new Unaccepted(`is larger than ${mostMebibytes} MiB`);
    const text = new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(file));
    // Windows PowerShell writes UTF-16, which may be UTF-8 with NUL.
    if (!text.includes('\0')) return text;
    throw new TypeError();
  } catch (error) {
    if (error instanceof Unaccepted) throw error;
    // The error's own message would quote the path.
    const code = error instanceof Error && 'code' in error ? error.code : 'unknown reason';
    const isText = !(error instanceof TypeError);
    throw new Unaccepted(isText ? `cannot be read (${code})` : 'is not UTF-8: save it as UTF-8');
  }
}

/** Mistakes do not quote the file's name: users may set a credential itself. */
function textOf(file: string): string {
  try {
    return readText(file);
  } catch (error) {
    throw error instanceof Unaccepted
      ? new Unaccepted(`names a file that ${error.message}`)
      : error;
  }
}

function secretOf(text: string, empty: string): Secret {
  if (text === '') throw new Unaccepted(empty);
  if (/^[“”„‘’«].*[“”‘’»]$/su.test(text))
    throw new Unaccepted(
      'is in typographic quotes, which would be part of it: write straight ones',
    );
  return new Secret(text);
}

/** A credential in the environment: any text, including blanks around it. */
export const credential = {
  ...accepting('any text that is not empty', (text) => secretOf(text, 'is empty')),
  isCredential: true,
};

export const credentialFile = accepting(
  'a readable UTF-8 file that holds the value and at most one newline after it',
  (file) => secretOf(textOf(file).replace(/\r?\n$/, ''), 'names a file that is empty'),
);

/** The certificates in a file, without its other content, such as a private key. */
export const certificates = accepting('a readable PEM file that holds a certificate', (file) => {
  const found = textOf(file).match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g);
  if (found === null) throw new Unaccepted('names a file without a certificate');
  for (const pem of found)
    attempt(() => new X509Certificate(pem), 'names a file with a damaged certificate');
  return `${found.join('\n')}\n`;
});

export const privateKey = accepting(
  'a readable PEM file that holds the private key of the certificate, without a passphrase',
  (file) => {
    const pem = textOf(file);
    const why = 'names a file without a private key that can be read without a passphrase';
    attempt(() => createPrivateKey(pem), why);
    return pem;
  },
);

/** The name of a file that is read when it is needed, and again when it has changed. */
export const readableFile = accepting('a readable file', (file) => {
  textOf(file);
  return file;
});

const isFolder = (file: string): boolean => existsSync(`${file}/`);

/** A file that may be missing, in a folder that may not. */
export const writableFile = accepting('a file in a folder that exists', (file) => {
  if (isFolder(file)) throw new Unaccepted('names a folder');
  if (isFolder(path.dirname(file))) return file;
  throw new Unaccepted('names a file in a folder that does not exist');
});
