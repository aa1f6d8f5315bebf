import { setTimeout as sleep } from 'node:timers/promises';
import { type Figure, limited } from './figure.ts';
import {
  missedRounds,
  processorSeconds,
  providerOver,
  startWatching,
  targetsFile,
} from './watching.ts';

/** All probes run on few targets. At a period of 1 s, each second has the runs of a minute at a period of 60 s. */
const count = 10;
const minutes = 30;

/** The cost of one more target: the figures to choose the size of a machine and of a Prometheus. */
export async function oneTargetMore(folder: string): Promise<readonly Figure[]> {
  await using provider = await providerOver('https', folder);
  const settings = '{ period: 1s, endpoints: [GET /public-api/v1/widgets] }';
  const env = await targetsFile(folder, provider, { count, settings });
  await using monitor = await startWatching(folder, env);
  const { pid } = monitor;
  // At the start every probe runs once, spread over this time.
  await sleep(20_000);
  const seconds = processorSeconds(pid);
  const requests = provider.requests();
  await sleep(minutes * 1000);
  const millis = ((processorSeconds(pid) - seconds) * 1000) / (count * minutes);
  const requestRate = (provider.requests() - requests) / (count * minutes);
  const text = await (await fetch(new URL('/probe?target=target-0', monitor.page))).text();
  const series = text.match(/^[^#\n]/gm)?.length ?? 0;
  const missed = await missedRounds(monitor);
  return [
    limited(
      `processor time of a target in a minute over https, at a period of 60 s, ${requestRate.toFixed(0)} requests (${missed} rounds missed)`,
      `${millis.toFixed(1)} ms, so ${Math.floor(60_000 / millis)} targets a core`,
      { measured: millis, most: 8, unit: 'ms' },
    ),
    limited('series of a target', `${series}`, { measured: series, most: 300, unit: '' }),
  ];
}
