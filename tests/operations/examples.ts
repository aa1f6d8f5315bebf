import { readdirSync, readFileSync } from 'node:fs';

/** The root of the project. */
const root = new URL('../../', import.meta.url);

/** The addresses and paths that replace those in the examples. */
export interface Places {
  readonly monitors: readonly URL[];
  readonly alertmanager: URL;
  /** A file, or a pattern of files. */
  readonly rules: string;
  /** The file with the token that the monitors require. */
  readonly token: string;
}

/** `prometheus.example.yml` with other ports and paths, and an interval of one second. */
export const prometheusConfig = ({ monitors, alertmanager, rules, token }: Places): string =>
  adapted('ops/prometheus/prometheus.example.yml', [
    ['_interval: 30s', '_interval: 1s'],
    ['../rules/*.yml', rules],
    ['127.0.0.1:9093', alertmanager.host],
    ['- targets: [127.0.0.1:9797]', `- targets: [${monitors.map(({ host }) => host).join(', ')}]`],
    ['# authorization:', 'authorization:'],
    ['credentials_file: monitor-token', `credentials_file: ${token}`],
    ['- url: http://127.0.0.1:9797/sd', monitors.map(discovery(token)).join('\n      ')],
  ]);

/** How the targets of a monitor are discovered. In the example, the text after it is for the last monitor. */
const discovery =
  (token: string) =>
  ({ origin }: URL, index: number, { length }: readonly URL[]): string => {
    const authorization = `authorization: { type: Bearer, credentials_file: ${token} }`;
    return `- url: ${origin}/sd${index + 1 < length ? `\n        ${authorization}` : ''}`;
  };

/** `alertmanager.example.yml`, which sends all alerts to one webhook at once. */
export const alertmanagerConfig = (webhook: URL): string =>
  adapted('ops/prometheus/alertmanager.example.yml', [
    [/\w+\.example\.com/g, webhook.host],
    [/(group_wait|group_interval): \d+\w/g, '$1: 1s'],
  ]);

/** The rules of `ops/rules`, by name, with each minute replaced by a second. */
export function fasterRules(): Readonly<Record<string, string>> {
  const folder = new URL('ops/rules/', root);
  const names = readdirSync(folder).filter((name) => name.endsWith('.yml'));
  return Object.fromEntries(
    names.map((name) => [name, faster(readFileSync(new URL(name, folder), 'utf8'))]),
  );
}

const faster = (rules: string): string =>
  rules.replaceAll(
    /(\[|\boffset |^ +(?:for|interval|keep_firing_for): )(\d+)([mhd])\b/gm,
    (_, before, count, unit) => `${before}${Number(count) * (inMinutes[unit] ?? Number.NaN)}s`,
  );

const inMinutes: Readonly<Record<string, number>> = { m: 1, h: 60, d: 1440 };

type Change = readonly [what: string | RegExp, by: string];

/** @throws when a text to be replaced is no longer in the example */
function adapted(name: string, changes: readonly Change[]): string {
  const example = readFileSync(new URL(name, root), 'utf8');
  return changes.reduce((text, [what, by]) => {
    const changed = text.replaceAll(what, by);
    if (changed !== text) return changed;
    throw new Error(`${name} has no ${what} any more: change what the tests replace`);
  }, example);
}
