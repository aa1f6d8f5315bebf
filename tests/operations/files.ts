import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { watchingTargets } from '../monitor/targets-file.ts';
import type { Environment } from '../process.ts';
import { fasterRules } from './examples.ts';

/** The token that the monitors require. */
export const monitorToken = 'planted-MONITOR-token-0b5c';

/** Writes a targets file. @returns the settings of a monitor that reads it */
export const targetsWritten = (targets: Parameters<typeof watchingTargets>[0]): Environment => ({
  // So long that a machine that stalls for seconds misses no run, and no alert says so.
  ...watchingTargets(targets, { period: '5s' }),
  MONITOR_AUTH_TOKEN: monitorToken,
});

/** Writes the files that Prometheus' configuration refers to. @returns their paths */
export function rulesWritten(folder: string): { readonly rules: string; readonly token: string } {
  const token = path.join(folder, 'monitor-token');
  writeFileSync(token, monitorToken);
  mkdirSync(path.join(folder, 'rules'));
  for (const [name, text] of Object.entries(fasterRules()))
    writeFileSync(path.join(folder, 'rules', name), text);
  return { token, rules: path.join(folder, 'rules/*.yml') };
}
