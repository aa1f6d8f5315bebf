import { fileClock } from '../contract/file-clock.ts';
import { httpClock } from '../contract/http-clock.ts';
import type { Probe } from '../contract/probe.ts';
import { judgeProvider, type Round, type RoundOptions, type Target } from '../contract/round.ts';
import type { Settings } from '../settings.ts';
import { ownSandbox } from './trial.ts';

/** More than an answer of the contract needs, and enough for what endpoints may answer. */
const maxBodyBytes = 16 * 2 ** 20;

/** The provider under the gate, and how to take leave of it. */
export interface Gauge {
  /** As it may be shown. */
  readonly name: string;
  readonly target: Target;
  close(): Promise<void>;
}

/** The provider that the settings name, or a sandbox of this process. */
export async function gaugeOf(settings: Settings): Promise<Gauge> {
  const { provider, timeoutMs, ca, perSecond, atOnce, patienceMs } = settings;
  const trusted = ca === undefined ? {} : { ca };
  const manner = { atOnce, patienceMs, ...(perSecond === undefined ? {} : { perSecond }) };
  if (provider === undefined) {
    const sandbox = await ownSandbox();
    return { name: 'sandbox', target: { ...sandbox.target, ...manner }, close: sandbox.close };
  }
  const { baseUrl, account, endpoints, clock } = provider;
  const bounds = { timeoutMs, ...trusted };
  const time =
    clock === undefined
      ? undefined
      : 'url' in clock
        ? httpClock(clock.url, bounds)
        : fileClock(clock.file);
  return {
    name: baseUrl.href,
    target: {
      wire: { origin: baseUrl, maxBodyBytes, ...bounds },
      account,
      endpoints,
      ...manner,
      ...(time === undefined ? {} : { clock: time }),
    },
    close: async () => {},
  };
}

/** Judges the provider of a gauge by the probes selected, and takes leave of it. */
export async function judge(
  gauge: Gauge,
  probes: readonly Probe[],
  options: RoundOptions,
): Promise<Round> {
  try {
    return await judgeProvider(gauge.target, probes, options);
  } finally {
    await gauge.close();
  }
}
