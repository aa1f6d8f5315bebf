import { createPrivateKey, X509Certificate } from 'node:crypto';
import { closeSync, constants, existsSync, fstatSync, openSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { Secret } from '../contract/secrets/secret.ts';
import { type Accepted, accepting, attempt, Unaccepted } from './accepted.ts';

const mebibyte = 1024 * 1024;

/** The size limits of files by content, in bytes. All trusted certificates of a system have 0.2 MiB. */
export const largest = {
  credential: 64 * 1024,
  certificates: mebibyte,
  payloadSchema: mebibyte,
  targets: 4 * mebibyte,
};

/**
 * The text of a regular file. Pipes and devices are refused: reading a pipe would wait for its writer, and a device
 * such as /dev/zero never ends. The reported size is not trusted: files in /proc report 0.
 * @param most the largest accepted size in bytes
 * @throws Unaccepted with the reason, in words that follow the file's name
 */
export function readText(file: string, most: number): string {
  let descriptor: number | undefined;
  try {
    // Without O_NONBLOCK, opening a pipe waits for a writer. Windows has neither this flag nor pipes as files.
    descriptor = openSync(file, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    const about = fstatSync(descriptor);
    if (!about.isFile()) throw new Unaccepted('is not a regular file');
    const bytes = about.size > most ? undefined : readFileSync(descriptor);
    if (bytes !== undefined && bytes.length <= most)
      return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    const size = most < mebibyte ? `${most / 1024} KiB` : `${most / mebibyte} MiB`;
    throw new Unaccepted(`is larger than ${size}`);
  } catch (error) {
    if (error instanceof Unaccepted) throw error;
    const isText = !(error instanceof TypeError);
    throw new Unaccepted(isText ? `cannot be read (${codeOf(error)})` : 'is not UTF-8');
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}

/** The code of a file system error, such as ENOENT. The error's message would quote the path. */
export const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error ? String(error.code) : 'unknown reason';

/** @param isShown whether a mistake may quote the file's name: users may set a credential itself by mistake */
function textOf(file: string, most: number, isShown = false): string {
  try {
    return readText(file, most);
  } catch (error) {
    if (!(error instanceof Unaccepted)) throw error;
    throw new Unaccepted(`names a file that ${error.message}${isShown ? ': {text}' : ''}`);
  }
}

function secretOf(text: string, least: number, empty: string): Secret {
  if (text === '') throw new Unaccepted(empty);
  if (/^[“”„‘’«].*[“”‘’»]$/su.test(text))
    throw new Unaccepted(
      'is in typographic quotes, which would be part of it: write straight ones',
    );
  if (text.length < least) throw new Unaccepted('is too short');
  return new Secret(text);
}

const ofLength = (least: number): string => (least > 1 ? `, of at least ${least} characters` : '');

/** A credential in the environment: any text, including blanks around it. @param least its characters */
export const credential = (least = 1): Accepted<Secret> => ({
  ...accepting(`any text that is not empty${ofLength(least)}`, (text) =>
    secretOf(text, least, 'is empty'),
  ),
  isCredential: true,
});

export const credentialFile = (least = 1) =>
  accepting(
    `a readable UTF-8 file that holds the value and at most one newline after it${ofLength(least)}`,
    (file) => {
      const text = textOf(file, largest.credential).replace(/\r?\n$/, '');
      return secretOf(text, least, 'names a file that is empty');
    },
  );

/** The certificates in a file, without its other content, such as a private key. */
export const certificates = accepting('a readable PEM file that holds a certificate', (file) => {
  const found = textOf(file, largest.certificates, true).match(
    /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g,
  );
  if (found === null) throw new Unaccepted('names a file without a certificate: {text}');
  for (const pem of found)
    attempt(() => new X509Certificate(pem), 'names a file with a damaged certificate: {text}');
  return `${found.join('\n')}\n`;
});

function keyIn(file: string): string {
  const pem = textOf(file, largest.credential);
  const why = 'names a file without a private key that can be read without a passphrase';
  attempt(() => createPrivateKey(pem), why);
  return pem;
}

export const privateKey = accepting(
  'a readable PEM file that holds the private key of the certificate, without a passphrase',
  keyIn,
);

export const clientKey = accepting(
  'a readable PEM file that holds the private key of the client certificate, without a passphrase',
  (file) => new Secret(keyIn(file)),
);

/** The name of a file that is read when it is needed, and again when it has changed. */
export const fileOf = ({ words }: Accepted<unknown>) => accepting(words, (file) => file);

const isFolder = (file: string): boolean => existsSync(`${file}/`);

/** A file that may be missing, in a folder that may not. */
export const writableFile = accepting('a file in a folder that exists', (file) => {
  if (isFolder(file)) throw new Unaccepted('names a folder: {text}');
  if (isFolder(path.dirname(file))) return file;
  throw new Unaccepted('names a file in a folder that does not exist: {text}');
});

export const yamlFile = accepting('a readable file', (file) => {
  textOf(file, largest.targets, true);
  return file;
});

/** A file that is created if it is missing, with its folder, or the word `none`. */
export const stateFile = accepting(
  'a file, created when missing, or the word none, which stores nothing on disk',
  (file) => {
    // The address of a database may hold a password, which would become part of a file's name.
    if (/^[\w+.-]+:\/\//.test(file)) throw new Unaccepted('is an address');
    if (isFolder(file) || /[/\\]$/.test(file)) throw new Unaccepted('names a folder: {text}');
    return file === 'none' ? undefined : file;
  },
);
