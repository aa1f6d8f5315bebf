import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { test as base, expect } from '@playwright/test';
import { isObject } from '../../contract/http/answer.ts';
import type { Account } from '../../pacts/broker/account.ts';
import { type Broker, startBroker } from '../../pacts/broker/start.ts';
import { type Sandbox, startSandbox } from '../../sandbox/provider.ts';
import { leaksOf } from '../gate/leaks.ts';
import { naming } from '../gate/process.ts';
import type { Environment, Ran } from '../process.ts';
import { filesBelow } from '../workflows/runner.ts';
import { type Arrived, type Server, serve } from './fake-broker.ts';
import { flow, leadingTo, start } from './flow-stage.ts';

/** An account that is easy to find in any form. */
const account = { apiKey: 'Lantern+planted/KEY=q7Wd3Xv?', secretKey: 'Gravel "planted" r5jT9%' };

/** A broker, a provider, and the receiver of the broker's webhooks. All of them start empty. */
export interface World {
  readonly broker: Broker;
  readonly sandbox: Sandbox;
  readonly receiver: Server;
  /** Runs a command of the flow. @param as `VERSION on BRANCH` */
  run(words: string, as: string, env?: Environment): Promise<Ran>;
  /** Runs `npm run pact:verify` as a process. */
  verify(as: string, env?: Environment, ...args: readonly string[]): Promise<Ran>;
  /** Leaks of the account, of any issued token, and of the broker's passwords, in any output or file. */
  leaks(): readonly string[];
}

export const test = base.extend<{ world: World }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of the fixtures from it.
  world: async ({}, use) => {
    const folder = test.info().outputPath('broker');
    await using broker = await startBroker({ folder });
    await using receiver = await serve(() => ({ body: {} }));
    const sandbox = await startSandbox({ account });
    const output: string[] = [];
    const settings = { ...naming(sandbox), ...leadingTo(broker, broker) };
    const verify: World['verify'] = (as, env = {}, ...args) => {
      const [version = '', branch = ''] = as.split(' on ');
      const named = { GIT_COMMIT: version, GIT_BRANCH: branch };
      const run = start('pacts/verify/main.ts', args, { ...settings, ...named, ...env });
      return run.ended.then(received);
    };
    const run: World['run'] = async (words, as, env) => {
      const [version, branch] = as.split(' on ');
      return received(await flow(words.split(' '), { ...settings, ...env }, version, branch));
    };
    const received = (ran: Ran): Ran => {
      output.push(ran.stdout, ran.stderr);
      return ran;
    };
    const leaks = (): string[] => leftIn(output, [broker, broker.readOnly], sandbox);
    await use({ broker, sandbox, receiver, run, verify, leaks });
    await sandbox.close();
  },
});

/** Searches the output of commands, and all files in the folder of the test. */
function leftIn(
  output: readonly string[],
  users: readonly Account[],
  { state }: Sandbox,
): string[] {
  const passwords = users.map(({ password }) => password);
  const tokens = [...state.tokens.keys()];
  expect(tokens.length).toBeGreaterThan(10);
  const leaks = leaksOf([account.apiKey, account.secretKey, ...passwords, ...tokens]);
  const folder = test.info().outputPath();
  const files = filesBelow(folder);
  expect(files).toContain('broker/pact_broker.sqlite3-wal');
  const texts = files.map(
    (name) => [name, readFileSync(path.join(folder, name), 'latin1')] as const,
  );
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
  const from = fileURLToPath(new URL(`../../pacts/${name}`, import.meta.url));
  const pact: { interactions: unknown[] } = JSON.parse(readFileSync(from, 'utf8'));
  const found = pact.interactions.find((one) => isObject(one) && one.description === description);
  if (!isObject(found)) throw new Error(`${name} has no "${description}"`);
  change(found);
  const file = test.info().outputPath(`${path.basename(name)}-${Date.now()}.json`);
  writeFileSync(file, JSON.stringify(pact));
  return file;
}

export { expect };
