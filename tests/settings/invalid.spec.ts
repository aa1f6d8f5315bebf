import { readFileSync, writeFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { expect, test } from '@playwright/test';
import fc from 'fast-check';
import { parse } from 'yaml';
import { loadSettings, readSettings } from '../../config/settings.ts';
import { settings } from '../../config/table.ts';
import { errorLines } from '../mistakes.ts';

interface Mistakes {
  /** By setting and text: the mistake, without the setting's name, and without what is accepted after `is not`. */
  readonly values: Readonly<Record<string, Readonly<Record<string, string>>>>;
  readonly files: Readonly<
    Record<string, { readonly file: string; readonly errors: string | readonly string[] }>
  >;
}

const table: Mistakes = parse(readFileSync('tests/settings/invalid.yaml', 'utf8'));

const provider = {
  PUBLIC_API_BASE_URL: 'https://api.example.com',
  PUBLIC_API_KEY: "'<API_KEY>'",
  PUBLIC_API_SECRET_KEY: "'<SECRET_KEY>'",
  PUBLIC_API_ENDPOINTS: 'GET /public-api/v1/widgets',
};

/** A file in which … stands for a provider without those settings that the line names, or that follow. */
const expanded = (file: string): string =>
  file.replace(/^….*\n?/, (line) =>
    Object.entries(provider)
      .filter(([name]) => !line.trim().split(' ').includes(name) && !file.includes(`\n${name}=`))
      .map((assignment) => `${assignment.join('=')}\n`)
      .join(''),
  );

const fileWith = (name: string, text: string): string => {
  if (/^(PUBLIC_API_TARGET|MONITOR_SHARD)$/.test(name))
    return `PUBLIC_API_TARGETS=targets.example.yaml\n${name}=${text}\n`;
  const isOfProvider = name.startsWith('PUBLIC_API_') && name !== 'PUBLIC_API_TARGETS';
  return expanded(
    `${isOfProvider ? `… without ${name.replace(/_FILE$/, '')}\n` : ''}${name}=${text}\n`,
  );
};

const mistakes = [
  ...Object.entries(table.values).flatMap(([name, rows]) => {
    const wanted = settings.find((setting) => setting.name === name)?.words;
    const words = wanted?.replace('one a line or comma-separated: ', '');
    return Object.entries(rows).map(([text, found]) => ({
      title: `${name}=${text}`,
      file: fileWith(name, text),
      errors: [`${name} ${found.replace(/is not$/, `is not ${words}`)}`],
    }));
  }),
  ...["'it's<SECRET#KEY>", '<SECRET#KEY>'].map((text) => ({
    title: `a # without quotes in ${text}`,
    file: fileWith('PUBLIC_API_SECRET_KEY', text),
    errors: [
      'PUBLIC_API_SECRET_KEY holds "#" outside quotes: quote the value as .env.example shows (.env)',
    ],
  })),
  ...Object.entries(table.files).map(([name, { file, errors }]) => ({
    title: name.replaceAll('-', ' '),
    file: expanded(file),
    errors: [errors].flat(),
  })),
];

/** The lines that report the mistakes of an `.env` file. */
function linesFor(text: string): readonly string[] {
  const file = test.info().outputPath('.env');
  writeFileSync(file, text);
  return errorLines(() => loadSettings({ file, env: {} })).map((line) =>
    line.replace(file, '.env'),
  );
}

for (const { title, file, errors } of mistakes)
  test(`${title} is reported in its own line`, () => {
    expect(linesFor(file)).toEqual(errors);
  });

test('every setting of the provider and the monitor has a file with a mistake', () => {
  const lines = mistakes.flatMap(({ errors }) => errors).join();
  const missing = settings
    .map(({ name }) => name)
    .filter((name) => /^(PUBLIC_API|MONITOR)_/.test(name) && !lines.includes(name));
  expect(missing, 'write a mistake and its line into tests/settings/invalid.yaml').toEqual([]);
});

test('no line shows a credential, a password in an address, or text mistaken for a file', () => {
  const message = mistakes.flatMap(({ file }) => linesFor(file));
  expect(message.length).toBeGreaterThan(60);
  for (const hidden of ['<API_KEY>', '<SECRET_KEY>', 'SECRET#', 'p4ssw0rd', 'sk-live', 'hidden'])
    expect(message.filter((line) => line.includes(hidden))).toEqual([]);
});

test('all wrong settings are reported at once, one line each', () => {
  const lines = errorLines(() =>
    readSettings({
      PUBLIC_API_BASE_URL: 'nowhere',
      PUBLIC_API_TIMEOUT_MS: '0',
      PUBLIC_API_RATE: 'NaN',
      MONITOR_PORT: '-1',
      MONITOR_HOTS: 'localhost',
    }),
  );
  expect(lines.map((line) => line.split(' ')[0]).sort()).toEqual([
    ...['MONITOR_HOTS', 'MONITOR_PORT', 'PUBLIC_API_BASE_URL', 'PUBLIC_API_ENDPOINTS'],
    ...['PUBLIC_API_KEY', 'PUBLIC_API_RATE', 'PUBLIC_API_SECRET_KEY', 'PUBLIC_API_TIMEOUT_MS'],
  ]);
});

test('any wrong settings are reported in single lines without the credential', () => {
  const planted = 'tp-7361?"x"';
  const piece = fc.oneof(
    fc.constantFrom(planted, 'GET ', '/public-api/v1/', 'http://', '@', '#', '\n', ',', '0', '1'),
    fc.string({ unit: 'binary', maxLength: 3 }),
  );
  const text = fc.array(piece, { maxLength: 5 }).map((pieces) => pieces.join(''));
  const env = fc.dictionary(fc.constantFrom(...settings.map(({ name }) => name)), text);
  fc.assert(
    fc.property(env, (given) => {
      const { PUBLIC_API_SECRET_KEY_FILE: _, ...rest } = given;
      const lines = errorLines(() =>
        readSettings({ ...rest, PUBLIC_API_SECRET_KEY: planted, MONITOR_PORT: 'x' }),
      );
      expect(lines.filter((line) => line.includes('7361'))).toEqual([]);
    }),
    { numRuns: 300 },
  );
});

test('an .env file that cannot be read is reported', () => {
  expect(errorLines(() => loadSettings({ file: 'tests', env: {} }))).toEqual([
    'tests is not a regular file',
  ]);
});

test('an .env file in an encoding other than UTF-8 is reported, and not read as empty', async () => {
  const file = test.info().outputPath('.env');
  const text = Buffer.from("PUBLIC_API_KEY='a'\n", 'utf16le');
  for (const bytes of [
    Buffer.concat([Buffer.from([0xff, 0xfe]), text]),
    Buffer.from("PUBLIC_API_KEY='clé'\n", 'latin1'),
  ]) {
    await writeFile(file, bytes);
    expect(errorLines(() => loadSettings({ file, env: {} }))).toEqual([
      `${file} is not UTF-8: save it as UTF-8`,
    ]);
  }
});

for (const [what, text] of [
  ['an address with https', 'https://planted:p4ssw0rd@proxy.example'],
  ['a SOCKS proxy', 'socks5://planted:p4ssw0rd@proxy.example'],
  ['an address with a path', 'http://planted:p4ssw0rd@proxy.example/path'],
  ['an address with a query', 'http://planted:p4ssw0rd@proxy.example?x'],
  ['a password with a bare #', 'http://planted:p4ss#w0rd@proxy.example'],
  ['a port out of range', 'http://planted:p4ssw0rd@proxy.example:99999'],
] as const)
  test(`${what} is refused as a proxy, and is not shown`, () => {
    const lines = errorLines(() => readSettings({ HTTPS_PROXY: text }));
    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatch(/^HTTPS_PROXY is not the address of an HTTP proxy/);
    expect(lines.join()).not.toMatch(/p4ss|planted/);
  });
