import path from 'node:path';
import { type Probe, payloadProbeName } from '../contract/probe.ts';
import { holdsKey, mayChange } from './endpoints.ts';
import { readKnown } from './known-file.ts';
import { maxBodyBytes, type Settings } from './settings.ts';
import type { Environment } from './table.ts';
import { type TargetsFile, targetsFileSchema } from './targets-file.ts';
import { type Mistake, parseYaml } from './yaml-file.ts';

/** What the file refers to, and the settings that count where it says nothing. */
export interface ReadOptions extends Partial<Settings> {
  readonly env: Environment;
  /** All probes, including those that a monitor cannot run. */
  readonly probes: readonly Probe[];
}

/**
 * Reads a targets file, and the files that it names. Nothing is cached between two calls.
 * @throws SettingsError with a line for each mistake, with line and column
 */
export function readTargetsFile(file: string, { env, probes, ...unset }: ReadOptions) {
  const names = [payloadProbeName, ...probes.map(({ name }) => name)];
  const schema = targetsFileSchema(path.dirname(file), env, names);
  const { defaults, targets, notify } = parseYaml(file, schema, contradictions);
  const knownOf = readKnown(unset.known);
  return {
    targets: targets.flatMap((target) => withDefaults(target, defaults, unset, knownOf) ?? []),
    notify: notify.map((receiver) => ({ ...receiver, proxies: unset.proxies })),
  };
}

const credentials = 'its credentials in PUBLIC_API_TARGETS';
const settingNames = { address: 'its url in PUBLIC_API_TARGETS', credentials };

/** What is left undefined has a default of the gate or the monitor. */
function withDefaults(
  target: TargetsFile['targets'][number],
  defaults: TargetsFile['defaults'],
  unset: Partial<Settings>,
  knownOf: ReturnType<typeof readKnown>,
) {
  const { endpoints, ...all } = { timeoutMs: 10_000, ...unset, ...defaults, ...target };
  if (endpoints === undefined) return undefined;
  const { probes, labels, period, tolerance, objective, ...monitor } = {
    ...defaults.monitor,
    ...target.monitor,
  };
  const { url: origin, timeout, ca, client, proxies } = all;
  const timeoutMs = timeout === undefined ? all.timeoutMs : timeout * 1000;
  return {
    ...monitor,
    name: target.name,
    account: target.credentials,
    secondAccount: target.secondCredentials,
    settingNames,
    endpoints,
    connection: { origin, timeoutMs, maxBodyBytes, ca, client, proxies },
    requestsPerSecond: all.rate ?? all.requestsPerSecond,
    tokensPerSecond: all.tokenRate ?? all.tokensPerSecond,
    wrongCredentials: all.wrongCredentials,
    clock: all.clock,
    known: knownOf(target.name, [...defaults.known, ...target.known]),
    periodSeconds: period,
    toleranceMs: tolerance && tolerance * 1000,
    objectiveRatio: objective,
    chosen: { ...defaults.monitor.probes, ...probes },
    labels: { ...defaults.monitor.labels, ...labels },
  };
}

/** What is wrong in targets with their defaults, although each field is right by itself. */
function* contradictions({ defaults, targets }: TargetsFile): Generator<Mistake> {
  for (const [index, target] of targets.entries()) {
    const { endpoints = [], writes, credentials } = { ...defaults, ...target };
    const list = [...(target.endpoints ? ['targets', index] : ['defaults']), 'endpoints'];
    if (endpoints.length === 0)
      yield { path: ['targets', index, 'endpoints'], message: 'is missing, in the defaults too' };
    for (const [place, endpoint] of endpoints.entries()) {
      const path = [...list, place];
      const why = 'which may change something: set writes: true where it may';
      if (!writes && mayChange(endpoint))
        yield { path, message: `is a ${endpoint.method}, ${why}` };
      if (holdsKey(endpoint, credentials))
        yield { path, message: 'holds a key of the account, and would be shown: omit it' };
    }
  }
}
