import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { account } from '../monitor/provider.ts';
import type { Environment } from '../process.ts';
import { fasterRules } from './examples.ts';

/** The token that the monitors require. */
export const monitorToken = 'planted-MONITOR-token-0b5c';

/** A target in the targets file of the monitor, without its credentials. */
interface Target {
  readonly name: string;
  readonly url: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly ca?: string;
}

/** Writes a targets file. @returns the settings of a monitor that reads it */
export function targetsWritten(folder: string, targets: readonly Target[]): Environment {
  const file = path.join(folder, 'targets.yaml');
  const credentials = { apiKeyEnv: 'KEY', secretKeyEnv: 'SECRET' };
  const content = {
    // So long that a machine that stalls for seconds misses no run, and no alert says so.
    defaults: { period: '5s', endpoints: ['GET /public-api/v1/widgets'] },
    targets: targets.map((one) => ({ ...one, credentials })),
  };
  writeFileSync(file, JSON.stringify(content));
  return {
    MONITOR_CONFIG: file,
    MONITOR_STATE: 'none',
    MONITOR_AUTH_TOKEN: monitorToken,
    KEY: account.apiKey,
    SECRET: account.secretKey,
  };
}

/** Writes the files that Prometheus' configuration refers to. @returns their paths */
export function rulesWritten(folder: string): { readonly rules: string; readonly token: string } {
  const token = path.join(folder, 'monitor-token');
  writeFileSync(token, monitorToken);
  mkdirSync(path.join(folder, 'rules'));
  for (const [name, text] of Object.entries(fasterRules()))
    writeFileSync(path.join(folder, 'rules', name), text);
  return { token, rules: path.join(folder, 'rules/*.yml') };
}
