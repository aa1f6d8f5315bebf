import { expect, test } from '@playwright/test';
import { programs, type SourceFile, textOf, tree } from './tree.ts';

/** Joins the parts of an example secret, so that the rules do not find it in this file. */
function joined(...parts: readonly string[]): string {
  return parts.join('');
}

/** Texts that only look like a secret, and the files that contain them. */
const madeUp: readonly (readonly [file: string, text: string])[] = [
  ['tests/report/write.spec.ts', joined('eyJ', 'hbGciOiJub25lIn0.Vi0la-Harbour-9')],
  ['tests/settings/valid.spec.ts', joined('-----BEGIN ', 'PRIVATE KEY-----\\nAAAA\\n')],
];

const shapes: readonly (readonly [what: string, shape: RegExp])[] = [
  ['a JWT', /\beyJ[\w-]{8,}\.[\w-]{4,}/],
  ['a key of a payment provider', /\b[sr]k_(live|test)_\w+/],
  ['a key of a cloud', /\b(AKIA|ASIA)[A-Z0-9]{16}\b|\bAIza[\w-]{35}/],
  ['a token of a forge', /\b(gh[pousr]_\w{30,}|github_pat_\w{20,}|glpat-[\w-]{20,})/],
  ['a token of a chat or a registry', /\bxox[abprs]-[\w-]{10,}|\bnpm_\w{30,}/],
  ['a private key', /-----BEGIN [A-Z ]*PRIVATE KEY-----(\s|\\n)*[A-Za-z0-9+/]/],
];

/** A run of base64 or hex characters that is longer than a 128-bit key in hex. */
const long = /[A-Za-z0-9+/_=-]{33,}/g;

/** In a random text neighbouring characters are mostly of different kinds; in words and paths they rarely are. */
function looksRandom(text: string): boolean {
  if (/^[0-9a-f]{33,}$/i.test(text)) return /\d/.test(text);
  if (!/[a-z]/.test(text) || !/[A-Z]/.test(text) || !/\d/.test(text)) return false;
  const kinds = [...text].map((letter) =>
    /[a-z]/.test(letter) ? 'a' : /[A-Z]/.test(letter) ? 'A' : /\d/.test(letter) ? '0' : '-',
  );
  const changes = kinds.filter((kind, index) => index > 0 && kind !== kinds[index - 1]).length;
  return changes / text.length > 0.45;
}

/** Removes the checksums of a lock file, and the commits and digests by which actions and images are pinned. */
const readable = ({ path, text }: SourceFile): string => {
  if (/(^|\/)package-lock\.json$/.test(path)) return text.replaceAll(/"integrity": "[^"]*"/g, '');
  if (path.includes('.github/') || path === 'action.yml' || path.endsWith('.md'))
    return text.replaceAll(/@[0-9a-f]{40}\b/g, '');
  return text.replaceAll(/@sha256:[0-9a-f]{64}\b/g, '');
};

const withoutFixtures = (file: SourceFile): string =>
  madeUp
    .filter(([path]) => path === file.path)
    .reduce((text, [, fixture]) => text.replaceAll(fixture, ''), readable(file));

test('nothing that is committed looks like a secret', () => {
  const found = tree.flatMap((file) => {
    const text = withoutFixtures(file);
    const shaped = shapes.filter(([, shape]) => shape.test(text)).map(([what]) => what);
    const random = [...text.matchAll(long)].some(([run]) => looksRandom(run));
    return [...shaped, ...(random ? ['a long random text'] : [])].map((what) => [file.path, what]);
  });
  expect(found, 'take it out, and end its validity if it is real').toEqual([]);
});

test('nothing that is committed names a place on one machine', () => {
  const found = tree.flatMap(({ path, text }) =>
    [...new Set(text.match(/(?<![\w.])\/(root|home|tmp|Users)\/\w[\w.-]*/g))].map((place) => [
      path,
      place,
    ]),
  );
  expect(found, 'take a path inside this project').toEqual([]);
});

test('versions are exact', () => {
  const manifest: Readonly<Record<string, unknown>> = JSON.parse(textOf('package.json'));
  const versions = ['dependencies', 'devDependencies', 'optionalDependencies'].flatMap((kind) =>
    Object.entries(manifest[kind] ?? {}),
  );
  for (const [name, version] of versions)
    expect(version, name).toMatch(/^\d+\.\d+\.\d+(-[\w.]+)?$/);
});

test('nothing is left to do in a comment', () => {
  const marks = programs.flatMap(({ path, text }) =>
    [...text.matchAll(/\b(?:TOD[O]|FIXM[E]|XX[X])\b/g)].map(([mark]) => `${path}: ${mark}`),
  );
  expect(marks, 'do it, or write an issue').toEqual([]);
});
