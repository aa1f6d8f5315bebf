import path from 'node:path';
import { endpointName } from '../contract/http/request.ts';
import { type Probe, payloadProbeName } from '../contract/probe.ts';
import { holdsKey } from './endpoints.ts';
import { readKnown } from './known-file.ts';
import { hint } from './nearest.ts';
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

/** A targets file, read and found valid. */
export type MonitorConfig = ReturnType<typeof readTargetsFile>;

export type ConfiguredTarget = MonitorConfig['targets'][number];

type Target = TargetsFile['targets'][number];

/**
 * Reads a targets file, and the files that it names. Nothing is cached between two calls.
 * @throws SettingsError with a line for each mistake, with line and column
 */
export function readTargetsFile(file: string, { env, probes, ...unset }: ReadOptions) {
  const schema = targetsFileSchema(path.dirname(file), env);
  const { defaults, targets, notify } = parseYaml(file, schema, (output) =>
    contradictions(output, probes),
  );
  const knownOf = readKnown(unset.known);
  return {
    file,
    targets: targets.flatMap((target) => {
      const known = [...defaults.known, ...target.known, ...knownOf(target.name)];
      return withDefaults(target, defaults, unset, known) ?? [];
    }),
    notify: notify.map((receiver) => ({ ...receiver, proxies: unset.proxies })),
  };
}

const credentials = 'its credentials in PUBLIC_API_TARGETS';
const settingNames = { address: 'its url in PUBLIC_API_TARGETS', credentials };

/** What is left undefined has a default of the gate or the monitor. */
function withDefaults(
  target: Target,
  defaults: TargetsFile['defaults'],
  unset: Partial<Settings>,
  known: Target['known'],
) {
  const all = { ...defaults, ...target };
  const { probes, labels, period, tolerance, objective, ...monitor } = {
    ...defaults.monitor,
    ...target.monitor,
  };
  const [first, ...others] = all.endpoints ?? [];
  if (first === undefined) return undefined;
  const endpoints: readonly [typeof first, ...(typeof first)[]] = [first, ...others];
  const { proxies } = unset;
  const { ca = unset.ca, client = unset.client, url: origin } = all;
  const timeoutMs = all.timeout === undefined ? (unset.timeoutMs ?? 10_000) : all.timeout * 1000;
  return {
    ...monitor,
    name: target.name,
    account: target.credentials,
    secondAccount: target.secondCredentials,
    settingNames,
    endpoints,
    connection: { origin, timeoutMs, maxBodyBytes, ca, client, proxies },
    requestsPerSecond: all.rate ?? unset.requestsPerSecond,
    tokensPerSecond: all.tokenRate ?? unset.tokensPerSecond,
    wrongCredentials: all.wrongCredentials ?? unset.wrongCredentials,
    clock: all.clock,
    known,
    periodSeconds: period,
    toleranceMs: tolerance && tolerance * 1000,
    objectiveRatio: objective,
    chosen: { ...defaults.monitor.probes, ...probes },
    labels: { ...defaults.monitor.labels, ...labels },
  };
}

type Path = Mistake['path'];

const mistake = (message: string, ...path: Path): Mistake => ({ message, path });

/** What is wrong in a targets file whose fields are right by themselves. */
function* contradictions(
  { defaults, targets }: TargetsFile,
  probes: readonly Probe[],
): Generator<Mistake> {
  const names = [payloadProbeName, ...probes.map(({ name }) => name)];
  yield* inProbes(defaults.monitor, names, 'defaults');
  for (const [index, target] of targets.entries()) {
    const at = ['targets', index];
    const all = { ...defaults, ...target };
    const before = targets.findIndex(({ name }) => name === target.name);
    if (before < index) yield mistake(`is that of targets[${before}] too`, ...at, 'name');
    if (all.endpoints === undefined)
      yield mistake('is missing, in the defaults too', ...at, 'endpoints');
    yield* inEndpoints(all, ...(target.endpoints === undefined ? ['defaults'] : at));
    yield* inProbes(target.monitor, names, ...at);
  }
}

function* inEndpoints(
  { endpoints = [], writes, credentials }: Target,
  ...at: Path
): Generator<Mistake> {
  const names = endpoints.map(endpointName);
  for (const [place, endpoint] of endpoints.entries()) {
    const path = [...at, 'endpoints', place];
    const { method, body } = endpoint;
    const hasBody = /^(POST|PUT|PATCH)$/.test(method);
    const why = 'which may change something: set writes: true where it may';
    if (names.indexOf(endpointName(endpoint)) < place)
      yield mistake('is the same as one above it', ...path);
    if (!writes && (hasBody || method === 'DELETE'))
      yield mistake(`is a ${method}, ${why}`, ...path);
    if (holdsKey(endpoint, credentials))
      yield mistake('holds a key of the account, and would be shown: omit it', ...path);
    if (body !== undefined && !hasBody)
      yield mistake('goes with POST, PUT and PATCH only', ...path, 'body');
  }
}

const inProbes = (
  { probes }: Target['monitor'],
  names: readonly string[],
  ...at: Path
): Mistake[] =>
  Object.keys(probes)
    .filter((name) => !names.includes(name))
    .map((name) => {
      const why = `is not a probe${hint(name, names)} (npm run gate -- --list shows all)`;
      return mistake(why, ...at, 'monitor', 'probes', name);
    });
