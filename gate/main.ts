import path from 'node:path';
import type { Round } from '../contract/round.ts';
import { probes } from '../probes/index.ts';
import { loadSettings, type Settings, SettingsError } from '../settings.ts';
import { help, readArguments, WrongArguments } from './arguments.ts';
import { type Gauge, gaugeOf, judge } from './gauge.ts';
import type { Hearing } from './hearing.ts';
import { endedEarly, Interruption, interruptedCode } from './interruption.ts';
import { removeReport, startPlaywright } from './playwright.ts';
import { annotations, appendStepSummary, onGitHub } from './report/github.ts';
import { lookOf } from './report/look.ts';
import { progress } from './report/progress.ts';
import { nothingJudged, type Report, reportOf } from './report/report.ts';
import { ReportError } from './report/report-error.ts';
import { table } from './report/table.ts';
import { writeReports } from './report/write.ts';
import { listing, NothingSelected, select } from './selection.ts';
import { hearingOf, serve } from './verdicts.ts';

/** Below the folder in which the gate is called. */
const folder = 'reports';
const playwrightReport = path.join(folder, 'playwright-html');

async function main(args: readonly string[]): Promise<number> {
  const { help: wantsHelp, list, strict, words } = readArguments(args);
  if (wantsHelp) return print(help);
  const selected = select(probes, words);
  if (list) return print(listing(selected));
  const settings = loadSettings();
  const signal = endedEarly();
  const gauge = await gaugeOf(settings);
  const demands = { ...settings, strict: strict || settings.strict };
  const hearing = Promise.withResolvers<Hearing>();
  const verdicts = await serve(hearing.promise);
  const playwright = startPlaywright(verdicts.address, playwrightReport, verdicts.scratch);
  signal.addEventListener('abort', playwright.kill);
  try {
    const { report, exit } = await judgeAndReport(gauge, selected, demands, signal);
    hearing.resolve(hearingOf(report));
    const judged = report.clauses.length > 0 && !nothingJudged(report);
    if (!judged) playwright.kill();
    const code = await playwright.ended;
    signal.throwIfAborted();
    if (!judged) await removeReport(playwrightReport);
    else if (exit === 0 && code !== 0) return defect(`Playwright failed: ${playwright.said()}`);
    return exit;
  } catch (error) {
    if (!(signal.reason instanceof Interruption)) throw error;
    return interrupted(error);
  } finally {
    playwright.kill();
    await playwright.ended;
    verdicts.close();
  }
}

/** Runs the round, and tells it in every form. @returns the report, and the exit code of the gate */
async function judgeAndReport(
  gauge: Gauge,
  selected: typeof probes,
  { strict }: Settings,
  signal: AbortSignal,
): Promise<{ readonly report: Report; readonly exit: Round['exit'] }> {
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
  print(table(report, lookOf(process.stdout)));
  if (onGitHub(process.env)) print(annotations(report));
  const written = await allWritten(report);
  // Green without its evidence is not green; any other verdict stands without it.
  return { report, exit: written || round.exit !== 0 ? round.exit : 3 };
}

/** Writes every report. What cannot be written is told, a line each. @returns whether all were */
async function allWritten(report: Report): Promise<boolean> {
  const summary = onGitHub(process.env) ? process.env.GITHUB_STEP_SUMMARY : undefined;
  let written = true;
  for (const write of [
    () => writeReports(folder, report),
    () => appendStepSummary(summary, report),
  ])
    try {
      await write();
    } catch (error) {
      if (!(error instanceof ReportError)) throw error;
      process.stderr.write(`${error.message}\n`);
      written = false;
    }
  return written;
}

function print(text: string): 0 {
  process.stdout.write(text);
  return 0;
}

function defect(what: string): number {
  process.stderr.write(`${what}\nThis is a defect of the suite, not of the provider\n`);
  return 3;
}

/** @param error what ended the round: the interruption, or that the provider's clock could not be let go */
function interrupted(error: unknown): number {
  const more =
    error instanceof Interruption ? '' : `, but ${error instanceof Error && error.message}`;
  process.stderr.write(`interrupted${more}\n`);
  return interruptedCode;
}

/** Mistakes of whoever calls are one line each; anything else is a defect, and shows where. */
function failed(error: unknown): number {
  const known = [WrongArguments, NothingSelected, SettingsError];
  const told = error instanceof Error ? error : new Error(String(error));
  if (!known.some((kind) => told instanceof kind)) return defect(told.stack ?? told.message);
  process.stderr.write(`${told.message}\n`);
  return 2;
}

// Nobody reads on, as when the output goes to `head`: the round, its reports and its exit code are wanted all the same.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});

process.exit(await main(process.argv.slice(2)).catch(failed));
