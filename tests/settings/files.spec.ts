import { spawnSync } from 'node:child_process';
import { statSync, writeFileSync } from 'node:fs';
import { expect, test } from '@playwright/test';
import { certificates, credentialFile } from '../../settings/files.ts';
import { readRegularFile } from '../../settings/regular-file.ts';

/** A named pipe without a writer: a program that opens it as a file waits without end. */
function pipe(name = 'pipe'): string {
  const file = test.info().outputPath(name);
  if (spawnSync('mkfifo', [file]).status !== 0) throw new Error('mkfifo failed');
  return file;
}

function sized(bytes: number): string {
  const file = test.info().outputPath(`${bytes}-bytes`);
  writeFileSync(file, 'x'.repeat(bytes));
  return file;
}

for (const [what, { read }] of [
  ['a credential', credentialFile],
  ['a certificate', certificates],
] as const) {
  test(`a named pipe is not read as ${what}`, () => {
    expect(() => read(pipe())).toThrow('names a file that is not a regular file');
  });

  test(`a device is not read as ${what}`, () => {
    expect(() => read('/dev/zero')).toThrow('names a file that is not a regular file');
  });
}

test('a credential has at most 64 KiB', () => {
  expect(credentialFile.read(sized(64 * 1024)).length).toBe(64 * 1024);
  expect(() => credentialFile.read(sized(64 * 1024 + 1))).toThrow(
    'names a file that is larger than 64 KiB',
  );
});

test('a file of certificates has at most 1 MiB', () => {
  expect(() => certificates.read(sized(2 ** 20 + 1))).toThrow(
    'names a file that is larger than 1 MiB',
  );
});

test('a file that reports size zero is read to its end, up to the limit', () => {
  const file = '/proc/self/status';
  expect(statSync(file).size).toBe(0);
  expect(readRegularFile(file, 64 * 1024).toString()).toContain('Name:');
  expect(() => readRegularFile(file, 10)).toThrow('is larger than');
});

test('a byte order mark before a credential, as editors on Windows write it, is no part of it', () => {
  const file = test.info().outputPath('key');
  writeFileSync(file, '\ufeff<API_KEY>\r\n');
  expect(credentialFile.read(file).is((text) => text === '<API_KEY>')).toBe(true);
});
