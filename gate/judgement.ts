import { annotations, appendStepSummary } from '../contract/report/github.ts';
import { lookOf } from '../contract/report/look.ts';
import { progress } from '../contract/report/progress.ts';
import { type Report, reportOf } from '../contract/report/report.ts';
import { allWritten } from '../contract/report/report-error.ts';
import { table } from '../contract/report/table.ts';
import { onGitHub } from '../contract/report/workflow.ts';
import { writeReports } from '../contract/report/write.ts';
import type { Round } from '../contract/round/round.ts';
import { select } from '../contract/round/selection.ts';
import { probes } from '../probes/index.ts';
import { environmentOf, loadSettings } from '../settings.ts';
import type { Arguments } from './arguments.ts';
import { folder } from './earlier.ts';
import { judge, type ProviderUnderTest, providerUnderTest } from './provider-under-test.ts';

/** What the gate came to. */
export interface Judgement {
  readonly report: Report;
  readonly exit: Round['exit'];
}

/**
 * Judges the provider that the settings name, by what the command line selects.
 * @param onReport called as soon as the verdicts are known, before the reports are written
 * @throws SettingsError, NothingSelected
 */
export async function judgement(
  asked: Arguments,
  signal: AbortSignal,
  onReport: (report: Report) => void,
): Promise<Judgement> {
  const selected = select(probes, asked.words);
  const settings = loadSettings();
  const provider = await providerUnderTest(settings);
  const report = await judged(provider, selected, asked.strict || settings.strict, signal);
  onReport(report);
  process.stdout.write(table(report, lookOf(process.stdout)));
  if (onGitHub(process.env)) process.stdout.write(annotations(report));
  const summary = onGitHub(process.env) ? process.env.GITHUB_STEP_SUMMARY : undefined;
  const written = await allWritten([
    () => writeReports(folder, report),
    () => appendStepSummary(summary, report),
  ]);
  // Green without its evidence is not green; any other verdict stands without it.
  return { report, exit: written || report.exit !== 0 ? report.exit : 3 };
}

/** Runs the round, with its progress on the terminal. */
async function judged(
  provider: ProviderUnderTest,
  selected: typeof probes,
  strict: boolean,
  signal: AbortSignal,
): Promise<Report> {
  const drawn = progress(process.stderr);
  const began = performance.now();
  const { onOutcome } = drawn;
  const round = await judge(provider, selected, { strict, signal, onOutcome }).finally(drawn.end);
  return reportOf(round, {
    target: provider.name,
    endpoints: provider.target.endpoints,
    again: `${environmentOf('gate')}npm run gate --`,
    tookSeconds: (performance.now() - began) / 1000,
    strict,
  });
}
