import { hash } from 'node:crypto';
import { hostname } from 'node:os';
import { mayChange } from '../config/endpoints.ts';
import { SettingsError } from '../config/fields.ts';
import { loadEnvironment, maxBodyBytes, type Settings } from '../config/settings.ts';
import { endpointName } from '../contract/http/request.ts';
import type { Probe } from '../contract/probe.ts';
import { Secret } from '../contract/secrets/secret.ts';
import { sandboxAccount, sandboxEndpoints, startSandbox } from '../sandbox/provider.ts';
import type { AlertReceiver } from './alertmanager.ts';
import type { WatchedTarget } from './round/watched-target.ts';

/** One of several monitors that divide the targets of one file, counted from 1. */
export interface Shard {
  readonly number: number;
  readonly of: number;
}

/** The targets that a monitor watches. */
export interface TargetsSet {
  readonly shard: Shard;
  /** The names of all targets in the file, also of other shards. */
  readonly names: readonly string[];
  /** A shard of a file may have no target. */
  readonly targets: readonly WatchedTarget[];
  readonly notify?: readonly AlertReceiver[];
  readonly closeSandbox?: () => Promise<void>;
}

/**
 * This shard of the targets in a file, or one provider; undefined means the sandbox.
 * @param mayWrite whether endpoints that change something may be among those of one provider
 * @throws SettingsError
 */
export async function targetsSet(
  settings: Settings,
  probes: readonly Probe[],
  mayWrite = settings.monitor.writes,
): Promise<TargetsSet | undefined> {
  const { provider, targets: file, known: knownFile } = settings;
  const shard = readShard(settings.monitor);
  // Without a file no parser of YAML is loaded.
  if (file !== undefined) {
    const { readTargetsFile } = await import('../config/targets.ts');
    const config = readTargetsFile(file, { ...settings, env: loadEnvironment(), probes });
    const names = config.targets.map(({ name }) => name);
    const isOwn = ({ name }: WatchedTarget) => findShard(name, shard.of) === shard.number;
    return { targets: config.targets.filter(isOwn), names, shard, notify: config.notify };
  }
  if (provider === undefined) return undefined;
  const { baseUrl: origin, ...given } = provider;
  const writing = given.endpoints.find(mayChange);
  if (writing !== undefined && !mayWrite)
    throw new SettingsError(
      `PUBLIC_API_ENDPOINTS has ${endpointName(writing)}, which may change something each minute: ` +
        'set MONITOR_WRITES=true where it may, or name only the others',
    );
  const { timeoutMs, ca, client, proxies } = settings;
  const { requestsPerSecond, tokensPerSecond, wrongCredentials } = settings;
  const connection = { origin, timeoutMs, maxBodyBytes, ca, client, proxies };
  const limits = { requestsPerSecond, tokensPerSecond, wrongCredentials };
  const known = knownFile ? (await import('../config/known-file.ts')).readKnown(knownFile)() : [];
  const target = { name: origin.host, connection, ...given, ...limits, known };
  return { targets: [target], names: [target.name], shard };
}

/** Starts a provider in this very process: without settings it is the only target. */
export async function sandboxSet({ timeoutMs, monitor }: Settings): Promise<TargetsSet> {
  const { baseUrl: origin, close } = await startSandbox();
  const { apiKey, secretKey } = sandboxAccount;
  const account = { apiKey: new Secret(apiKey), secretKey: new Secret(secretKey) };
  const connection = { origin, timeoutMs, maxBodyBytes };
  const target = { name: 'sandbox', connection, account, endpoints: sandboxEndpoints };
  const shard = readShard(monitor);
  return { targets: [target], names: [target.name], shard, closeSandbox: close };
}

/** The shard of `2/5`, or of `auto/5` on a host such as the pod `web-1`. @throws SettingsError */
export function readShard({ shard }: Pick<Settings['monitor'], 'shard'>, host = hostname()): Shard {
  const [index, total] = shard.split('/');
  // The pods of a StatefulSet are numbered from 0.
  const pod = Number(/-(\d+)$/.exec(host)?.[1]);
  const number = index === 'auto' ? pod + 1 : Number(index);
  const of = Number(total);
  if (number <= of) return { number, of };
  const why = 'has an index above its total, or the host name ends with no number below it';
  throw new SettingsError(`MONITOR_SHARD ${why}`);
}

/** The shard of a target, from 1 up, by rendezvous hashing: a new shard takes over only its own share. */
export function findShard(name: string, of: number): number {
  let owner = { number: 1, weight: '' };
  for (let number = 1; number <= of; number++) {
    const weight = hash('sha256', `${number}/${name}`);
    if (weight > owner.weight) owner = { number, weight };
  }
  return owner.number;
}
