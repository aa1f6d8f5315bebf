import { writeFileSync } from 'node:fs';
import { test } from '@playwright/test';
import { account } from './provider.ts';

/** Writes the targets file of a test. @returns the settings of a monitor that reads it, and keeps no state */
export function watchingTargets(
  targets: readonly {
    readonly name: string;
    readonly url: string;
    readonly monitor?: object;
    readonly ca?: string;
  }[],
  monitor: object,
) {
  const file = test.info().outputPath('targets.yaml');
  const credentials = { apiKeyEnv: 'KEY', secretKeyEnv: 'SECRET' };
  const content = {
    defaults: { endpoints: ['GET /public-api/v1/widgets'], monitor },
    targets: targets.map((target) => ({ ...target, credentials })),
  };
  writeFileSync(file, JSON.stringify(content));
  const { apiKey: KEY, secretKey: SECRET } = account;
  return { PUBLIC_API_TARGETS: file, MONITOR_STATE: 'none', KEY, SECRET };
}

/** A folder with a targets file that can be written again. */
export function targetsFile({ href: url }: URL) {
  const folder = test.info().outputPath();
  const name = (...names: readonly string[]) =>
    watchingTargets(
      names.map((name) => ({ name: name, url })),
      { period: '1s' },
    );
  const env = name();
  return {
    folder,
    env,
    name,
    write: (text: string) => writeFileSync(env.PUBLIC_API_TARGETS, text),
  };
}

/** The names of the targets that a monitor watches. */
export const targetsAt = async (page: URL): Promise<string[]> => {
  const { targets } = (await (await fetch(new URL('/status.json', page))).json()) as {
    targets: { name: string }[];
  };
  return targets.map(({ name }) => name);
};

/** The line of this sample in `/metrics`. */
export const sample = async (page: URL, name: string): Promise<string | undefined> =>
  (await (await fetch(new URL('/metrics', page))).text())
    .split('\n')
    .find((line) => line.startsWith(`${name} `));
