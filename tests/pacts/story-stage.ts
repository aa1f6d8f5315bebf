import { globSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { backup, DatabaseSync } from 'node:sqlite';
import { expect } from '@playwright/test';
import { isObject } from '../../contract/json-value.ts';
import { type Sandbox, startSandbox } from '../../sandbox/provider.ts';
import type { LocalBroker } from '../../tools/broker/start.ts';
import { account, leaksOf } from '../gate/leaks.ts';
import { naming } from '../gate/process.ts';
import { type Environment, ours, type Ran, startProgram } from '../process.ts';
import { test as base, empty } from './broker/broker.ts';
import { leadingTo, start } from './broker-stage.ts';
import { type Arrived, type Server, serve } from './fake-broker.ts';

/** A broker, a provider, and the receiver of the broker's webhooks. All of them start empty. */
export interface World extends AsyncDisposable {
  readonly broker: LocalBroker;
  readonly sandbox: Sandbox;
  readonly receiver: Server;
  /** Runs `npx pact-broker publish`. @param as `VERSION on BRANCH` */
  publish(file: string, as: string): Promise<Ran>;
  /** Runs `npx pact-broker can-i-deploy`. */
  canIDeploy(pacticipant: string, version: string, environment: string): Promise<Ran>;
  /** Records a deployment with `npx pact-broker`. */
  deploy(pacticipant: string, version: string, environment: string): Promise<void>;
  /** Runs another command of `npx pact-broker`, which must succeed. */
  run(...words: readonly string[]): Promise<void>;
  /** Runs `npm run pact:verify` as a process. */
  verify(as: string, env?: Environment, ...args: readonly string[]): Promise<Ran>;
  /** Leaks of the account, of any issued token, and of the broker's passwords, in any output or file. */
  leaks(): readonly string[];
}

/** A world after `settle`. */
interface Settled extends World {
  /** A copy of the broker's database. */
  readonly copy: string;
}

/**
 * Tests that use `world` start with an empty broker; those that use `settledWorld`, after `settle`. That runs once for
 * all of them: each puts the copy of the database back, and has its own receiver.
 */
export const test = base.extend<{ world: World; settledWorld: World }, { settled: Settled }>({
  world: async ({ emptyBroker }, use) => {
    await using world = await openWorld(emptyBroker);
    await use(world);
  },
  settledWorld: async ({ settled }, use) => {
    await copyDatabase(settled.copy, settled.broker.database);
    await using receiver = await serve(() => ({ body: {} }));
    const events = ['--contract-requiring-verification-published', '--request', 'POST'];
    const webhook = ['--uuid', 'verification-of-public-api', '--provider', 'public-api'];
    await settled.run(
      'create-or-update-webhook',
      `${receiver.url}/hook`,
      ...events,
      ...webhook,
      '--data',
      payload,
    );
    await use({ ...settled, receiver });
  },
  settled: [
    async ({ broker }, use) => {
      await empty(broker);
      await using world = await openWorld(broker);
      await settle(world);
      const copy = path.join(path.dirname(broker.database), 'settled.sqlite3');
      await copyDatabase(broker.database, copy);
      await use({ ...world, copy });
    },
    { scope: 'worker', timeout: 240_000 },
  ],
});

/** Brokers may be at work on either of the databases. */
async function copyDatabase(from: string, to: string): Promise<void> {
  using database = new DatabaseSync(from);
  await backup(database, to);
}

/** What the broker's webhook sends, as pacts/README.md names it. */
const payload = JSON.stringify({
  client_payload: {
    pact_url: '${pactbroker.pactUrl}',
    sha: '${pactbroker.providerVersionNumber}',
    branch: '${pactbroker.providerVersionBranch}',
  },
});

export const monitorPact = ours('pacts/public-api-monitor-public-api.json');
export const examplePact = ours('pacts/sandbox/widget-report-public-api.json');

/** Deploys the first version of both consumers and of the provider to the environment `test`. */
async function settle({ run, publish, deploy, verify }: World): Promise<void> {
  for (const name of ['test', 'production']) await run('create-environment', '--name', name);
  await run('create-or-update-pacticipant', '--name', 'public-api', '--main-branch', 'main');
  expect((await publish(monitorPact, 'm1 on main')).exit).toBe(0);
  expect((await publish(examplePact, 'w1 on main')).exit).toBe(0);
  const verified = await verify('p1 on main');
  expect(verified.stderr + verified.stdout).toContain('published: public-api p1 keeps the pact of');
  expect(verified.exit).toBe(0);
  await deploy('public-api', 'p1', 'test');
  await deploy('widget-report', 'w1', 'test');
  await deploy('public-api-monitor', 'm1', 'test');
}

const program = ours('node_modules/.bin/pact-broker');

export async function openWorld(broker: LocalBroker): Promise<World> {
  const receiver = await serve(() => ({ body: {} }));
  const sandbox = await startSandbox({ account });
  const output: string[] = [];
  const settings = { ...naming(sandbox), ...leadingTo(broker, broker) };
  const verify: World['verify'] = (as, env = {}, ...args) => {
    const [version = '', branch = ''] = as.split(' on ');
    const named = { GIT_COMMIT: version, GIT_BRANCH: branch };
    const run = start('pacts/verify/main.ts', args, { ...settings, ...named, ...env });
    return run.ended.then(received);
  };
  const pactBroker = async (command: string, options: Environment, ...words: readonly string[]) => {
    const args = Object.entries(options).flatMap(([name, value]) => [`--${name}`, value]);
    return received(
      await startProgram(test.info().outputPath(), program, [command, ...words, ...args], {
        ...{ PATH: process.env.PATH ?? '', PACT_DO_NOT_TRACK: 'true' },
        ...{ PACT_BROKER_HTTP_RETRIES: '2', ...leadingTo(broker, broker) },
      }).ended,
    );
  };
  const run: World['run'] = async (command = '', ...words) => {
    const ran = await pactBroker(command, {}, ...words);
    expect(ran.exit, ran.stdout).toBe(0);
  };
  const received = (ran: Ran): Ran => {
    output.push(ran.stdout, ran.stderr);
    return ran;
  };
  return {
    broker,
    sandbox,
    receiver,
    run,
    publish(file, as) {
      const [version = '', branch = ''] = as.split(' on ');
      return pactBroker('publish', { 'consumer-app-version': version, branch }, file);
    },
    canIDeploy: (pacticipant, version, environment) =>
      pactBroker('can-i-deploy', { pacticipant, version, 'to-environment': environment }),
    deploy: (pacticipant, version, environment) =>
      run(
        'record-deployment',
        ...['--pacticipant', pacticipant, '--version', version],
        ...['--environment', environment],
      ),
    verify,
    leaks: () => leftIn(output, broker, sandbox),
    async [Symbol.asyncDispose]() {
      await sandbox.close();
      await receiver[Symbol.asyncDispose]();
    },
  };
}

/** Searches the output of commands, and all files in the folders of the test and of the broker. */
function leftIn(output: readonly string[], broker: LocalBroker, { state }: Sandbox): string[] {
  const passwords = [broker.password, broker.readOnly.password];
  const tokens = [...state.tokens.keys()];
  expect(tokens.length).toBeGreaterThan(10);
  const leaks = leaksOf([account.apiKey, account.secretKey, ...passwords, ...tokens]);
  const folders = [test.info().outputPath(), path.dirname(broker.database)];
  const files = folders
    .flatMap((folder) => globSync('**', { cwd: folder, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name));
  expect(files).toContain(`${broker.database}-wal`);
  const texts = files.map((file) => [file, readFileSync(file, 'latin1')] as const);
  return [['what was said', output.join('\n')] as const, ...texts].flatMap(([where, text]) =>
    leaks(text).map((what) => `${where}: ${what}`),
  );
}

/** The requests of the broker's webhooks. @returns the payload of the first one that is about this consumer */
export async function called(
  { receiver }: World,
  consumer: string,
): Promise<{ PACT_URL: string; as: string }> {
  const about = ({ body }: Arrived): boolean => body.includes(`/consumer/${consumer}/`);
  await expect.poll(() => receiver.arrived.some(about), { timeout: 240_000 }).toBe(true);
  const { client_payload: payload } = JSON.parse(receiver.arrived.find(about)?.body ?? '');
  return { PACT_URL: payload.pact_url, as: `${payload.sha} on ${payload.branch}` };
}

type Change = (interaction: Record<string, unknown>) => void;

/** A committed pact with one changed interaction, in a file. */
export function changed(name: string, description: string, change: Change): string {
  const pact: { interactions: unknown[] } = JSON.parse(readFileSync(name, 'utf8'));
  const found = pact.interactions.find((one) => isObject(one) && one.description === description);
  if (!isObject(found)) throw new Error(`${name} has no "${description}"`);
  change(found);
  const file = test.info().outputPath(`${path.basename(name)}-${Date.now()}.json`);
  writeFileSync(file, JSON.stringify(pact));
  return file;
}

export { expect };
