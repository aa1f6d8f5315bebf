import { X509Certificate } from 'node:crypto';
import { accessSync, constants, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { Secret } from '../contract/secrets/secret.ts';
import { type Accepted, NotAccepted } from './accepted.ts';
import { FileRefused, largest, readRegularFile } from './regular-file.ts';

/** A credential in the environment: any text, including blanks around it. */
export const credential: Accepted<Secret> = {
  words: 'any text that is not empty',
  read(text) {
    if (text === '') throw new NotAccepted('is empty');
    return new Secret(text);
  },
};

/** A file that holds a credential. Its name is never quoted, because users may set the credential itself by mistake. */
export const credentialFile: Accepted<Secret> = {
  words: 'a readable UTF-8 file that holds the value and at most one newline after it',
  read(file) {
    const text = utf8(contents(file, largest.credential)).replace(/\r?\n$/, '');
    if (text === '') throw new NotAccepted('names a file that is empty');
    return new Secret(text);
  },
};

/** Shorter credentials can be guessed. */
const shortest = 16;

/** A credential that a user chooses freely. It must be hard to guess. */
export const longCredential = long(credential);
export const longCredentialFile = long(credentialFile);

function long({ words, read }: Accepted<Secret>): Accepted<Secret> {
  return {
    words: `${words}, of at least ${shortest} characters`,
    read(text) {
      const secret = read(text);
      if (secret.length < shortest) throw new NotAccepted('is too short');
      return secret;
    },
  };
}

/** The certificates in a file, without its other content, such as a private key. */
export const certificates: Accepted<string> = {
  words: 'a readable PEM file that holds a certificate',
  read(file) {
    const found = utf8(contents(file, largest.certificates, file)).match(
      /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g,
    );
    if (found === null) throw new NotAccepted('names a file without a certificate:', file);
    if (!found.every(isCertificate))
      throw new NotAccepted('names a file with a damaged certificate:', file);
    return `${found.join('\n')}\n`;
  },
};

/** The file may be missing, but its folder must exist. */
export const writableFile: Accepted<string> = {
  words: 'a file in a folder that exists',
  read(file) {
    if (isFolder(file)) throw new NotAccepted('names a folder:', file);
    if (!isFolder(dirname(file)))
      throw new NotAccepted('names a file in a folder that does not exist:', file);
    return file;
  },
};

export const readableFile: Accepted<string> = {
  words: 'a readable file',
  read(file) {
    if (isFolder(file)) throw new NotAccepted('names a folder:', file);
    try {
      if (!statSync(file).isFile())
        throw new NotAccepted('names a file that is not a regular file:', file);
      accessSync(file, constants.R_OK);
    } catch (error) {
      if (error instanceof NotAccepted) throw error;
      throw new NotAccepted(`names a file that cannot be read (${codeOf(error)}):`, file);
    }
    return file;
  },
};

/** A file that is created if it is missing, with its folder, or the word `none`. */
export const stateFile: Accepted<string> = {
  words: 'a file, created when missing, or the word none, which stores nothing on disk',
  read(file) {
    // The address of a database may hold a password, which would become part of a file's name.
    if (/^[\w+.-]+:\/\//.test(file)) throw new NotAccepted('is an address');
    if (isFolder(file) || /[/\\]$/.test(file)) throw new NotAccepted('names a folder:', file);
    return file;
  },
};

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}

/** @param most the largest accepted size in bytes @param quoted the file's name, if it may be shown */
export function contents(file: string, most: number, quoted?: string): Buffer {
  try {
    return readRegularFile(file, most);
  } catch (error) {
    const why = error instanceof FileRefused ? error.message : `cannot be read (${codeOf(error)})`;
    throw new NotAccepted(`names a file that ${why}${quoted === undefined ? '' : ':'}`, quoted);
  }
}

/** The code of a file system error, such as ENOENT. The error's message would quote the path. */
export const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error ? String(error.code) : 'unknown reason';

function utf8(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new NotAccepted('names a file that is not UTF-8');
  }
}

function isCertificate(pem: string): boolean {
  try {
    return new X509Certificate(pem).raw.length > 0;
  } catch {
    return false;
  }
}
