import { Secret } from '../contract/secret.ts';
import type { Settings } from '../settings.ts';
import type { EndpointConfig, MonitorConfig, TargetConfig } from './config/target.ts';
import { payloadCheck } from './payload.ts';
import type { WatchedEndpoint, WatchedTarget } from './plan.ts';

/** More than any answer of the contract needs. */
const maxBodyBytes = 1024 * 1024;

/** The targets that a file names. */
export const targetsIn = ({ targets }: MonitorConfig): WatchedTarget[] => targets.map(targetFrom);

function targetFrom(config: TargetConfig): WatchedTarget {
  const { name, baseUrl, account, endpoints, timeoutMs, ca, perSecond, canaries } = config;
  const [first, ...others] = endpoints;
  const wire = { origin: baseUrl, timeoutMs, maxBodyBytes };
  return {
    name,
    wire: { ...wire, ...(ca === undefined ? {} : { ca }) },
    account,
    endpoints: [endpointFrom(first), ...others.map(endpointFrom)],
    ...(perSecond === undefined ? {} : { perSecond }),
    periodSeconds: config.periodSeconds,
    chosen: config.probes,
    intrusive: config.intrusive,
    canaries: canaries ?? 'off',
    toleranceMs: config.toleranceMs,
    maintenance: config.maintenance,
    labels: config.labels,
  };
}

function endpointFrom({ schema, ...endpoint }: EndpointConfig): WatchedEndpoint {
  return schema === undefined ? endpoint : { ...endpoint, unfit: payloadCheck(schema) };
}

/** The one provider that the settings name; undefined when they name none. */
export function targetFromSettings({
  provider,
  timeoutMs,
  ca,
  perSecond,
}: Settings): WatchedTarget | undefined {
  if (provider === undefined) return undefined;
  const { baseUrl, account, endpoints } = provider;
  return {
    name: baseUrl.host,
    wire: { origin: baseUrl, timeoutMs, maxBodyBytes, ...(ca === undefined ? {} : { ca }) },
    account,
    endpoints,
    ...(perSecond === undefined ? {} : { perSecond }),
  };
}

/** A provider in this very process. */
export function targetInside(
  origin: URL,
  { apiKey, secretKey }: { readonly apiKey: string; readonly secretKey: string },
  endpoints: readonly WatchedEndpoint[],
  { timeoutMs }: Pick<Settings, 'timeoutMs'>,
): WatchedTarget {
  const [first, ...others] = endpoints;
  if (first === undefined) throw new Error('the sandbox serves no endpoint');
  return {
    name: 'sandbox',
    wire: { origin, timeoutMs, maxBodyBytes },
    account: { apiKey: new Secret(apiKey), secretKey: new Secret(secretKey) },
    endpoints: [first, ...others],
  };
}
