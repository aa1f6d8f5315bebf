import { Metrics } from '../../monitor/metrics/metrics.ts';
import { broken, kept, probeAbout } from './runs.ts';

/** The only probe in these metrics. */
export const opens = probeAbout('opens', ['BEARER-1'], { once: true });

/** Exports all measurements. */
export const everything = { timeoutSeconds: 10, detail: 'full' } as const;

/** Metrics that expect one target, `t`, with one probe, and export everything. */
export function fresh(options: { readonly mostSeries?: number } = {}): Metrics {
  const metrics = new Metrics({ version: '1.2.3', ...options });
  metrics.expect('t', ['opens'], { ...everything, objectiveRatio: 0.99, slowSeconds: 2 });
  return metrics;
}

/** Metrics with every value recorded once, so that all possible series exist. */
export function full(): Metrics {
  const metrics = fresh();
  const tls = { version: 'TLSv1.3', earliestExpiry: 1_800_000_000_000 };
  const http = { status: 200, httpVersion: '1.1', contentLength: 48, tls };
  metrics.ran({ ...kept(opens), target: 't', http }, true);
  metrics.ran({ ...broken(opens, 'BEARER-1'), target: 't', http }, false);
  metrics.streak('t', 'opens', 1, 1_700_000_000_000);
  metrics.lifetime('t', { atLeastSeconds: 86_370, atMostSeconds: 86_430 });
  metrics.clockOffset('t', 0.5);
  metrics.began(1);
  metrics.reloaded(true, 1_700_000_000_000);
  metrics.shares({ shard: { number: 1, of: 1 }, names: ['t'] });
  metrics.certificate(true);
  metrics.state({ writable: true, failures: 0 });
  return metrics;
}

/** The sample lines of the metrics whose whole name matches. */
export async function samples(metrics: Pick<Metrics, 'text'>, name: string): Promise<string[]> {
  const lines = (await metrics.text()).split('\n');
  return lines.filter((line) => new RegExp(`^${name}[ {]`).test(line));
}

/** The values of a probe on `t`, by names and labels, without target and probe. */
export async function valuesOf(metrics: Metrics, probe: string): Promise<Record<string, string>> {
  const text = (await metrics.of('t', probe)) ?? '';
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return Object.fromEntries(
    lines.map((line) => {
      const bare = line.replace(/target="t",probe="\w+",?/, '').replace('{}', '');
      const end = bare.lastIndexOf(' ');
      return [bare.slice(0, end), bare.slice(end + 1)];
    }),
  );
}
