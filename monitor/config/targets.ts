import type { Proxies } from '../../contract/http/proxy.ts';
import type { Probe } from '../../contract/probe.ts';
import type { SettingNames } from '../../contract/round/preflight.ts';
import { Secret } from '../../contract/secrets/secret.ts';
import { loadEnvironment, type Settings } from '../../settings.ts';
import { payloadCheck } from '../target/payload.ts';
import { ownOf, type Share } from '../target/shard.ts';
import type { WatchedEndpoint, WatchedTarget } from '../target/watched-target.ts';
import type { NotifyConfig } from './notify.ts';
import type { MonitorConfig } from './target.ts';
import type { EndpointConfig, TargetConfig } from './target-config.ts';

/** More than any answer of the contract needs. */
const maxBodyBytes = 1024 * 1024;

const inFile: SettingNames = {
  address: 'its url in MONITOR_CONFIG',
  apiKey: 'its credentials in MONITOR_CONFIG',
  credentials: 'its credentials in MONITOR_CONFIG',
};

/** A target as its file describes it. @param contact where its operators may write to */
export function targetFrom(config: TargetConfig, contact?: string): WatchedTarget {
  const { name, baseUrl, account, endpoints, timeoutMs, ca, requestsPerSecond, canaries } = config;
  const [first, ...others] = endpoints;
  const connection = { origin: baseUrl, timeoutMs, maxBodyBytes };
  return {
    name,
    connection: { ...connection, ca, contact },
    account,
    endpoints: [endpointFrom(first), ...others.map(endpointFrom)],
    requestsPerSecond,
    periodSeconds: config.periodSeconds,
    chosen: config.probes,
    intrusive: config.intrusive,
    canaries: canaries ?? 'off',
    toleranceMs: config.toleranceMs,
    maintenance: config.maintenance,
    labels: config.labels,
    metrics: config.metrics,
    objectiveRatio: config.objectiveRatio,
    slowSeconds: config.slowSeconds,
    settingNames: inFile,
  };
}

const through =
  (proxies: Proxies | undefined) =>
  (target: WatchedTarget): WatchedTarget => ({
    ...target,
    connection: { ...target.connection, proxies },
  });

function endpointFrom({ schema, ...endpoint }: EndpointConfig): WatchedEndpoint {
  return schema === undefined ? endpoint : { ...endpoint, unfit: payloadCheck(schema) };
}

/** The targets that a monitor watches, and the number of all targets. */
export interface TargetsSet extends Share {
  /** A shard of a file may have no target. */
  readonly targets: readonly WatchedTarget[];
  /** The receivers of notifications. */
  readonly notify?: NotifyConfig;
}

/**
 * The configured targets: this shard of a file, or one provider; without either, the sandbox.
 * @throws SettingsError
 */
export async function targetsSet(
  settings: Settings,
  probes: readonly Probe[],
): Promise<TargetsSet | undefined> {
  const { provider, timeoutMs, contact, monitor } = settings;
  const { shard } = monitor;
  const config = await configSet(settings, probes);
  if (config !== undefined) {
    const targets = ownOf(config.targets, shard)
      .map((one) => targetFrom(one, contact))
      .map(through(settings.proxies));
    const names = config.targets.map(({ name }) => name);
    return { targets, names, shard, notify: config.notify };
  }
  if (provider === undefined) return undefined;
  const { baseUrl, account, endpoints } = provider;
  const { ca, requestsPerSecond } = unsetOf(settings);
  const connection = {
    origin: baseUrl,
    timeoutMs,
    maxBodyBytes,
    ca,
    contact,
    proxies: settings.proxies,
  };
  const name = baseUrl.host;
  const target = { name, connection, account, endpoints, requestsPerSecond };
  return { targets: [{ ...target, metrics: monitor.metrics }], names: [name], shard };
}

/** The targets file, when there is one; without one no parser is loaded. @throws SettingsError */
export async function configSet(
  settings: Settings,
  probes: readonly Probe[],
): Promise<MonitorConfig | undefined> {
  const { config, periodSeconds } = settings.monitor;
  if (config === undefined) return undefined;
  const { readConfig } = await import('./read.ts');
  const { timeoutMs, monitor } = settings;
  const unset = { periodSeconds, timeoutMs, metrics: monitor.metrics, ...unsetOf(settings) };
  return readConfig(config, { env: loadEnvironment(), probes, unset });
}

const unsetOf = ({
  ca,
  requestsPerSecond,
}: Settings): Pick<TargetConfig, 'ca' | 'requestsPerSecond'> => ({
  ca,
  requestsPerSecond,
});

/** A provider in this very process. */
export function targetInside(
  origin: URL,
  { apiKey, secretKey }: { readonly apiKey: string; readonly secretKey: string },
  endpoints: readonly WatchedEndpoint[],
  {
    timeoutMs,
    monitor,
  }: Pick<Settings, 'timeoutMs'> & { readonly monitor?: Pick<Settings['monitor'], 'metrics'> },
): WatchedTarget {
  const [first, ...others] = endpoints;
  if (first === undefined) throw new Error('the sandbox serves no endpoint');
  return {
    name: 'sandbox',
    connection: { origin, timeoutMs, maxBodyBytes },
    account: { apiKey: new Secret(apiKey), secretKey: new Secret(secretKey) },
    endpoints: [first, ...others],
    metrics: monitor?.metrics,
  };
}
