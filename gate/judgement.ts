import type { ExitCode } from '../contract/command.ts';
import type { Probe } from '../contract/probe.ts';
import { formsOf } from '../contract/report/forms.ts';
import { progress, stepOf } from '../contract/report/progress.ts';
import { type Report, reportOf } from '../contract/report/report.ts';
import { publish } from '../contract/report/write.ts';
import type { ProbeResult } from '../contract/round/attempt.ts';
import { judgeProvider } from '../contract/round/round.ts';
import { select } from '../contract/round/selection.ts';
import type { RoundOptions } from '../contract/round/target.ts';
import { probes } from '../probes/index.ts';
import { providerUnderTest } from '../provider/under-test.ts';
import { environmentOf, loadSettings, type Settings } from '../settings.ts';
import type { Arguments } from './arguments.ts';
import { folder } from './earlier-reports.ts';
import { type RoundVerdicts, roundVerdictsOf } from './round-verdicts.ts';

/**
 * Judges the configured provider by the probes that the command line selects, with its progress on the terminal.
 * @param onReport called when the verdicts are known, before the reports are written
 * @throws UserError, SettingsError
 */
export async function judgement(
  options: Arguments,
  signal: AbortSignal,
  onReport: (report: Report) => void,
): Promise<{ readonly report: Report; readonly exit: ExitCode }> {
  const selected = select(probes, options.words);
  const settings = loadSettings();
  const strict = options.strict || settings.strict;
  const drawn = progress(process.stderr, 'runs');
  const onOutcome = (result: ProbeResult, total: number): void =>
    drawn.step({ ...stepOf(result), total });
  const report = await judged(settings, selected, { strict, signal, onOutcome }).finally(drawn.end);
  onReport(report);
  const forms = formsOf(report);
  return { report, exit: await publish(forms, { exit: report.exit, folder, env: process.env }) };
}

/** Judges the provider in this process, for a Playwright that the gate did not start. */
export async function judgeAlone(): Promise<RoundVerdicts> {
  const settings = loadSettings();
  const { strict } = settings;
  const report = await judged(settings, probes, { strict });
  // Without the gate nothing writes this report.
  return { ...roundVerdictsOf(report, 'in gate.json, which npm run gate writes'), strict };
}

async function judged(
  settings: Settings,
  selected: readonly Probe[],
  options: RoundOptions,
): Promise<Report> {
  const provider = await providerUnderTest(settings);
  try {
    const began = performance.now();
    const { target } = provider;
    const round = await judgeProvider(target, selected, options);
    return reportOf(round, {
      target: provider.name,
      endpoints: target.endpoints,
      again: `${environmentOf('gate')}npm run gate --`,
      tookSeconds: (performance.now() - began) / 1000,
      strict: options.strict,
    });
  } finally {
    await provider.close();
  }
}
