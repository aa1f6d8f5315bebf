import { field, isObject } from '../../contract/http/answer.ts';
import { baseAddress } from '../../settings/accepted.ts';
import { usualObjectiveRatio, usualSlowSeconds } from '../target/detail.ts';
import type { Complaints, Path } from './complaints.ts';
import { type ConfigContext, read } from './config-context.ts';
import { accountOf } from './credentials.ts';
import type { PlacedEndpoint } from './endpoints.ts';
import type { NotifyConfig } from './notify.ts';
import { type Part, readPart } from './part.ts';
import type { TargetConfig } from './target-config.ts';

/** A targets file, read and found valid. */
export interface MonitorConfig {
  /** The file's name, as configured. */
  readonly file: string;
  readonly targets: readonly TargetConfig[];
  /** The receivers of notifications. */
  readonly notify?: NotifyConfig;
}

/** The values for what a file leaves out, from the settings of the process. */
export type WhenUnset = Partial<
  Pick<TargetConfig, 'periodSeconds' | 'timeoutMs' | 'ca' | 'requestsPerSecond' | 'metrics'>
>;

interface TargetScope extends ConfigContext {
  readonly defaults: Part;
  readonly unset: WhenUnset;
}

/** Reads a target, with its defaults; undefined, and recorded, when any of it is wrong. */
export function targetOf(value: unknown, at: Path, scope: TargetScope): TargetConfig | undefined {
  if (!isObject(value)) return undefined;
  const { defaults, unset, complaints } = scope;
  const own = readPart(value, at, scope);
  const [name, url] = [field(value, 'name'), field(value, 'url')];
  const baseUrl =
    typeof url === 'string' ? read(baseAddress, url, [...at, 'url'], scope) : undefined;
  const account = accountOf(field(value, 'credentials'), [...at, 'credentials'], scope);
  const endpoints = own.endpoints ?? defaults.endpoints ?? [];
  const writes = own.writes ?? defaults.writes ?? false;
  const intrusive = own.intrusive ?? defaults.intrusive ?? false;
  if (endpoints.length === 0 && field(value, 'endpoints') === undefined)
    complaints.missing([...at, 'endpoints'], 'is missing, in the defaults too');
  if (!writes) noteWrites(endpoints, complaints);
  if (!intrusive) noteIntrusive(own.probes, at, scope);
  const [first, ...others] = endpoints.map(({ endpoint }) => endpoint);
  if (typeof name !== 'string' || !baseUrl || !account || !first) return undefined;
  const canaries = own.canaries ?? defaults.canaries ?? { everySeconds: 4 * 3600 };
  const timeoutSeconds = own.timeoutSeconds ?? defaults.timeoutSeconds;
  const ca = own.ca ?? defaults.ca ?? unset.ca;
  const requestsPerSecond =
    own.requestsPerSecond ?? defaults.requestsPerSecond ?? unset.requestsPerSecond;
  return {
    name,
    baseUrl,
    account,
    endpoints: [first, ...others],
    periodSeconds: own.periodSeconds ?? defaults.periodSeconds ?? unset.periodSeconds ?? 60,
    timeoutMs: timeoutSeconds === undefined ? (unset.timeoutMs ?? 10_000) : timeoutSeconds * 1000,
    ca,
    requestsPerSecond,
    toleranceMs: (own.toleranceSeconds ?? defaults.toleranceSeconds ?? 5) * 1000,
    canaries: canaries === 'off' ? undefined : canaries,
    probes: { ...defaults.probes, ...own.probes },
    intrusive,
    writes,
    maintenance: own.maintenance ?? defaults.maintenance ?? [],
    labels: { ...defaults.labels, ...own.labels },
    metrics: own.metrics ?? defaults.metrics ?? unset.metrics ?? 'lean',
    objectiveRatio: own.objectiveRatio ?? defaults.objectiveRatio ?? usualObjectiveRatio,
    slowSeconds: own.slowSeconds ?? defaults.slowSeconds ?? usualSlowSeconds,
  };
}

const changing: ReadonlySet<string> = new Set(['POST', 'PUT', 'PATCH', 'DELETE']);

function noteWrites(endpoints: readonly PlacedEndpoint[], complaints: Complaints): void {
  for (const { at, endpoint } of endpoints)
    if (changing.has(endpoint.method))
      complaints.about(
        at,
        `is a ${endpoint.method}, which may change something: set writes: true where it may`,
      );
}

/** Records intrusive probes of a target that does not enable them. In the defaults they simply do not apply to it. */
function noteIntrusive(
  configured: Part['probes'],
  at: Path,
  { probes, complaints }: ConfigContext,
): void {
  for (const { name, intrusive } of probes)
    if (intrusive === true && typeof configured[name] === 'object')
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
