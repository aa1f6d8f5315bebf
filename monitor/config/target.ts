import { field, isObject } from '../../contract/json-value.ts';
import { isIntrusive } from '../../contract/probe.ts';
import type { SettingNames } from '../../contract/round/preflight.ts';
import type { Account } from '../../contract/secrets/secret.ts';
import { baseAddress } from '../../settings/accepted.ts';
import { holdsKey } from '../../settings/endpoints.ts';
import {
  maxBodyBytes,
  usualObjectiveRatio,
  usualSlowSeconds,
  type WatchedTarget,
} from '../target/watched-target.ts';
import type { Complaints, Path } from './complaints.ts';
import { type ConfigContext, read } from './config-context.ts';
import { accountOf } from './credentials.ts';
import type { PlacedEndpoint } from './endpoints.ts';
import type { AlertReceiver } from './notify.ts';
import { type Part, readPart } from './part.ts';

/** A target of the file, with its defaults applied. */
export type ConfiguredTarget = Required<Omit<WatchedTarget, 'requestsPerSecond'>> &
  Pick<WatchedTarget, 'requestsPerSecond'>;

/** A targets file, read and found valid. */
export interface MonitorConfig {
  /** The file's name, as configured. */
  readonly file: string;
  readonly targets: readonly ConfiguredTarget[];
  readonly notify: readonly AlertReceiver[];
}

/** The values for what a file leaves out, from the settings of the process. */
export type WhenUnset = Partial<Pick<WatchedTarget['connection'], 'timeoutMs' | 'ca'>> &
  Pick<WatchedTarget, 'periodSeconds' | 'requestsPerSecond'>;

interface TargetScope extends ConfigContext {
  readonly defaults: Part;
  /** Whether the defaults have endpoints, which may be wrong. */
  readonly namesEndpoints: boolean;
  readonly unset: WhenUnset;
}

const settingNames: SettingNames = {
  address: 'its url in MONITOR_CONFIG',
  apiKey: 'its credentials in MONITOR_CONFIG',
  credentials: 'its credentials in MONITOR_CONFIG',
};

/** Reads a target, with its defaults; undefined, and recorded, when any of it is wrong. */
export function targetOf(
  value: unknown,
  at: Path,
  scope: TargetScope,
): ConfiguredTarget | undefined {
  if (!isObject(value)) return undefined;
  const { defaults, namesEndpoints, unset, complaints } = scope;
  const own = readPart(value, at, scope);
  const part = <Name extends keyof Part>(name: Name): Part[Name] => own[name] ?? defaults[name];
  const name = field(value, 'name');
  const origin = read(baseAddress, field(value, 'url'), [...at, 'url'], scope);
  const account = accountOf(field(value, 'credentials'), [...at, 'credentials'], scope);
  const endpoints = part('endpoints') ?? [];
  const intrusive = part('intrusive') ?? false;
  if (!namesEndpoints && field(value, 'endpoints') === undefined)
    complaints.missing([...at, 'endpoints'], 'is missing, in the defaults too');
  noteEndpoints(endpoints, { account, writes: part('writes') === true }, complaints);
  if (!intrusive) noteIntrusive(own.probes, at, scope);
  const [first, ...others] = endpoints.map(({ endpoint }) => endpoint);
  if (typeof name !== 'string' || !origin || !account || !first) return undefined;
  const timeoutMs = part('timeoutMs') ?? unset.timeoutMs ?? 10_000;
  return {
    name,
    account,
    intrusive,
    settingNames,
    endpoints: [first, ...others],
    connection: { origin, timeoutMs, maxBodyBytes, ca: part('ca') ?? unset.ca },
    requestsPerSecond: part('requestsPerSecond') ?? unset.requestsPerSecond,
    periodSeconds: part('periodSeconds') ?? unset.periodSeconds ?? 60,
    toleranceMs: part('toleranceMs') ?? 5000,
    canaries: part('canaries') ?? { everySeconds: 4 * 3600 },
    chosen: { ...defaults.probes, ...own.probes },
    maintenance: part('maintenance') ?? [],
    labels: { ...defaults.labels, ...own.labels },
    objectiveRatio: part('objectiveRatio') ?? usualObjectiveRatio,
    slowSeconds: part('slowSeconds') ?? usualSlowSeconds,
  };
}

const changing: ReadonlySet<string> = new Set(['POST', 'PUT', 'PATCH', 'DELETE']);

/** Records endpoints that may change something, unless that is allowed, and those that hold a key. */
function noteEndpoints(
  endpoints: readonly PlacedEndpoint[],
  { account, writes }: { readonly account: Account | undefined; readonly writes: boolean },
  complaints: Complaints,
): void {
  for (const { at, endpoint } of endpoints) {
    if (!writes && changing.has(endpoint.method))
      complaints.about(
        at,
        `is a ${endpoint.method}, which may change something: set writes: true where it may`,
      );
    if (account !== undefined && holdsKey(endpoint, account))
      complaints.about(at, 'holds a key of the account, and would be shown: omit it');
  }
}

/** Records intrusive probes of a target that does not enable them. In the defaults they simply do not apply to it. */
function noteIntrusive(
  configured: Part['probes'],
  at: Path,
  { probes, complaints }: ConfigContext,
): void {
  for (const { name, stage } of probes)
    if (isIntrusive({ stage }) && typeof configured[name] === 'object')
      complaints.about(
        [...at, 'probes', name],
        'sends wrong credentials, which may lock the account: it runs where intrusive is true',
        { is: 'name' },
      );
}

/** Records each name that two targets share. */
export function noteTwins(targets: unknown, complaints: Complaints): void {
  const names = (Array.isArray(targets) ? targets : []).map((target) => field(target, 'name'));
  const first = new Map<unknown, number>();
  for (const [index, name] of names.entries()) {
    const before = first.get(name);
    if (typeof name !== 'string') continue;
    if (before === undefined) first.set(name, index);
    else complaints.about(['targets', index, 'name'], `is that of targets[${before}] too`);
  }
}
