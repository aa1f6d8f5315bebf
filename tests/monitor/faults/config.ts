import { monitored } from '../../../monitor/plan.ts';
import { probes } from '../../../probes/index.ts';
import { earlyFaults, earlyTarget } from './before-request.ts';
import { connectionFaults } from './connections.ts';
import { framingFaults } from './framing.ts';
import { type FaultCase, faultCases } from './index.ts';
import { endpoint } from './server.ts';

/** Enough to see every kind of answer, and few enough for two minutes. */
const watchedProbes = [
  'right-credentials-get-a-token',
  'a-token-opens-the-endpoint',
  'a-request-without-a-token-is-refused',
  'every-cause-gets-the-same-401',
  'open-facts-of-the-token-answer',
  'open-facts-of-the-endpoints',
];

/** Keeps its connections: what a fault leaves on one must not become the answer to the next request. */
const connectionProbe = 'a-used-connection-is-no-way-in';

export const healthyTargets = Array.from({ length: 10 }, (_, index) => `healthy-${index}`);

export const healthySeconds = 10;
const faultySeconds = 50;

/** The probes of a target: all others are off, since each sends up to a hundred requests. */
const probesEvery = (seconds: number, chosen: readonly string[]) =>
  Object.fromEntries(
    monitored(probes).map(({ name }) => [
      name,
      chosen.includes(name) ? { every: `${seconds}s` } : 'off',
    ]),
  );

/**
 * The monitor's file of targets: one for each fault and kind of request, and the healthy ones. JSON is YAML.
 * @param urls of the faults that come before a request
 */
export function configOf(
  server: URL,
  urls: readonly string[],
  isChosen: (one: FaultCase) => boolean = () => true,
): string {
  const target = (name: string, url: string, timesOut: true | undefined) => ({
    name,
    url,
    ...(timesOut === undefined ? {} : { timeout: '1s' }),
  });
  const onConnections = probesEvery(faultySeconds, [...watchedProbes, connectionProbe]);
  const at = (name: string): string => new URL(name, server).href;
  const targets = [
    ...faultCases.filter(isChosen).map(({ target: name, fault }) => ({
      ...target(name, at(name), fault.timesOut),
      ...(framingFaults.includes(fault) || connectionFaults.includes(fault)
        ? { probes: onConnections }
        : {}),
    })),
    ...urls.map((url, index) => target(earlyTarget(index), url, earlyFaults[index]?.timesOut)),
    ...healthyTargets.map((name) => ({
      ...target(name, at(name), undefined),
      probes: probesEvery(healthySeconds, [...watchedProbes, connectionProbe]),
    })),
  ];
  const credentials = { apiKeyEnv: 'KEY', secretKeyEnv: 'SECRET' };
  return JSON.stringify({
    defaults: {
      period: `${faultySeconds}s`,
      canaries: 'off',
      endpoints: [endpoint],
      probes: probesEvery(faultySeconds, watchedProbes),
    },
    targets: targets.map((one) => ({ ...one, credentials })),
  });
}
