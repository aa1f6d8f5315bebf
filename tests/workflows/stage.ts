import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { test as base, expect } from '@playwright/test';
import type { Sandbox, SandboxOptions } from '../../sandbox/provider.ts';
import { startSandbox } from '../../sandbox/provider.ts';
import { account, foundIn } from '../gate/leaks.ts';
import { paths } from '../house/tree.ts';
import { type Workflow, workflowOf } from './document.ts';
import type { Contexts } from './expression.ts';
import type { Forge } from './gh.ts';
import { filesBelow, foldersIn, type Machine, type Outcome } from './runner.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const inRoot = (file: string): string => path.join(root, file);

export const secrets = {
  PUBLIC_API_KEY: account.apiKey,
  PUBLIC_API_SECRET_KEY: account.secretKey,
};

/** A GitHub machine with only Node, bash, and the tests' own `gh` and `npm`. */
export interface Stage extends Machine {
  /** The files of each artifact of a run, by its name. */
  readonly artifacts: Map<string, readonly string[]>;
  readonly forge: { read(): Forge; write(forge: Partial<Forge>): void };
}

/** The files of a checkout that the gate, the action and their workflows consist of. */
const checkedOut = paths.filter((name) =>
  /^((contract|gate|probes|provider|sandbox|schemas|settings|tools\/setup|tests\/contract)\/|[^/]+$)/.test(
    name,
  ),
);

/**
 * Tests of workflows, each on a new machine, against providers that end with the test. The machines of a worker have
 * the same paths, so that Node finds the compiled code of the machine before.
 */
export const test = base.extend<
  {
    stage: Stage;
    serve: (options?: SandboxOptions) => Promise<Sandbox>;
  },
  { machines: string }
>({
  machines: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of the fixtures from it.
    async ({}, use) => {
      const folder = await mkdtemp(path.join(os.tmpdir(), 'actions-'));
      await use(folder);
      await rm(folder, { recursive: true, force: true });
    },
    { scope: 'worker' },
  ],
  stage: async ({ machines }, use) => {
    const folder = path.join(machines, 'machine');
    await use(stageIn(folder, path.join(machines, 'compile')));
    await rm(folder, { recursive: true, force: true });
  },
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of the fixtures from it.
  serve: async ({}, use) => {
    const started: Sandbox[] = [];
    await use(async (options = {}) => {
      const sandbox = await startSandbox({ account, ...options });
      started.push(sandbox);
      return sandbox;
    });
    for (const sandbox of started) await sandbox.close();
  },
});

function stageIn(folder: string, compileCache: string): Stage {
  const folders = foldersIn(folder);
  const { workspace, temporary } = folders;
  const state = path.join(folder, 'forge.json');
  const artifacts = new Map<string, readonly string[]>();
  const write = (forge: Partial<Forge>): void =>
    writeFileSync(state, JSON.stringify({ calls: [], labels: [], issues: [], ...forge }));
  write({});
  return {
    ...folders,
    artifacts,
    forge: { read: () => JSON.parse(readFileSync(state, 'utf8')), write },
    env: {
      PATH: [
        programsIn(path.join(folder, 'bin')),
        path.dirname(process.execPath),
        '/usr/bin',
        '/bin',
      ].join(path.delimiter),
      HOME: temporary,
      TMPDIR: temporary,
      NODE_COMPILE_CACHE: compileCache,
      CI: 'true',
      GITHUB_ACTIONS: 'true',
      GITHUB_WORKSPACE: workspace,
      RUNNER_TEMP: temporary,
      GITHUB_SERVER_URL: 'https://forge.example',
      GITHUB_REPOSITORY: 'owner/api',
      GITHUB_RUN_ID: '42',
      GH_STATE: state,
    },
    actions: {
      'actions/checkout': ({ path: where = '.' }) => checkOut(path.join(workspace, where)),
      'actions/setup-node': ({ 'node-version': version }) => expect(version).toBe('24'),
      'actions/upload-artifact': ({ name = '', path: where = '' }) => {
        expect(artifacts.has(name)).toBe(false);
        artifacts.set(name, filesBelow(where));
      },
    },
  };
}

/** Replacements for programs that use the network. */
function programsIn(folder: string): string {
  mkdirSync(folder);
  const programs = {
    gh: new URL('gh.ts', import.meta.url),
    npm: new URL('npm.ts', import.meta.url),
  };
  for (const [name, program] of Object.entries(programs)) {
    const script = `#!/bin/sh\nexec '${process.execPath}' '${fileURLToPath(program)}' "$@"\n`;
    writeFileSync(path.join(folder, name), script, { mode: 0o755 });
  }
  return folder;
}

function checkOut(where: string): void {
  for (const name of checkedOut) {
    mkdirSync(path.dirname(path.join(where, name)), { recursive: true });
    copyFileSync(inRoot(name), path.join(where, name));
  }
}

/** A workflow of this repository. */
export const workflow = (name: string): Workflow =>
  workflowOf(readFileSync(inRoot(`.github/workflows/${name}`), 'utf8'));

/** The contexts of a job's expressions. @param values by the name of the context */
export function contextsWith(
  values: Readonly<Record<'inputs' | 'secrets' | 'vars', Readonly<Record<string, string>>>>,
): Contexts {
  const { inputs } = values;
  const github = { run_attempt: '1', token: 'token-of-the-job', repository: 'owner/api' };
  const job = { workflow_repository: 'owner/suite', workflow_sha: 'c0ffee' };
  return {
    github: { values: github, known: Object.keys(github) },
    job: { values: job, known: Object.keys(job) },
    inputs: { values: inputs, known: Object.keys(inputs) },
    secrets: { values: values.secrets },
    vars: { values: values.vars },
  };
}

/** The workflow commands in the output of a job. */
export const annotationsOf = ({ stdout, stderr }: Outcome): string[] =>
  `${stdout}\n${stderr}`.split('\n').filter((line) => line.startsWith('::'));

/** Finds the account and these tokens in everything that a job wrote. The list should be empty. */
export function leftOf(outcome: Outcome, stage: Stage, tokens: Iterable<string>): string[] {
  const { exit, stdout, stderr, outputs } = outcome;
  const message = { exit, stdout: `${stdout}${JSON.stringify(outputs)}`, stderr };
  return foundIn({ ...message, folder: stage.temporary }, tokens);
}

export { expect };
