import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fromRoot } from '../process.ts';

/** The token that the monitor requires. */
export const monitorToken = 'planted-MONITOR-token-0b5c';

/** `prometheus.example.yml` in a folder of its own, with other addresses and an interval of one second. */
export function prometheusConfig(folder: string, monitor: URL, alertmanager: URL): string {
  writeFileSync(`${folder}/monitor-token`, monitorToken);
  return adapted('ops/prometheus/prometheus.example.yml', [
    ['_interval: 30s', '_interval: 1s'],
    ['../rules/*.yml', fasterRules(folder)],
    ['127.0.0.1:9093', alertmanager.host],
    ['127.0.0.1:9797', monitor.host],
    ['# authorization:', 'authorization:'],
    ['credentials_file: monitor-token', `credentials_file: ${folder}/monitor-token`],
  ]);
}

/** `alertmanager.example.yml`, which sends all alerts to one webhook at once. */
export const alertmanagerConfig = (webhook: URL): string =>
  adapted('ops/prometheus/alertmanager.example.yml', [
    [/\w+\.example\.com/g, webhook.host],
    [/(group_wait|group_interval): \d+\w/g, '$1: 1s'],
  ]);

/** Writes the rules with each minute replaced by a second. @returns the file */
export function fasterRules(folder: string): string {
  const inMinutes: Readonly<Record<string, number>> = { m: 1, h: 60, d: 1440 };
  const durations = /(\[|^ +(?:for|interval|keep_firing_for): )(\d+)([mhd])\b/gm;
  mkdirSync(folder, { recursive: true });
  const rules = readFileSync(fromRoot('ops/rules/contract-monitor.yml'), 'utf8').replaceAll(
    durations,
    (_, before, count, unit) => `${before}${Number(count) * (inMinutes[unit] ?? Number.NaN)}s`,
  );
  writeFileSync(`${folder}/rules.yml`, rules);
  return `${folder}/rules.yml`;
}

/** @throws when a text to be replaced is no longer in the example */
function adapted(name: string, changes: readonly (readonly [what: string | RegExp, by: string])[]) {
  return changes.reduce(
    (text, [what, by]) => {
      const changed = text.replaceAll(what, by);
      if (changed !== text) return changed;
      throw new Error(`${name} has no ${what} any more: change what the tests replace`);
    },
    readFileSync(fromRoot(name), 'utf8'),
  );
}
