import { spawnSync } from 'node:child_process';
import { expect } from '@playwright/test';
import { Metrics } from '../../monitor/metrics/metrics.ts';
import type { Run } from '../../monitor/round/run.ts';
import type { HttpFacts } from '../../monitor/round/traced-client.ts';
import { programPath } from '../programs.ts';
import { broken, kept, probeAbout } from './runs.ts';

/** The only probe in these metrics: the control, which all that is measured describes. */
export const control = probeAbout('a-token-opens-the-endpoint', ['BEARER-1'], { scope: 'service' });

/** What is expected of a target. */
export const usual = { timeoutSeconds: 10 };

/** Metrics that expect one target, `t`, with the control. */
export function fresh(): Metrics {
  const metrics = new Metrics('1.2.3');
  metrics.expect('t', [control.name], { ...usual, objectiveRatio: 0.99, slowSeconds: 2 });
  return metrics;
}

/** A run on `t`. @param http what the answer to the valid token showed, if there was one */
export const onT = (run: Run, http: HttpFacts = { status: 200, httpVersion: '1.1' }): Run => ({
  ...run,
  target: 't',
  ...(run.phases && { http, authorised: { http, phases: run.phases } }),
});

/** Metrics with every value recorded once, so that all possible series exist. */
export function full(): Metrics {
  const metrics = fresh();
  const tls = { version: 'TLSv1.3', earliestExpiry: 1_800_000_000_000 };
  const http = { status: 200, httpVersion: '1.1', contentLength: 48, tls };
  metrics.ran(onT(kept(control), http), true);
  metrics.ran(onT(broken(control, 'BEARER-1'), http), false);
  metrics.streak('t', control.name, 1, 1_700_000_000_000);
  metrics.lifetime('t', { atLeastSeconds: 86_370, atMostSeconds: 86_430 });
  metrics.clockOffset('t', 0.5);
  metrics.reloaded(true, 1_700_000_000_000);
  metrics.shares({ shard: { number: 1, of: 1 }, names: ['t'] });
  metrics.certificate(true);
  metrics.state({ writable: true, failures: 0 });
  return metrics;
}

/** Checks that `promtool check metrics` finds nothing in a text. */
export function expectLinted(input: string): void {
  const { status, stdout, stderr } = spawnSync(programPath('promtool'), ['check', 'metrics'], {
    input,
    encoding: 'utf8',
  });
  expect({ status, stdout, stderr }).toEqual({ status: 0, stdout: '', stderr: '' });
}

/** The sample lines of the metrics whose whole name matches. */
export async function samples(metrics: Pick<Metrics, 'text'>, name: string): Promise<string[]> {
  const lines = (await metrics.text()).split('\n');
  return lines.filter((line) => new RegExp(`^${name}[ {]`).test(line));
}

/** The values of `t` and of the control, by names and labels, without target and probe. */
export async function valuesOf(metrics: Metrics): Promise<Record<string, string>> {
  const text = (await metrics.of('t')) ?? '';
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return Object.fromEntries(
    lines.map((line) => {
      const bare = line.replace(/target="t",?(probe="[\w-]+",?)?/, '').replace('{}', '');
      const end = bare.lastIndexOf(' ');
      return [bare.slice(0, end), bare.slice(end + 1)];
    }),
  );
}
