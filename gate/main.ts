import { existsSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { WrongArguments } from '../config/command-line.ts';
import {
  knownBeside,
  loadEnvironment,
  loadSettings,
  reportsFolder,
  useOptions,
} from '../config/settings.ts';
import { print, runCommand } from '../contract/command.ts';
import { command } from '../contract/report/github.ts';
import { removeReports } from '../contract/report/write.ts';
import { scratch } from '../contract/round/scratch.ts';
import { listing, select } from '../contract/round/selection.ts';
import { UserError } from '../contract/user-error.ts';
import { type Arguments, help, readArguments } from './arguments.ts';
import { specsIn } from './own-specs.ts';
import { probesOfRun, share, targetOfRun } from './run.ts';

const playwrightHtml = 'playwright-html';
const reports = ['gate.json', 'gate.xml', 'gate.html', playwrightHtml];

async function main(args: readonly string[]): Promise<number> {
  const options = readArguments(args);
  if (options.help) return print(help);
  useOptions(options.sources);
  if (options.updatesKnown) createKnown();
  const { updatesKnown, words } = options;
  share({ ...options.extent, updatesKnown, hasWords: words.length > 0 });
  const selected = () => select(probesOfRun().probes, options.words);
  if (options.list) return print(listing(selected()));
  await removeReports(reportsFolder(), reports);
  share({ selected: selected().map(({ name }) => name) });
  // Without a temporary folder Playwright would try for ever.
  scratch('gate').remove();
  // Playwright would print a mistake with its kind.
  const settings = loadSettings();
  if (settings.targets !== undefined) targetOfRun(settings);
  if (options.specs !== undefined) {
    specsIn(options.specs);
    share({ specs: path.resolve(options.specs) });
  }
  if (options.strict) process.env.PUBLIC_API_STRICT = 'true';
  return runPlaywright(options);
}

/** The file of known deviations, which is written at the end, and may not exist yet. */
function createKnown(): void {
  const { PUBLIC_API_KNOWN, PUBLIC_API_TARGETS } = loadEnvironment();
  const file = PUBLIC_API_KNOWN || knownBeside(PUBLIC_API_TARGETS);
  try {
    if (!existsSync(file)) writeFileSync(file, 'known: []\n');
  } catch {
    throw new WrongArguments(`--known ${file} cannot be written`);
  }
}

/** Runs Playwright in this process, with our reporter, which also sets the exit code. */
async function runPlaywright({ reporter, playwright }: Arguments): Promise<never> {
  process.env.PLAYWRIGHT_HTML_OPEN ??= 'never';
  process.env.PLAYWRIGHT_HTML_OUTPUT_DIR ??= path.resolve(reportsFolder(), playwrightHtml);
  const own = (file: string): string => fileURLToPath(new URL(file, import.meta.url));
  // Playwright splits this list at its commas, and the path of a checkout may hold one.
  const reporters = [path.relative('.', own('reporter.ts')), reporter].join();
  // Playwright's interface would look for one reporter of this name. It shows the tests without any.
  const isInteractive = playwright.some((option) => option.startsWith('--ui'));
  const reporting = isInteractive ? [] : ['--reporter', reporters];
  const options = ['--config', own('../playwright.config.ts'), ...reporting];
  const output = path.join(reportsFolder(), 'playwright');
  process.argv.splice(2, Infinity, 'test', ...options, '--output', output, ...playwright);
  // If Playwright ends without our reporter, its 1 does not mean that a clause is violated.
  process.once('exit', (code) => {
    if (code === 1) process.exitCode = 3;
  });
  await import('@playwright/test/cli');
  return new Promise(() => {});
}

/** A refused run writes no reports, and those of an earlier run are not its verdict. */
await runCommand(main, async (error) => {
  if (error instanceof WrongArguments) await removeReports(reportsFolder(), reports);
  if (process.env.GITHUB_ACTIONS === 'true' && error instanceof UserError)
    print(command('error', 'The provider could not be judged', error.message));
});
