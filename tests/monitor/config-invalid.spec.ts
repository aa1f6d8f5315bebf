import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from '@playwright/test';
import fc from 'fast-check';
import { parse } from 'yaml';
import { readTargetsFile } from '../../config/targets.ts';
import { probes } from '../../probes/index.ts';
import { errorLines } from '../mistakes.ts';

type Errors = string | readonly string[];

interface Mistakes {
  /** Each row is a line that is written at the … of the file. */
  readonly lines: readonly {
    readonly file: string;
    readonly mistakes: Readonly<Record<string, Errors>>;
  }[];
  readonly files: Readonly<Record<string, { readonly file: string; readonly errors: Errors }>>;
}

const table: Mistakes = parse(readFileSync('tests/monitor/config-invalid.yaml', 'utf8'));

const mistakes = [
  ...table.lines.flatMap(({ file, mistakes: rows }) =>
    Object.entries(rows).map(([line, errors]) => ({
      title: line,
      file: file.replace('…', () => line),
      errors,
    })),
  ),
  ...Object.entries(table.files).map(([title, mistake]) => ({ title, ...mistake })),
];

const env = { API_KEY: '<API_KEY>', SECRET_KEY: '<SECRET_KEY>', EMPTY: '', WORDS: 'two words' };

const whole = `targets:
  - name: production
    url: https://api.example.test
    credentials: { apiKeyEnv: API_KEY, secretKeyEnv: SECRET_KEY }
`;

/** The errors about a targets file, without its path. */
function linesAbout(shortened: string): readonly string[] {
  const text = shortened
    .replace(/^\(target\)\n?/m, whole)
    .replace(
      /^\(target with an endpoint\)\n?/m,
      `${whole}    endpoints: [GET /public-api/v1/widgets]\n`,
    );
  const folder = path.relative('', test.info().outputPath());
  const file = path.join(folder, 'monitor.yaml');
  mkdirSync(folder, { recursive: true });
  writeFileSync(file, text.replaceAll('FILES', path.relative(folder, 'tests/settings/files')));
  return errorLines(() => readTargetsFile(file, { env, probes })).map((line) =>
    line.replace(new RegExp(`^${file}:?`), '').replace(/\(allowed: (\w+, )+\w+\)/, '(allowed: …)'),
  );
}

for (const { title, file, errors } of mistakes)
  test(`${title} is reported by line and column`, () => {
    expect(linesAbout(file)).toEqual([errors].flat());
  });

test('no error shows a credential, wherever it was written', () => {
  const message = mistakes.flatMap(({ file }) => linesAbout(file));
  expect(message.length).toBeGreaterThan(60);
  for (const hidden of ['<API_KEY>', '<SECRET_KEY>', '7361', 'p4ssw0rd', 'hidden'])
    expect(message.filter((line) => line.includes(hidden))).toEqual([]);
});

test('all mistakes are reported at once', () => {
  const lines = linesIn(
    'defaults: { perod: 60s, timeout: 1d }',
    'targets:',
    '  - name: a',
    '    url: nowhere',
    '    credentials: { apiKeyEnv: API_KEY, secretKeyEnv: NOT_SET }',
    '    rate: 0',
  );
  expect(lines.map((line) => line.replace(/^.*\.yaml:/, '').split(' ', 2)).sort()).toEqual([
    ['1:13:', 'defaults.perod'],
    ['1:25:', 'defaults.timeout'],
    ['4:5:', 'targets[0].url'],
    ['5:40:', 'targets[0].credentials.secretKeyEnv'],
    ['6:5:', 'targets[0].rate'],
  ]);
});

test('a mistake in the defaults is reported once, however many targets have it', () => {
  const named = (name: string) =>
    `  - { name: ${name}, url: 'https://a.test', credentials: { apiKeyEnv: API_KEY, secretKeyEnv: SECRET_KEY } }`;
  const lines = linesIn(
    'defaults: { endpoints: [POST /public-api/v1/widgets] }',
    'targets:',
    named('a'),
    named('b'),
  );
  expect(lines).toHaveLength(1);
});

/** The content of a file, or how it is made, and the error. */
const files: [what: string, content: string | Buffer | ((file: string) => void), error: RegExp][] =
  [
    ['is not there', () => {}, /^\S+ cannot be read \(ENOENT\)$/],
    [
      'is not UTF-8',
      Buffer.from('targets: \xff\xfe', 'latin1'),
      /^\S+ is not UTF-8: save it as UTF-8$/,
    ],
    ['has no byte', '', /:1:1: the file is not a map that holds targets/],
    ['is nested deeply', '['.repeat(100_000), /:1:\d+: is not YAML: resource exhaustion$/],
    [
      'is made deep by aliases',
      `a0: &a0 [1]\n${Array.from({ length: 200 }, (_, at) => `a${at + 1}: &a${at + 1} [*a${at}]\n`).join('')}`,
      /yaml has a wrong alias .*, or too many/,
    ],
  ];

for (const [what, content, error] of files)
  test(`a file that ${what} is reported in one line`, () => {
    const file = test.info().outputPath('monitor.yaml');
    if (typeof content === 'function') content(file);
    else writeFileSync(file, content);
    expect(errorLines(() => readTargetsFile(file, { env, probes }))).toEqual([
      expect.stringMatching(error),
    ]);
  });

test('any file is accepted, or reported in single lines without the credential', () => {
  const piece = fc.oneof(
    fc.constantFrom('targets', ': ', '\n  ', '- ', '{', '}', '[', ']', '"', "'", '&a ', '*a', '<<'),
    fc.constantFrom('apiKey: ', 'credentials: ', 'name: ', 'url: ', 'planted-7361', '!', '|', '#'),
    fc.string({ unit: 'binary', maxLength: 3 }),
  );
  const file = test.info().outputPath('monitor.yaml');
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 25 }), (pieces) => {
      writeFileSync(file, pieces.join(''));
      expect(
        errorLines(() => readTargetsFile(file, { env, probes })).filter((line) =>
          line.includes('7361'),
        ),
      ).toEqual([]);
    }),
    { numRuns: 500 },
  );
});

function linesIn(...text: readonly string[]): readonly string[] {
  const file = test.info().outputPath('monitor.yaml');
  writeFileSync(file, text.join('\n'));
  return errorLines(() => readTargetsFile(file, { env, probes }));
}
