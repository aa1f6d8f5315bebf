import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { startSandbox } from '../../sandbox/provider.ts';
import type { LocalBroker } from '../../tools/broker/start.ts';
import { naming } from '../gate/process.ts';
import { type Environment, fromRoot, type Ran, startNode, startProgram } from '../process.ts';
import { test as base, expect, leadingTo } from '../setup/real-broker.ts';
import { serve } from './fake-server.ts';

export type World = Awaited<ReturnType<typeof openWorld>>;

/**
 * Tests get a world: a broker, a provider, and the receiver of the broker's webhooks. Two consumers and the provider
 * are deployed to the environment `test`. A later test sees what an earlier one did.
 */
export const test = base.extend<object, { world: World }>({
  world: [
    async ({ broker }, use) => {
      await using world = await openWorld(broker);
      await settle(world);
      await use(world);
    },
    { scope: 'worker', timeout: 240_000 },
  ],
});

export const monitorPact = fromRoot('pacts/public-api-monitor-public-api.json');
export const examplePact = fromRoot('pacts/sandbox/widget-report-public-api.json');

/** What the broker's webhook sends, as pacts/README.md names it. */
const payload = JSON.stringify({
  client_payload: {
    pact_url: '${pactbroker.pactUrl}',
    sha: '${pactbroker.providerVersionNumber}',
    branch: '${pactbroker.providerVersionBranch}',
  },
});

async function settle({ run, publish, deploy, verify, receiver }: World): Promise<void> {
  await Promise.all([
    run('create-environment --name test'),
    run('create-or-update-pacticipant --name public-api --main-branch main'),
  ]);
  await Promise.all([publish(monitorPact, 'm1 on main'), publish(examplePact, 'w1 on main')]);
  const verified = await verify('p1 on main');
  expect(verified.stderr + verified.stdout).toContain('published: public-api p1 keeps the pact of');
  expect(verified).toExitWith(0);
  await Promise.all([
    deploy('public-api', 'p1'),
    deploy('widget-report', 'w1'),
    deploy('public-api-monitor', 'm1'),
    run(
      `create-or-update-webhook ${receiver.url}/hook --uuid verify-public-api --provider public-api --contract-requiring-verification-published --request POST --data ${payload}`,
    ),
  ]);
}

async function openWorld(broker: LocalBroker) {
  const receiver = await serve(() => ({ body: {} }));
  const sandbox = await startSandbox();
  /** Runs a command of `npx pact-broker`. */
  const pactBroker = (words: string, ...more: readonly string[]): Promise<Ran> => {
    const args = [...words.split(' '), ...more];
    return startProgram(test.info().outputPath(), fromRoot('node_modules/.bin/pact-broker'), args, {
      ...{ PATH: process.env.PATH ?? '', PACT_DO_NOT_TRACK: 'true', PACT_BROKER_HTTP_RETRIES: '2' },
      ...leadingTo(broker),
    }).ended;
  };
  const run = async (words: string, ...more: readonly string[]): Promise<void> =>
    expect(await pactBroker(words, ...more)).toExitWith(0);
  return {
    ...{ broker, sandbox, receiver, run },
    /** @param as as `VERSION on BRANCH` */
    publish: (file: string, as: string): Promise<void> =>
      run(`publish --consumer-app-version ${as.replace(' on ', ' --branch ')}`, file),
    canIDeploy: (name: string, version: string): Promise<Ran> =>
      pactBroker(`can-i-deploy --pacticipant ${name} --version ${version} --to-environment test`),
    deploy: (name: string, version: string): Promise<void> =>
      run(`record-deployment --pacticipant ${name} --version ${version} --environment test`),
    /** Runs `npm run pact:verify` as a process. */
    verify(as: string, env: Environment = {}, ...args: readonly string[]): Promise<Ran> {
      const [GIT_COMMIT = '', GIT_BRANCH = ''] = as.split(' on ');
      const version = { GIT_COMMIT, GIT_BRANCH };
      const own = { ...naming(sandbox), ...leadingTo(broker), ...version, ...env };
      const cwd = mkdtempSync(path.join(test.info().outputPath(), 'run-'));
      return startNode(cwd, [fromRoot('pacts/verify/main.ts'), ...args], own).ended;
    },
    async [Symbol.asyncDispose]() {
      await sandbox.close();
      await receiver[Symbol.asyncDispose]();
    },
  };
}

/** The request of the broker's webhook about a consumer: the pact's address, and the provider's version and branch. */
export async function webhookAbout({ receiver: { arrived } }: World, consumer: string) {
  const find = () => arrived.find(({ body }) => body.includes(`/consumer/${consumer}/`));
  await expect.poll(find, { timeout: 240_000 }).toBeDefined();
  const { client_payload: sent } = JSON.parse(find()?.body ?? '');
  return { PACT_URL: String(sent.pact_url), as: `${sent.sha} on ${sent.branch}` };
}

/** A committed pact in a file, with an interaction that a text replaces by another one. */
export function changed(name: string, from: string, to: string, added?: object): string {
  const text = JSON.stringify(JSON.parse(readFileSync(name, 'utf8')));
  expect(text).toContain(from);
  const pact = JSON.parse(text.replace(from, to));
  if (added !== undefined) pact.interactions.push(added);
  const file = test.info().outputPath(`${path.basename(name)}-${Date.now()}.json`);
  writeFileSync(file, JSON.stringify(pact));
  return file;
}

export { expect };
