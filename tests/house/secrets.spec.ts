import { expect, test } from '@playwright/test';
import { programs, type Rule, type SourceFile, tree } from './tree.ts';

/** Joins the parts of an example secret, so that the rules do not find it in this file. */
function joined(...parts: readonly string[]): string {
  return parts.join('');
}

/** Texts that only look like a secret, and the files that contain them. */
const madeUp: readonly (readonly [file: string, text: string])[] = [
  ['tests/report/write.spec.ts', joined('eyJ', 'hbGciOiJub25lIn0.Vi0la-Harbour-9')],
  ['tests/settings/valid.spec.ts', joined('-----BEGIN ', 'PRIVATE KEY-----\\nAAAA\\n')],
];

/** Files that may skip tests; `npm test` lists each skipped test and its reason at the end. */
const leavesOut: readonly string[] = [
  'tests/contract/clause.ts',
  'tests/nightly.ts',
  'tests/programs.ts',
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

/** Removes the checksums of a lock file, and the commits by which actions are pinned. */
const readable = ({ path, text }: SourceFile): string => {
  if (/(^|\/)package-lock\.json$/.test(path)) return text.replaceAll(/"integrity": "[^"]*"/g, '');
  if (path.includes('.github/') || path === 'action.yml' || path.endsWith('.md'))
    return text.replaceAll(/@[0-9a-f]{40}\b/g, '');
  return text;
};

const withoutFixtures = (file: SourceFile): string =>
  madeUp
    .filter(([path]) => path === file.path)
    .reduce((text, [, fixture]) => text.replaceAll(fixture, ''), readable(file));

const noSecrets: Rule = (files) =>
  files.flatMap((file) => {
    const text = withoutFixtures(file);
    const shaped = shapes.filter(([, shape]) => shape.test(text)).map(([what]) => what);
    const random = [...text.matchAll(long)].some(([run]) => looksRandom(run));
    return [...shaped, ...(random ? ['a long random text'] : [])].map(
      (what) => `${file.path} holds ${what}: take it out, and end its validity if it is real`,
    );
  });

const noMachinePaths: Rule = (files) =>
  files.flatMap(({ path, text }) =>
    [...new Set(text.match(/(?<![\w.])\/(root|home|tmp|Users)\/\w[\w.-]*/g))].map(
      (place) =>
        `${path} names ${place}, which is on one machine only: take a path inside this project`,
    ),
  );

const lockNamesNoRegistry: Rule = (files) =>
  files
    .filter(({ path }) => /(^|\/)(package-lock\.json|\.npmrc)$/.test(path))
    .filter(({ text }) => /"resolved"|^\s*[^#\s]*registry\s*=/m.test(text))
    .map(({ path }) => `${path} names a registry: write it under omit-lockfile-registry-resolved`);

/** An alias names its package before the version. */
const versionsAreExact: Rule = (files) =>
  files
    .filter(({ path }) => path === 'package.json')
    .flatMap(({ path, text }) => {
      const manifest: Record<string, unknown> = JSON.parse(text);
      return ['dependencies', 'devDependencies', 'optionalDependencies']
        .flatMap((kind) => Object.entries(manifest[kind] ?? {}))
        .filter(([, version]) => !/^(npm:[@\w/.-]+@)?\d+\.\d+\.\d+(-[\w.]+)?$/.test(version))
        .map(([name, version]) => `${path}: ${name} ${version} is no exact version: pin it`);
    });

const nothingIsLeftOut: Rule = (files) =>
  programs(files).flatMap(({ path, text }) => [
    ...[...text.matchAll(/\b(?:test|describe|it)\.(?:\w+\.)*(only|skip|fixme|fail)\(/g)]
      .filter(([, how]) => how !== 'skip' || !leavesOut.includes(path))
      .map(([call]) => `${path} has ${call}…): mend what it tests, or take it away`),
    ...[...text.matchAll(/\b(?:TOD[O]|FIXM[E]|XX[X])\b/g)].map(
      ([mark]) => `${path} has ${mark}: do it, or write an issue`,
    ),
  ]);

for (const [what, rule] of [
  ['nothing that is committed looks like a secret', noSecrets],
  ['nothing that is committed names a place on one machine', noMachinePaths],
  ['the lock file names no registry', lockNamesNoRegistry],
  ['versions are exact', versionsAreExact],
  ['no test is left out, and nothing is left to do in a comment', nothingIsLeftOut],
] as const)
  test(what, () => {
    expect(rule(tree)).toEqual([]);
  });

/** The complaints of a rule about one made-up file. */
const of = (rule: Rule, text: string, path = 'contract/x.ts'): string[] => rule([{ path, text }]);

for (const [what, text] of [
  ['a JWT', joined('eyJ', 'hbGciOiJIUzI1NiJ9', '.eyJzdWIiOiIxIn0.', 'c2lnbmF0dXJl')],
  ['a key of a payment provider', joined('sk', '_live_', '4eC39HqLyjW')],
  ['a key of a cloud', joined('AK', 'IAIOSFODNN7EXAMPLE')],
  ['a token of a forge', joined('gh', 'p_', 'a'.repeat(36))],
  ['a token of a chat or a registry', joined('xox', 'b-1234567890')],
  ['a private key', joined('-----BEGIN RSA ', 'PRIVATE KEY-----\nMIIE')],
  ['a long random text', joined('9f86d081884c7d659a2f', 'eaa0c55ad015a3bf4f1b')],
  ['a long random text', joined('kD3vR8xQ2mZ7pW1sT6y', 'B4nL9cF0hJ5gVaXuEiO=')],
] as const)
  test(`${what} is found: ${text.slice(0, 6)}…`, () => {
    const remedy = 'take it out, and end its validity if it is real';
    expect(of(noSecrets, `const x = '${text}';`)).toEqual([
      `contract/x.ts holds ${what}: ${remedy}`,
    ]);
  });

test('words, paths, identifiers, checksums and pinned actions are not secrets', () => {
  const sum = joined('9f86d081884c7d659a2f', 'eaa0c55ad015a3bf4f1b');
  for (const [text, path] of [
    ['a-newer-token-changes-nothing-for-the-older'],
    ['aUseInTheLastMillisecondMovesNothing'],
    ['/gateway/public-api/v1/auth/token/of/2028'],
    [`uses: actions/checkout@${sum} # v7.0.1`, '.github/workflows/ci.yml'],
    [`uses: actions/setup-node@${sum} # v7.0.0`, 'action.yml'],
    [`"integrity": "sha512-${sum}${sum}=="`, 'package-lock.json'],
    ['<API_KEY> <SECRET_KEY> -----BEGIN CERTIFICATE-----'],
  ] as const)
    expect(of(noSecrets, text, path)).toEqual([]);
  expect(of(noSecrets, `"token": "${sum}"`, 'package-lock.json')).toHaveLength(1);
});

test('a path of one machine is found, and the path of an address is not', () => {
  for (const folder of ['root', 'home', 'tmp', 'Users'])
    expect(of(noMachinePaths, `cd /${folder}/anna`)).toHaveLength(1);
  expect(of(noMachinePaths, 'https://example.com/home/page and ./tmp/x and /tmp')).toEqual([]);
});

test('a registry is found in the lock file and in the settings of npm', () => {
  const lock = '"resolved": "https://registry.example.com/ajv.tgz"';
  expect(of(lockNamesNoRegistry, lock, 'package-lock.json')).toHaveLength(1);
  expect(of(lockNamesNoRegistry, 'registry=https://npm.example.com', '.npmrc')).toHaveLength(1);
  expect(of(lockNamesNoRegistry, 'omit-lockfile-registry-resolved=true', '.npmrc')).toEqual([]);
});

test('a version range is found', () => {
  const manifest = (version: string) =>
    of(versionsAreExact, JSON.stringify({ devDependencies: { x: version } }), 'package.json');
  for (const exact of ['1.2.3', '1.2.3-rc.1', 'npm:@scope/x@1.2.3'])
    expect(manifest(exact)).toEqual([]);
  for (const moving of ['^1.2.3', '~1.2.3', '*', 'latest', '1.2', 'npm:x@^1.2.3', '>=1'])
    expect(manifest(moving)).toHaveLength(1);
});

test('a skipped test is found, and so is a to-do note', () => {
  for (const text of [
    joined('test.', "only('x', …)"),
    joined('test.', "skip('x', …)"),
    joined('test.describe.', "only('x', …)"),
    joined('test.', "fixme('x', …)"),
    joined('// TO', 'DO'),
    joined('// FIX', 'ME: later'),
  ])
    expect(of(nothingIsLeftOut, text)).toHaveLength(1);
  expect(of(nothingIsLeftOut, joined('test.', 'skip(true, reason)'), 'tests/programs.ts')).toEqual(
    [],
  );
  expect(of(nothingIsLeftOut, joined('test.', "only('x')"), 'tests/programs.ts')).toHaveLength(1);
});
