import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { account } from './provider.ts';

/** A folder with a targets file that can be written again. */
export function targetsFile(baseUrl: URL) {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'targets-'));
  const file = path.join(folder, 'targets.yaml');
  return {
    folder,
    env: {
      MONITOR_CONFIG: file,
      MONITOR_STATE: 'none',
      KEY: account.apiKey,
      SECRET: account.secretKey,
    },
    write(text: string) {
      writeFileSync(file, text);
    },
    name(...names: readonly string[]) {
      const targets = names.map(
        (name) =>
          `  - { name: ${name}, url: "${baseUrl.href}", credentials: { apiKeyEnv: KEY, secretKeyEnv: SECRET } }`,
      );
      writeFileSync(
        file,
        `defaults: { period: 1s, endpoints: [GET /public-api/v1/widgets] }\ntargets:\n${targets.join('\n')}\n`,
      );
    },
    [Symbol.dispose]: () => rmSync(folder, { recursive: true }),
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
