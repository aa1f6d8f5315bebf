import path from 'node:path';
import * as v from 'valibot';
import type { Proxies } from '../contract/http/proxy.ts';
import { isIntrusive } from '../contract/probe.ts';
import { Scrubber } from '../contract/secrets/scrub.ts';
import { Secret } from '../contract/secrets/secret.ts';
import { holdsKey } from './endpoints.ts';
import { isCredentialName } from './fields.ts';
import { formatMistake, SettingsError } from './mistakes.ts';
import { type FileContext, type TargetsFile, targetsFileSchema } from './targets-file.ts';
import { readYaml, type YamlFile } from './yaml-file.ts';

/** The values for what a file leaves out, from the settings of the process. */
interface WhenUnset {
  readonly timeoutMs?: number | undefined;
  readonly ca?: string | undefined;
  readonly periodSeconds?: number | undefined;
  readonly requestsPerSecond?: number | undefined;
}

export interface ReadOptions extends Pick<FileContext, 'env' | 'probes'> {
  readonly unset?: WhenUnset;
  /** Which receivers of alerts are reached through a proxy. */
  readonly proxies?: Proxies | undefined;
}

/** A targets file, read and found valid. */
export type MonitorConfig = ReturnType<typeof readTargetsFile>;

export type ConfiguredTarget = MonitorConfig['targets'][number];

/**
 * Reads a targets file, and the files that it names. Nothing is cached between two calls.
 * @throws SettingsError with at most ten mistakes, with line and column, free of secrets
 */
export function readTargetsFile(file: string, { env, probes, unset = {}, proxies }: ReadOptions) {
  const yaml = readYaml(file);
  const context = { folder: path.dirname(file), env, probes, scrubber: new Scrubber() };
  const schema = targetsFileSchema(context);
  const { success, output, issues } = v.safeParse(schema, yaml.value, { abortPipeEarly: true });
  if (!success) throw refusal(yaml, mistakesOf(issues, context.scrubber), context.scrubber);
  const wrong = contradictions(output, context);
  if (wrong.length > 0) throw refusal(yaml, wrong, context.scrubber);
  return {
    /** The file's name, as configured. */
    file,
    targets: output.targets.flatMap((target) => withDefaults(target, output.defaults, unset) ?? []),
    notify: output.notify.map((receiver) => ({ ...receiver, proxies })),
  };
}

type Target = TargetsFile['targets'][number];

const settingNames = {
  address: 'its url in MONITOR_CONFIG',
  apiKey: 'its credentials in MONITOR_CONFIG',
  credentials: 'its credentials in MONITOR_CONFIG',
};

/** More than any answer of the contract needs. */
export const maxBodyBytes = 1024 * 1024;

/** The default share of answered runs, and the default processing time. */
export const usualObjectiveRatio = 0.995;
export const usualSlowSeconds = 1;

function withDefaults(target: Target, defaults: TargetsFile['defaults'], unset: WhenUnset) {
  const all = { ...defaults, ...target };
  const [first, ...others] = all.endpoints ?? [];
  if (first === undefined) return undefined;
  const endpoints: readonly [typeof first, ...(typeof first)[]] = [first, ...others];
  const { timeout = (unset.timeoutMs ?? 10_000) / 1000, ca = unset.ca } = all;
  return {
    name: target.name,
    account: target.credentials,
    intrusive: all.intrusive ?? false,
    settingNames,
    endpoints,
    connection: { origin: target.url, timeoutMs: timeout * 1000, maxBodyBytes, ca },
    requestsPerSecond: all.rate ?? unset.requestsPerSecond,
    periodSeconds: all.period ?? unset.periodSeconds ?? 60,
    toleranceMs: (all.tolerance ?? 5) * 1000,
    canaries: all.canaries ?? { everySeconds: 4 * 3600 },
    chosen: { ...defaults.probes, ...target.probes },
    maintenance: all.maintenance ?? [],
    labels: { ...defaults.labels, ...target.labels },
    objectiveRatio: all.objective ?? usualObjectiveRatio,
    slowSeconds: all.slow ?? usualSlowSeconds,
  };
}

interface Mistake {
  readonly path: readonly (string | number)[];
  readonly message: string;
  readonly input?: unknown;
  readonly at?: 'name' | 'value';
}

/** What is wrong between fields that are right by themselves. */
function contradictions({ targets, defaults }: TargetsFile, { probes }: FileContext): Mistake[] {
  return targets.flatMap((target, index) => {
    const at = ['targets', index];
    const { endpoints = defaults.endpoints, writes = defaults.writes } = target;
    const { intrusive = defaults.intrusive } = target;
    const wrong: Mistake[] = [];
    const before = targets.findIndex(({ name }) => name === target.name);
    if (before < index)
      wrong.push({ path: [...at, 'name'], message: `is that of targets[${before}] too` });
    if (endpoints === undefined)
      wrong.push({ path: [...at, 'endpoints'], message: 'is missing, in the defaults too' });
    for (const [place, endpoint] of (endpoints ?? []).entries()) {
      const holder = target.endpoints === undefined ? ['defaults'] : at;
      const found = { path: [...holder, 'endpoints', place] };
      if (!writes && /^(POST|PUT|PATCH|DELETE)$/.test(endpoint.method))
        wrong.push({
          ...found,
          message: `is a ${endpoint.method}, which may change something: set writes: true where it may`,
        });
      if (holdsKey(endpoint, target.credentials))
        wrong.push({
          ...found,
          message: 'holds a key of the account, and would be shown: omit it',
        });
    }
    // In the defaults they simply do not apply to a target that does not enable them.
    for (const { name } of intrusive ? [] : probes.filter(isIntrusive))
      if (typeof target.probes[name] === 'object')
        wrong.push({
          path: [...at, 'probes', name],
          message:
            'sends wrong credentials, which may lock the account: it runs where intrusive is true',
          at: 'name',
        });
    return wrong;
  });
}

function mistakesOf(issues: readonly v.BaseIssue<unknown>[], scrubber: Scrubber): Mistake[] {
  return issues.map(({ path = [], message, input }) => {
    const steps = path.map(({ key }) => (typeof key === 'number' ? key : String(key)));
    const { origin, input: holder } = path[path.length - 1] ?? {};
    for (const [name, text] of Object.entries(holder ?? {}))
      if (isCredentialName(name) && typeof text === 'string') scrubber.learn(new Secret(text));
    return { path: steps, message, input, at: origin === 'key' ? 'name' : 'value' };
  });
}

/** With more lines, the first ones scroll away, and these often cause the others. */
const mostLines = 10;

/** One line for each mistake, in the order of the file: `monitor.yaml:12:5: targets[0].perod is not known`. */
function refusal(yaml: YamlFile, mistakes: readonly Mistake[], scrubber: Scrubber): SettingsError {
  const lines = mistakes
    .filter((mistake) => !mistakes.some((other) => isMisspelt(mistake, other)))
    .map(({ path: steps, at, message, input }) => ({
      offset: yaml.offsetOf(steps, at ?? 'value'),
      steps,
      message,
      input,
    }))
    .toSorted((first, second) => first.offset - second.offset)
    .map(({ offset, steps, ...mistake }) => {
      const name = scrubber.scrubWhole(pathText(steps));
      return `${yaml.position(offset)}: ${name} ${formatMistake(mistake, scrubber)}`;
    });
  const each = [...new Set(lines)];
  const more = `${yaml.name}: and ${each.length - mostLines} more like these`;
  return new SettingsError(each.length > mostLines ? [...each.slice(0, mostLines), more] : each);
}

/** Whether something is missing because its name is misspelt. */
const isMisspelt = ({ path: missing, message }: Mistake, other: Mistake): boolean =>
  message === 'is missing' &&
  other.path.length === missing.length &&
  other.message.includes(`did you mean ${String(missing.at(-1))}?`);

/** `targets[0].endpoints[1].path`; a name that does not consist of words is not shown: it may be a credential. */
function pathText(steps: readonly (string | number)[]): string {
  const text = steps
    .map((step) => (typeof step === 'number' ? `[${step}]` : `.${words.test(step) ? step : '…'}`))
    .join('');
  return text === '' ? 'the file' : text.replace(/^\./, '');
}

/** Words, and numbers as in `every-cause-gets-the-same-401`. */
const words = /^_{0,2}([a-z]{1,16}|\d{1,3})([_-]+([a-z]{1,16}|\d{1,3}))*_{0,2}$/i;
