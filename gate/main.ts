import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  ArgumentError,
  readCommandLine,
  sourceOptions,
  usageError,
} from '../config/command-line.ts';
import { knownFile, loadSettings, reportsFolder, useOptions } from '../config/settings.ts';
import { print, runCommand, scratch, UserError } from '../contract/command.ts';
import { annotate } from '../contract/report/github.ts';
import { removeReports } from '../contract/report/write.ts';
import { listing, select } from '../contract/round/selection.ts';
import { specsIn } from './own-specs.ts';
import { probesOfRun, shareWithWorkers, targetOfRun } from './run.ts';
import { needsSandbox } from './under-test.ts';

const program = 'npm run gate';

const help = `The gate: every clause of the contract against one provider, the sandbox unless one is set.

  npm run gate                          all clauses
  npm run gate -- EXPIRY BEARER-3       an area, a clause, or a probe's name
  npm run gate -- --quick               the most telling of it: 60 requests at most, and 8 for each further endpoint
  npm run gate -- --deep                everything on every endpoint, not on the first one alone
  npm run gate -- --exclude ERROR-4     without a clause or a probe: it is neither judged nor reported
  npm run gate -- --max-time 5m         the most valuable first; what is left is unverified
  npm run gate -- --list                what would run, without sending a request
  npm run gate -- --strict              an unverified clause fails the gate (exit 2)
  npm run gate -- --target NAME         one of the targets in targets.yaml, or in --targets FILE
  npm run gate -- --update-known        writes what is violated now into known.yaml, or into --known FILE
  npm run gate -- --env FILE            settings from this file instead of .env
  npm run gate -- --reports FOLDER      where the reports are written instead of reports/
  npm run gate -- --specs FOLDER        also your own Playwright specs, which import test from public-api-contract
  npm run gate -- -g cookie --ui        options of Playwright (npx playwright test --help)

Settings are read from the environment and from .env; the minimum for your own provider:
  PUBLIC_API_BASE_URL    its address
  PUBLIC_API_KEY         and PUBLIC_API_SECRET_KEY, the credentials, or …_FILE
  PUBLIC_API_ENDPOINTS   protected endpoints: GET /public-api/v1/widgets, POST /public-api/v1/reports
  PUBLIC_API_CLOCK_URL   its test clock, or PUBLIC_API_CLOCK_FILE for libfaketime; without one EXPIRY is unverified
Or all of it is in targets.yaml: several targets, endpoints with bodies, headers and schemas, known deviations.

Reports are written to reports/: gate.json, gate.xml (JUnit), gate.html, and Playwright's own.
Exit codes: 0 no clause is violated · 1 a clause is violated · 2 the provider could not be judged ·
            3 a defect of this suite · 130 interrupted
`;

/** Options of one type without a default, for `parseArgs`. */
const ofType = <Type extends 'boolean' | 'string', Name extends string>(
  type: Type,
  ...names: readonly Name[]
) => Object.fromEntries(names.map((name) => [name, { type }])) as Record<Name, { type: Type }>;

/** Options of Playwright that are passed on, without those that repeat or shard runs: these would judge differently. */
const passedOptions = {
  ...ofType('boolean', 'debug', 'forbid-only', 'headed', 'last-failed', 'quiet', 'ui'),
  ...ofType('string', 'global-timeout', 'max-failures', 'test-list', 'timeout', 'trace'),
  ...ofType('string', 'ui-host', 'ui-port'),
  grep: { type: 'string', short: 'g' },
  'grep-invert': { type: 'string', short: 'G' },
  x: { type: 'boolean', short: 'x' },
} as const;

/** Our options without a value. Without `--` before them, npm takes them for its own. */
const switches = ['list', 'strict', 'quick', 'deep', 'update-known'] as const;

/** Reads the command line. @throws ArgumentError */
function readArguments(args: readonly string[]) {
  const { values, positionals, tokens } = readCommandLine(program, {
    args: [...args],
    allowPositionals: true,
    tokens: true,
    options: {
      exclude: { type: 'string', multiple: true, default: [] },
      reporter: { type: 'string', default: 'html' },
      ...ofType('boolean', ...switches),
      ...ofType('string', 'max-time', 'specs'),
      ...sourceOptions,
      ...passedOptions,
    },
  });
  const taken = switches.find((name) => process.env[`npm_config_${name.replace('-', '_')}`]);
  if (taken) throw new ArgumentError(`npm kept --${taken} for itself: ${program} -- --${taken}`);
  if (values.quick && values.deep)
    throw usageError(program, '--quick and --deep exclude each other');
  const passedOn = tokens.flatMap((token) =>
    token.kind === 'option' && token.name in passedOptions
      ? [token.rawName, ...(token.value === undefined ? [] : [token.value])]
      : [],
  );
  const exclude = values.exclude.flatMap((words) => words.split(','));
  return { ...values, exclude, words: positionals, passedOn };
}

const reports = ['gate.json', 'gate.xml', 'gate.html', 'playwright-html'];

async function main(args: readonly string[]): Promise<number> {
  const { words, exclude, specs, passedOn, ...options } = readArguments(args);
  useOptions(options);
  const updatesKnown = options['update-known'];
  // It is written at the end, and may not exist yet. If it cannot be created, it cannot be read either.
  if (updatesKnown) await writeFile(knownFile(), 'known: []\n', { flag: 'wx' }).catch(() => {});
  const level = (['quick', 'deep'] as const).find((name) => options[name]) ?? 'default';
  const maxTimeMs = parseMaxTime(options['max-time']);
  shareWithWorkers({ level, exclude, maxTimeMs, updatesKnown });
  const selected = () => select(probesOfRun().probes, words);
  if (options.list) return print(listing(selected()));
  await removeReports(reportsFolder(), reports);
  const names = selected().map(({ name }) => name);
  if (words.length > 0) shareWithWorkers({ selected: names });
  // Playwright retries without end if it cannot write a temporary folder, so this fails first.
  scratch('gate').remove();
  // A mistake in the settings is reported here: Playwright would print the class of its error too.
  const settings = loadSettings();
  if (!needsSandbox(settings)) targetOfRun(settings);
  if (specs !== undefined) {
    specsIn(specs);
    shareWithWorkers({ specs: path.resolve(specs) });
  }
  if (options.strict) process.env.PUBLIC_API_STRICT = 'true';
  return runPlaywright(options.reporter, passedOn);
}

const unitsMs = { s: 1000, m: 60_000, h: 3_600_000 };

/** Milliseconds of `90s`, `5m` or `1h`. @throws ArgumentError */
function parseMaxTime(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const unit = unitsMs[text.at(-1) as keyof typeof unitsMs];
  if (/^[1-9]\d*[smh]$/.test(text)) return Number.parseInt(text, 10) * unit;
  throw usageError(program, `--max-time ${text} is not a time such as 90s, 5m or 1h`);
}

/** Runs Playwright in this process, with our reporter, which also sets the exit code. */
async function runPlaywright(reporter: string, passedOn: readonly string[]): Promise<never> {
  process.env.PLAYWRIGHT_HTML_OPEN ??= 'never';
  process.env.PLAYWRIGHT_HTML_OUTPUT_DIR ??= path.resolve(reportsFolder(), 'playwright-html');
  const projectFile = (file: string): string => fileURLToPath(new URL(file, import.meta.url));
  // Playwright splits this list at its commas, and the path of a checkout may hold one.
  const reporters = [path.relative('.', projectFile('reporter.ts')), reporter].join();
  // Playwright's interface would look for one reporter of this name. It shows the tests without any.
  const isInteractive = passedOn.some((option) => option.startsWith('--ui'));
  const reporting = isInteractive ? [] : ['--reporter', reporters];
  const options = ['--config', projectFile('../playwright.config.ts'), ...reporting];
  const output = path.join(reportsFolder(), 'playwright');
  process.argv.splice(2, Infinity, 'test', ...options, '--output', output, ...passedOn);
  // If Playwright ends without our reporter, its 1 does not mean that a clause is violated.
  process.once('exit', (code) => {
    if (code === 1) process.exitCode = 3;
  });
  await import('@playwright/test/cli');
  return new Promise(() => {});
}

/** A refused run writes no reports, and those of an earlier run are not its verdict. */
await runCommand(main, help, async (error) => {
  if (error instanceof ArgumentError) await removeReports(reportsFolder(), reports);
  if (process.env.GITHUB_ACTIONS === 'true' && error instanceof UserError)
    print(annotate('error', 'The provider could not be judged', error.message));
});
