import { monitored } from '../../../monitor/round/plan.ts';
import { probes } from '../../../probes/index.ts';
import { earlyFaults, earlyTarget } from './before-request.ts';
import type { RequestKind } from './fault.ts';
import { type FaultCase, faultCases } from './index.ts';
import { endpoint } from './server.ts';
import { connectionFaults, framingFaults } from './transport.ts';

/** The fewest probes that send each kind of request. */
const leastProbes = [
  'right-credentials-get-a-token',
  'a-token-opens-the-endpoint',
  'a-request-without-a-token-is-refused',
];

/** It keeps connections open. Bytes that a fault leaves on one must not become the answer to the next request. */
const connectionProbe = 'an-earlier-request-is-no-way-in';

/** The probes that check the whole answer. */
const contentProbes: Readonly<Record<RequestKind, string>> = {
  token: 'any-spelling-of-the-json-gets-a-token',
  admitted: 'open-facts-of-the-endpoints',
  refused: 'every-cause-gets-the-same-401',
};

export const healthyTargets = Array.from({ length: 10 }, (_, index) => `healthy-${index}`);

/** How often each probe runs. The first runs of faulty targets are spread over the same time. */
const healthySeconds = 10;
const faultySeconds = 60;

function probesFor({ fault, kind }: FaultCase): readonly string[] {
  if (fault.large === true) return leastProbes;
  const isAboutConnections = connectionFaults.includes(fault) || framingFaults.includes(fault);
  return [...leastProbes, isAboutConnections ? connectionProbe : contentProbes[kind]];
}

interface TargetOptions {
  readonly probes: readonly string[];
  readonly seconds?: number;
  readonly timesOut?: boolean | undefined;
}

/** A target with only these probes, because each other probe sends up to a hundred requests. */
const targetOf = (
  name: string,
  url: string,
  { probes: chosen, seconds = faultySeconds, timesOut = false }: TargetOptions,
) => ({
  name,
  url,
  timeout: timesOut ? '1s' : '10s',
  credentials: { apiKeyEnv: 'KEY', secretKeyEnv: 'SECRET' },
  probes: Object.fromEntries(
    monitored(probes).map(({ name: probe }) => [
      probe,
      chosen.includes(probe) ? { every: `${seconds}s` } : 'off',
    ]),
  ),
});

/**
 * The targets file of the monitor: a target for each fault and kind of request, and the healthy ones. JSON is YAML.
 * @param earlyUrls addresses of the faults that come before a request
 * @param isChosen by the name of the target; the healthy ones are always included
 * @param seconds how often each probe of a faulty target runs
 */
export function configOf(
  server: URL,
  earlyUrls: readonly string[],
  isChosen: (target: string) => boolean,
  seconds = faultySeconds,
): string {
  const at = (name: string): string => new URL(name, server).href;
  const early = earlyFaults.map(({ timesOut }, index) =>
    targetOf(earlyTarget(index), earlyUrls[index] ?? '', {
      probes: leastProbes,
      seconds,
      timesOut,
    }),
  );
  const faulty = faultCases.map((one) =>
    targetOf(one.target, at(one.target), {
      probes: probesFor(one),
      seconds,
      timesOut: one.fault.timesOut,
    }),
  );
  const healthy = healthyTargets.map((name) =>
    targetOf(name, at(name), {
      probes: [...leastProbes, connectionProbe],
      seconds: healthySeconds,
    }),
  );
  return JSON.stringify({
    defaults: { period: `${faultySeconds}s`, canaries: 'off', endpoints: [endpoint] },
    targets: [...[...early, ...faulty].filter(({ name }) => isChosen(name)), ...healthy],
  });
}
