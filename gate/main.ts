import { type ChildProcess, spawn } from 'node:child_process';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Round } from '../contract/round.ts';
import { probes } from '../probes/index.ts';
import { loadSettings, type Settings, SettingsError } from '../settings.ts';
import { help, readArguments, WrongArguments } from './arguments.ts';
import { type Gauge, gaugeOf, judge } from './gauge.ts';
import { annotations, appendStepSummary, onGitHub } from './report/github.ts';
import { lookOf } from './report/look.ts';
import { progress } from './report/progress.ts';
import { type Report, reportOf } from './report/report.ts';
import { ReportError } from './report/report-error.ts';
import { table } from './report/table.ts';
import { writeReports } from './report/write.ts';
import { listing, NothingSelected, select } from './selection.ts';
import { hearingOf, serve, socketVariable } from './verdicts.ts';

const root = fileURLToPath(new URL('..', import.meta.url));

async function main(args: readonly string[]): Promise<number> {
  const { help: wantsHelp, list, strict, words } = readArguments(args);
  if (wantsHelp) return print(help);
  const selected = select(probes, words);
  if (list) return print(listing(selected));
  const settings = loadSettings();
  const gauge = await gaugeOf(settings);
  const { signal } = abortedBySignals();
  const demands = { ...settings, strict: strict || settings.strict };
  const judging = judgeAndReport(gauge, selected, demands, signal);
  const verdicts = await serve(judging.then(({ report }) => hearingOf(report)));
  const playwright = startPlaywright(verdicts.address, selected);
  try {
    const { report, exit } = await judging;
    if (report.clauses.length === 0 || report.unjudged !== undefined) return exit;
    const code = await ended(playwright);
    return exit === 0 && code !== 0 ? defect(`Playwright ended with ${code}`) : exit;
  } catch (error) {
    if (signal.aborted) return 130;
    throw error;
  } finally {
    playwright.kill();
    await verdicts.close();
  }
}

/** Runs the round, and tells it in every form. @returns the report, and the exit code of the gate */
async function judgeAndReport(
  gauge: Gauge,
  selected: typeof probes,
  settings: Settings,
  signal: AbortSignal,
): Promise<{ readonly report: Report; readonly exit: Round['exit'] }> {
  const { strict } = settings;
  const drawn = progress(process.stderr);
  const began = performance.now();
  const { onOutcome } = drawn;
  const round = await judge(gauge, selected, { strict, signal, onOutcome }).finally(drawn.end);
  const report = reportOf(round, {
    target: gauge.name,
    endpoints: gauge.target.endpoints,
    again: 'npm run gate --',
    tookSeconds: (performance.now() - began) / 1000,
    strict,
  });
  process.stdout.write(table(report, lookOf(process.stdout)));
  try {
    await writeReports('reports', report);
    if (onGitHub(process.env)) {
      process.stdout.write(annotations(report));
      await appendStepSummary(process.env.GITHUB_STEP_SUMMARY, report);
    }
  } catch (error) {
    if (!(error instanceof ReportError)) throw error;
    // Green without its evidence is not green; any other verdict stands without it.
    process.stderr.write(`${error.message}\n`);
    return { report, exit: round.exit === 0 ? 3 : round.exit };
  }
  return { report, exit: round.exit };
}

/** Playwright starts while the round runs; its tests wait for the verdicts, and become its HTML report. */
function startPlaywright(address: string, selected: typeof probes): ChildProcess {
  const cli = fileURLToPath(import.meta.resolve('@playwright/test/cli'));
  const clauses = new Set(selected.flatMap((probe) => probe.clauses));
  const grep = `\\b(${[...clauses].join('|')}) `;
  const args = ['--project=gate', '--workers=1', '--reporter=html', '--pass-with-no-tests'];
  return spawn(process.execPath, [cli, 'test', ...args, '--grep', grep], {
    cwd: root,
    stdio: 'ignore',
    env: {
      ...process.env,
      [socketVariable]: address,
      PLAYWRIGHT_HTML_OPEN: 'never',
      PLAYWRIGHT_HTML_OUTPUT_DIR: path.join(process.cwd(), 'reports', 'playwright-html'),
    },
  });
}

const ended = (child: ChildProcess): Promise<number> =>
  new Promise((resolve, reject) => {
    if (child.exitCode !== null) resolve(child.exitCode);
    child.once('error', reject).once('exit', (code) => resolve(code ?? 1));
  });

/** The first Ctrl-C ends the round and lets the provider's clock go; the second ends the process. */
function abortedBySignals(): AbortController {
  const controller = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM'] as const)
    process.on(name, () => {
      if (controller.signal.aborted) process.exit(130);
      controller.abort();
    });
  return controller;
}

function print(text: string): number {
  process.stdout.write(text);
  return 0;
}

function defect(what: string): number {
  process.stderr.write(`${what}: a defect of this suite\n`);
  return 3;
}

/** Mistakes of whoever calls are one line each; anything else is a defect, and shows where. */
function failed(error: unknown): number {
  const known = [WrongArguments, NothingSelected, SettingsError];
  const told = error instanceof Error ? error : new Error(String(error));
  const isKnown = known.some((kind) => told instanceof kind);
  process.stderr.write(`${isKnown ? told.message : told.stack}\n`);
  return isKnown ? 2 : 3;
}

process.exit(await main(process.argv.slice(2)).catch(failed));
