import path from 'node:path';
import * as v from 'valibot';
import type { Probe } from '../contract/probe.ts';
import { Scrubber } from '../contract/secrets/scrub.ts';
import { Secret } from '../contract/secrets/secret.ts';
import { contradictions, type Mistake } from './contradictions.ts';
import { maxBodyBytes, usualObjectiveRatio, usualSlowSeconds } from './defaults.ts';
import { isCredentialName } from './fields.ts';
import { formatMistake, SettingsError } from './mistakes.ts';
import type { Environment } from './read.ts';
import type { Settings } from './settings.ts';
import { type TargetsFile, targetsFileSchema } from './targets-file.ts';
import { readYaml, type YamlFile } from './yaml-file.ts';

/** The settings that count where the file says nothing. */
type WhenUnset = Partial<
  Pick<Settings, 'timeoutMs' | 'ca' | 'requestsPerSecond' | 'contact' | 'proxies'>
> & {
  readonly periodSeconds?: number;
};

export interface ReadOptions extends WhenUnset {
  /** The variables that `apiKeyEnv` and `secretKeyEnv` may name. */
  readonly env: Environment;
  /** All probes, including those that a monitor cannot run. */
  readonly probes: readonly Probe[];
}

/** A targets file, read and found valid. */
export type MonitorConfig = ReturnType<typeof readTargetsFile>;

export type ConfiguredTarget = MonitorConfig['targets'][number];

/**
 * Reads a targets file, and the files that it names. Nothing is cached between two calls.
 * @throws SettingsError with at most ten mistakes, with line and column, free of secrets
 */
export function readTargetsFile(file: string, { env, probes, ...unset }: ReadOptions) {
  const yaml = readYaml(file);
  const context = { folder: path.dirname(file), env, scrubber: new Scrubber() };
  const schema = targetsFileSchema(context);
  const { success, output, issues } = v.safeParse(schema, yaml.value, { abortPipeEarly: true });
  const wrong = success
    ? [...contradictions(output, probes)]
    : mistakesOf(issues, context.scrubber);
  if (!success || wrong.length > 0) throw refusal(yaml, wrong, context.scrubber);
  return {
    /** The file's name, as configured. */
    file,
    targets: output.targets.flatMap((target) => withDefaults(target, output.defaults, unset) ?? []),
    notify: output.notify.map((receiver) => ({ ...receiver, proxies: unset.proxies })),
  };
}

type Target = TargetsFile['targets'][number];

const settingNames = {
  address: 'its url in MONITOR_CONFIG',
  apiKey: 'its credentials in MONITOR_CONFIG',
  credentials: 'its credentials in MONITOR_CONFIG',
};

function withDefaults(target: Target, defaults: TargetsFile['defaults'], unset: WhenUnset) {
  const all = { ...defaults, ...target };
  const [first, ...others] = all.endpoints ?? [];
  if (first === undefined) return undefined;
  const endpoints: readonly [typeof first, ...(typeof first)[]] = [first, ...others];
  const { timeoutMs = 10_000, contact, proxies } = unset;
  const { timeout = timeoutMs / 1000, ca = unset.ca } = all;
  return {
    name: target.name,
    account: target.credentials,
    intrusive: all.intrusive ?? false,
    settingNames,
    endpoints,
    connection: {
      origin: target.url,
      timeoutMs: timeout * 1000,
      maxBodyBytes,
      ca,
      contact,
      proxies,
    },
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

function mistakesOf(issues: readonly v.BaseIssue<unknown>[], scrubber: Scrubber): Mistake[] {
  return issues.map(({ path: steps = [], message, input }) => {
    const { origin, input: holder } = steps.at(-1) ?? {};
    for (const [name, text] of Object.entries(holder ?? {}))
      if (isCredentialName(name) && typeof text === 'string') scrubber.learn(new Secret(text));
    return {
      path: steps.map(({ key }) => (typeof key === 'number' ? key : String(key))),
      message,
      cause: input,
      isAboutName: origin === 'key',
    };
  });
}

/** With more lines, the first ones scroll away, and these often cause the others. */
const mostLines = 10;

/** One line for each mistake, in the order of the file: `monitor.yaml:12:5: targets[0].perod is not known`. */
function refusal(yaml: YamlFile, mistakes: readonly Mistake[], scrubber: Scrubber): SettingsError {
  const lines = mistakes
    .filter((mistake) => !mistakes.some((other) => isMisspelt(mistake, other)))
    .map((mistake) => ({ mistake, offset: yaml.offsetOf(mistake.path, mistake.isAboutName) }))
    .toSorted((one, other) => one.offset - other.offset)
    .map(({ mistake, offset }) => {
      const name = scrubber.scrubWhole(pathText(mistake.path));
      return `${yaml.position(offset)}: ${name} ${formatMistake(mistake, scrubber)}`;
    });
  const [...each] = new Set(lines);
  const more = each.splice(mostLines).length;
  return new SettingsError(
    more > 0 ? [...each, `${yaml.name}: and ${more} more like these`] : each,
  );
}

/** Whether something is missing because its name is misspelt. */
const isMisspelt = ({ path: missing, message }: Mistake, other: Mistake): boolean =>
  message === 'is missing' &&
  other.path.length === missing.length &&
  other.message.includes(`did you mean ${String(missing.at(-1))}?`);

/** `targets[0].endpoints[1].path`; a name that does not consist of words is not shown: it may be a credential. */
function pathText(steps: Mistake['path']): string {
  const text = steps
    .map((step) => (typeof step === 'number' ? `[${step}]` : `.${words.test(step) ? step : '…'}`))
    .join('');
  return text === '' ? 'the file' : text.replace(/^\./, '');
}

/** Words, and numbers as in `every-cause-gets-the-same-401`. */
const words = /^_{0,2}([a-z]{1,16}|\d{1,3})([_-]+([a-z]{1,16}|\d{1,3}))*_{0,2}$/i;
