import path from 'node:path';
import type { Probe } from '../contract/probe.ts';
import { contradictions } from './contradictions.ts';
import { maxBodyBytes, usualObjectiveRatio } from './defaults.ts';
import { readKnown } from './known-file.ts';
import type { Environment } from './read.ts';
import type { Settings } from './settings.ts';
import { type TargetsFile, targetsFileSchema } from './targets-file.ts';
import { parseYaml } from './yaml-file.ts';

/** What the file refers to, and the settings that count where it says nothing. */
export interface ReadOptions
  extends Partial<Settings & Pick<Settings['monitor'], 'periodSeconds'>> {
  readonly env: Environment;
  /** All probes, including those that a monitor cannot run. */
  readonly probes: readonly Probe[];
}

/** A targets file, read and found valid. */
export type MonitorConfig = ReturnType<typeof readTargetsFile>;

export type ConfiguredTarget = MonitorConfig['targets'][number];

/**
 * Reads a targets file, and the files that it names. Nothing is cached between two calls.
 * @throws SettingsError with a line for each mistake, with line and column
 */
export function readTargetsFile(file: string, { env, probes, ...unset }: ReadOptions) {
  const schema = targetsFileSchema({ folder: path.dirname(file), env });
  const { defaults, targets, notify } = parseYaml(file, schema, (output) =>
    contradictions(output, probes),
  );
  return {
    file,
    targets: targets.flatMap((target) => withDefaults(target, defaults, unset) ?? []),
    notify: notify.map((receiver) => ({ ...receiver, proxies: unset.proxies })),
  };
}

type Target = TargetsFile['targets'][number];

const credentials = 'its credentials in PUBLIC_API_TARGETS';
const settingNames = { address: 'its url in PUBLIC_API_TARGETS', apiKey: credentials, credentials };

function withDefaults(
  target: Target,
  defaults: TargetsFile['defaults'],
  unset: Partial<ReadOptions>,
) {
  const all = { ...defaults, ...target };
  const monitor = { ...defaults.monitor, ...target.monitor };
  const [first, ...others] = all.endpoints ?? [];
  if (first === undefined) return undefined;
  const endpoints: readonly [typeof first, ...(typeof first)[]] = [first, ...others];
  const { timeoutMs = 10_000, contact, proxies } = unset;
  const { timeout = timeoutMs / 1000, ca = unset.ca, client = unset.client } = all;
  return {
    name: target.name,
    account: target.credentials,
    intrusive: monitor.intrusive ?? false,
    settingNames,
    endpoints,
    connection: {
      origin: target.url,
      timeoutMs: timeout * 1000,
      maxBodyBytes,
      ca,
      client,
      contact,
      proxies,
    },
    requestsPerSecond: all.rate ?? unset.requestsPerSecond,
    tokensPerSecond: all.tokenRate ?? unset.tokensPerSecond,
    secondAccount: target.secondCredentials,
    wrongCredentials: all.wrongCredentials ?? unset.wrongCredentials,
    periodSeconds: monitor.period ?? unset.periodSeconds ?? 60,
    toleranceMs: (monitor.tolerance ?? 5) * 1000,
    canaries: monitor.canaries ?? { everySeconds: 4 * 3600 },
    chosen: { ...defaults.monitor.probes, ...target.monitor.probes },
    clock: all.clock,
    known: [
      ...(defaults.known ?? []),
      ...(target.known ?? []),
      ...readKnown(unset.known, target.name),
    ],
    maintenance: monitor.maintenance ?? [],
    labels: { ...defaults.monitor.labels, ...target.monitor.labels },
    objectiveRatio: monitor.objective ?? usualObjectiveRatio,
  };
}
