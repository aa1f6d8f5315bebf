import { probes } from '../probes/index.ts';
import { environmentOf, loadSettings } from '../settings.ts';
import { gaugeOf, judge } from './gauge.ts';
import type { Hearing } from './hearing.ts';
import { reportOf } from './report/report.ts';
import { hearingOf } from './tell.ts';

/** Judges the provider in this very process, for a Playwright that the gate did not start. */
export async function hear(): Promise<Hearing> {
  const settings = loadSettings();
  const { strict } = settings;
  const gauge = await gaugeOf(settings);
  const round = await judge(gauge, probes, { strict });
  const { endpoints } = gauge.target;
  const again = `${environmentOf('gate')}npm run gate --`;
  const about = { target: gauge.name, endpoints, again, tookSeconds: 0, strict };
  return { ...hearingOf(reportOf(round, about)), strict };
}
