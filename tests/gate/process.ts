import type { ChildProcess } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import type { Behaviour } from '../../sandbox/behaviour.ts';
import { type Sandbox, type SandboxOptions, startSandbox } from '../../sandbox/provider.ts';
import { type Environment, fromRoot, type Ran, startNode } from '../process.ts';
import { test as base, expect } from '../test.ts';

const main = fromRoot('gate/main.ts');

/** The results of a run of the gate. */
export interface Run extends Ran {
  /** The folder where it was started, which contains its reports. */
  readonly folder: string;
}

/** A program that runs as a separate process, and leaves its reports in a folder. */
export interface Reporting {
  readonly child: ChildProcess;
  readonly ended: Promise<Run>;
}

/** Starts the gate in a folder. */
export const startGate = (
  folder: string,
  args: readonly string[],
  env: Environment = {},
): Reporting => startReporting(folder, [main, ...args], env);

/** Starts a program whose reports are examined afterwards. */
export function startReporting(
  folder: string,
  args: readonly string[],
  env: Environment,
): Reporting {
  const { child, ended } = startNode(folder, args, env);
  return { child, ended: ended.then((ran): Run => ({ ...ran, folder })) };
}

/** The settings of a sandbox as the provider, with one endpoint and its test clock. */
export function naming({ baseUrl, clockUrl, state }: Sandbox): Environment {
  return { ...namingWithoutClock(baseUrl, state.account), PUBLIC_API_CLOCK_URL: clockUrl.href };
}

/** The settings of a provider that has no test clock. */
export const namingWithoutClock = (
  baseUrl: URL,
  { apiKey, secretKey }: { readonly apiKey: string; readonly secretKey: string } = unknownAccount,
): Environment => ({
  PUBLIC_API_BASE_URL: baseUrl.href,
  PUBLIC_API_KEY: apiKey,
  PUBLIC_API_SECRET_KEY: secretKey,
  PUBLIC_API_ENDPOINTS: 'GET /public-api/v1/widgets',
});

/** An unknown account. */
const unknownAccount = { apiKey: 'planted-KEY-7ae1c9', secretKey: 'planted-SECRET-55&f0<b2' };

/** A new empty folder. */
export const freshFolder = (): Promise<string> => mkdtemp(path.join(os.tmpdir(), 'gate-test-'));

export const removeFolder = (folder: string): Promise<void> =>
  rm(folder, { recursive: true, force: true });

/** Tests of the gate start it in their own folder, against providers that end with the test. */
export const test = base.extend<{
  folder: string;
  gate: (args: readonly string[], env?: Environment) => Promise<Run>;
  serve: (options?: SandboxOptions | Behaviour) => Promise<Sandbox>;
}>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of the fixtures from it.
  folder: async ({}, use) => {
    const folder = await freshFolder();
    await use(folder);
    await removeFolder(folder);
  },
  gate: async ({ folder }, use) => {
    await use((args, env) => startGate(folder, args, env).ended);
  },
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of the fixtures from it.
  serve: async ({}, use) => {
    const started: Sandbox[] = [];
    await use(async (options = {}) => {
      const sandbox = await startSandbox('mint' in options ? { behaviour: options } : options);
      started.push(sandbox);
      return sandbox;
    });
    for (const sandbox of started) await sandbox.close();
  },
});

/** The last line on the terminal, which is the verdict. */
export const closingLine = ({ stdout }: Ran): string | undefined =>
  stdout.trim().split('\n').at(-1);

/** A report of a run. */
export const report = (run: Run, name: string): Promise<string> =>
  readFile(path.join(run.folder, 'reports', name), 'utf8');

export { expect };
