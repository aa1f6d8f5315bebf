import path from 'node:path';
import * as v from 'valibot';
import type { Probe } from '../contract/probe.ts';
import { Scrubber } from '../contract/secrets/scrub.ts';
import { Secret } from '../contract/secrets/secret.ts';
import { contradictions, type Mistake, unfilled } from './contradictions.ts';
import { maxBodyBytes, usualObjectiveRatio } from './defaults.ts';
import { isCredentialName } from './fields.ts';
import { readKnown } from './known-file.ts';
import { formatMistake, SettingsError } from './mistakes.ts';
import type { Environment } from './read.ts';
import type { Settings } from './settings.ts';
import { type TargetsFile, targetsFileSchema } from './targets-file.ts';
import { readYaml, type YamlFile } from './yaml-file.ts';

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
 * @throws SettingsError with at most ten mistakes, with line and column, free of secrets
 */
export function readTargetsFile(file: string, { env, probes, ...unset }: ReadOptions) {
  const yaml = readYaml(file);
  const scrubber = new Scrubber();
  const schema = targetsFileSchema({ folder: path.dirname(file), env, scrubber });
  const { success, output, issues } = v.safeParse(schema, yaml.value, { abortPipeEarly: true });
  const toFillIn = [...unfilled(yaml.value)];
  const wrong = success ? [...contradictions(output, probes)] : mistakesOf(issues, scrubber);
  if (toFillIn.length > 0) throw refusal(yaml, toFillIn, { file, scrubber });
  if (!success || wrong.length > 0) throw refusal(yaml, wrong, { file, scrubber });
  return {
    file,
    targets: output.targets.flatMap((target) => withDefaults(target, output, unset) ?? []),
    notify: output.notify.map((receiver) => ({ ...receiver, proxies: unset.proxies })),
  };
}

type Target = TargetsFile['targets'][number];

const credentials = 'its credentials in PUBLIC_API_TARGETS';
const settingNames = { address: 'its url in PUBLIC_API_TARGETS', apiKey: credentials, credentials };

function withDefaults(target: Target, { defaults }: TargetsFile, unset: Partial<ReadOptions>) {
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

function mistakesOf(issues: readonly v.BaseIssue<unknown>[], scrubber: Scrubber): Mistake[] {
  return issues.map(({ path = [], message, input: cause }) => {
    const { origin, input: holder } = path.at(-1) ?? {};
    for (const [name, text] of Object.entries(holder ?? {}))
      if (isCredentialName(name) && typeof text === 'string') scrubber.learn(new Secret(text));
    const steps = path.map(({ key }) => (typeof key === 'number' ? key : String(key)));
    return { path: steps, message, cause, isName: origin === 'key' };
  });
}

/** With more lines, the first ones scroll away, and these often cause the others. */
const mostLines = 10;

/** One line for each mistake, in the order of the file: `monitor.yaml:12:5: targets[0].perod is not known`. */
function refusal(
  { offsetOf, position }: YamlFile,
  mistakes: readonly Mistake[],
  { file, scrubber }: { readonly file: string; readonly scrubber: Scrubber },
): SettingsError {
  const lines = mistakes
    .filter((mistake) => !mistakes.some((other) => isMisspelt(mistake, other)))
    .toSorted((one, other) => offsetOf(one) - offsetOf(other))
    .map((mistake) => {
      const name = scrubber.scrubWhole(pathText(mistake.path));
      return `${position(offsetOf(mistake))}: ${name} ${formatMistake(mistake, scrubber)}`;
    });
  const [...each] = new Set(lines);
  const more = each.splice(mostLines).length;
  return new SettingsError(more > 0 ? [...each, `${file}: and ${more} more like these`] : each);
}

/** Whether something is missing because its name is misspelt. */
const isMisspelt = ({ path, message }: Mistake, other: Mistake): boolean =>
  message === 'is missing' &&
  other.path.length === path.length &&
  other.message.includes(`did you mean ${path.at(-1)}?`);

/** Words, and numbers as in `every-cause-gets-the-same-401`; another name may be a credential. */
const words = /^_{0,2}([a-z]{1,16}|\d{1,3})([_-]+([a-z]{1,16}|\d{1,3}))*_{0,2}$/i;

/** `targets[0].endpoints[1].path` */
const pathText = (path: Mistake['path']): string =>
  path
    .map((step) => (typeof step === 'number' ? `[${step}]` : `.${words.test(step) ? step : '…'}`))
    .join('')
    .replace(/^\./, '') || 'the file';
