import type { ExitCode } from '../contract/command.ts';
import { formsOf } from '../contract/report/forms.ts';
import { progress, stepOf } from '../contract/report/progress.ts';
import { type Report, reportOf } from '../contract/report/report.ts';
import { publish } from '../contract/report/write.ts';
import type { ProbeResult } from '../contract/round/attempt.ts';
import { select } from '../contract/round/selection.ts';
import { probes } from '../probes/index.ts';
import { environmentOf, loadSettings } from '../settings.ts';
import type { Arguments } from './arguments.ts';
import { folder } from './earlier-reports.ts';
import { judge, type ProviderUnderTest, providerUnderTest } from './provider-under-test.ts';

/** The result of the gate. */
export interface Judgement {
  readonly report: Report;
  readonly exit: ExitCode;
}

/**
 * Judges the configured provider by the probes that the command line selects.
 * @param onReport called when the verdicts are known, before the reports are written
 * @throws SettingsError, NothingSelected
 */
export async function judgement(
  options: Arguments,
  signal: AbortSignal,
  onReport: (report: Report) => void,
): Promise<Judgement> {
  const selected = select(probes, options.words);
  const settings = loadSettings();
  const provider = await providerUnderTest(settings);
  const report = await judged(provider, selected, options.strict || settings.strict, signal);
  onReport(report);
  const forms = formsOf(report);
  return { report, exit: await publish(forms, { exit: report.exit, folder, env: process.env }) };
}

/** Runs the round, with its progress on the terminal. */
async function judged(
  provider: ProviderUnderTest,
  selected: typeof probes,
  strict: boolean,
  signal: AbortSignal,
): Promise<Report> {
  const drawn = progress(process.stderr, 'runs');
  const began = performance.now();
  const onOutcome = (result: ProbeResult, total: number): void =>
    drawn.step({ ...stepOf(result), total });
  const round = await judge(provider, selected, { strict, signal, onOutcome }).finally(drawn.end);
  return reportOf(round, {
    target: provider.name,
    endpoints: provider.target.endpoints,
    again: `${environmentOf('gate')}npm run gate --`,
    tookSeconds: (performance.now() - began) / 1000,
    strict,
  });
}
