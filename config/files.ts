import { createPrivateKey, X509Certificate } from 'node:crypto';
import { existsSync } from 'node:fs';
import path from 'node:path';
import * as v from 'valibot';
import { Secret } from '../contract/secrets/secret.ts';
import { type Accepted, accepting, Unaccepted } from './accepted.ts';
import { FileRefused, largest, readText } from './regular-file.ts';

const ofLength = (least: number): string => (least > 1 ? `, of at least ${least} characters` : '');

function secretOf(text: string, least: number, found: string): Secret {
  if (text === '') throw new Unaccepted(found);
  if (text.length < least) throw new Unaccepted('is too short');
  return new Secret(text);
}

/** A credential in the environment: any text, including blanks around it. @param least its characters */
export const credential = (least = 1): Accepted<Secret> =>
  accepting(`any text that is not empty${ofLength(least)}`, (text) =>
    secretOf(text, least, 'is empty'),
  );

/** A file that holds a credential. Its name is never quoted, because users may set the credential itself by mistake. */
export const credentialFile = (least = 1): Accepted<Secret> =>
  accepting(
    `a readable UTF-8 file that holds the value and at most one newline after it${ofLength(least)}`,
    (file) => {
      const text = textOf(file, largest.credential).replace(/\r?\n$/, '');
      return secretOf(text, least, 'names a file that is empty');
    },
  );

/** The certificates in a file, without its other content, such as a private key. */
export const certificates: Accepted<string> = accepting(
  'a readable PEM file that holds a certificate',
  (file) => {
    const found = textOf(file, largest.certificates, file).match(
      /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g,
    );
    if (found === null) throw new Unaccepted('names a file without a certificate: {text}', file);
    if (!found.every((pem) => isReadable(() => new X509Certificate(pem))))
      throw new Unaccepted('names a file with a damaged certificate: {text}', file);
    return `${found.join('\n')}\n`;
  },
);

/** The private key (PEM) in a file, whose name is never quoted: users may set the key itself by mistake. */
export const privateKey: Accepted<string> = accepting(
  'a readable PEM file that holds the private key of MONITOR_TLS_CERT, without a passphrase',
  (file) => {
    const pem = textOf(file, largest.credential);
    if (isReadable(() => createPrivateKey(pem))) return pem;
    throw new Unaccepted(
      'names a file without a private key that can be read without a passphrase',
    );
  },
);

/** Whether OpenSSL can read a text; its own message does not help users. */
function isReadable(read: () => unknown): boolean {
  try {
    read();
    return true;
  } catch {
    return false;
  }
}

/** The file may be missing, but its folder must exist. */
export const writableFile: Accepted<string> = accepting(
  'a file in a folder that exists',
  v.pipe(
    v.string(),
    v.check((file) => !existsSync(`${file}/`), 'names a folder: {text}'),
    v.check(
      (file) => existsSync(path.dirname(file)),
      'names a file in a folder that does not exist: {text}',
    ),
  ),
);

/** The file of all targets. */
export const targetsFile: Accepted<string> = accepting('a readable file', (file) => {
  textOf(file, largest.targets, file);
  return file;
});

/** A file that is created if it is missing, with its folder, or the word `none`. */
export const stateFile: Accepted<string> = accepting(
  'a file, created when missing, or the word none, which stores nothing on disk',
  v.pipe(
    v.string(),
    // The address of a database may hold a password, which would become part of a file's name.
    v.regex(/^(?![\w+.-]+:\/\/)/, 'is an address'),
    v.check((file) => !existsSync(`${file}/`) && !/[/\\]$/.test(file), 'names a folder: {text}'),
  ),
);

/** @param most the largest accepted size in bytes @param shown the file's name, if it may be shown */
function textOf(file: string, most: number, shown?: string): string {
  try {
    return readText(file, most);
  } catch (error) {
    if (!(error instanceof FileRefused)) throw error;
    const name = shown === undefined ? '' : ': {text}';
    throw new Unaccepted(`names a file that ${error.message}${name}`, shown);
  }
}
