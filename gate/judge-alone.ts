import { reportOf } from '../contract/report/report.ts';
import { probes } from '../probes/index.ts';
import { environmentOf, loadSettings } from '../settings.ts';
import { judge, providerUnderTest } from './provider-under-test.ts';
import { roundVerdictsOf } from './report-verdicts.ts';
import type { RoundVerdicts } from './round-verdicts.ts';

/** Judges the provider in this process, for a Playwright that the gate did not start. */
export async function judgeAlone(): Promise<RoundVerdicts> {
  const settings = loadSettings();
  const { strict } = settings;
  const provider = await providerUnderTest(settings);
  const round = await judge(provider, probes, { strict });
  const { endpoints } = provider.target;
  const again = `${environmentOf('gate')}npm run gate --`;
  const about = { target: provider.name, endpoints, again, tookSeconds: 0, strict };
  return { ...roundVerdictsOf(reportOf(round, about)), strict };
}
