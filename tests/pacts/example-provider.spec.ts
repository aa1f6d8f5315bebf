import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { freePort } from '../free-port.ts';
import { type Environment, processesWith } from '../process.ts';
import { needs } from '../programs.ts';
import { workflowOf } from '../workflows/document.ts';
import { type Machine, type Outcome, runJob } from '../workflows/runner.ts';
import { test as base, expect } from './broker/broker.ts';
import { linkProject, machineIn, root } from './checkout.ts';
import { clientOf, flow, leadingTo } from './flow-stage.ts';

needs('pact-broker');

const example = path.join(root, 'pacts/example/provider');
const account = { PUBLIC_API_KEY: 'Lantern-q7Wd3Xv', PUBLIC_API_SECRET_KEY: 'Gravel r5jT9%' };

/** A simulated machine of GitHub; the processes that it leaves running are killed at the end. */
const test = base.extend<{ machine: Machine & { readonly uploaded: string[] } }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of the fixtures from it.
  machine: async ({}, use) => {
    const folder = mkdtempSync(path.join(os.tmpdir(), 'provider-'));
    await use(exampleMachine(folder));
    for (const id of processesWith(`RUNNER_TEMP=${folder}`) ?? []) end(Number(id));
    rmSync(folder, { recursive: true });
  },
});

/** Kills a process. It may have ended already together with the npm that started it. */
function end(id: number): void {
  try {
    process.kill(id, 'SIGKILL');
  } catch {}
}

function exampleMachine(folder: string): Machine & { readonly uploaded: string[] } {
  const machine = machineIn(folder, 'p1');
  const uploaded: string[] = [];
  return {
    ...machine,
    uploaded,
    actions: {
      'actions/checkout': () => checkOut(machine.workspace),
      'actions/setup-node': () => {},
      'actions/upload-artifact': ({ path: where = '' }) =>
        void uploaded.push(...readdirSync(where)),
    },
  };
}

/** Copies the example, and links this project into its folder `suite`. */
function checkOut(workspace: string): void {
  const filter = (file: string): boolean => !/^(reports|node_modules)$/.test(path.basename(file));
  cpSync(example, workspace, { recursive: true, filter });
  mkdirSync(path.join(workspace, 'suite'));
  linkProject(path.join(workspace, 'suite'));
}

/** Runs the example's workflow like a push to its main branch. */
async function pushed(
  machine: Machine,
  settings: Environment,
  change = (text: string) => text,
): Promise<Outcome> {
  const text = readFileSync(path.join(example, '.github/workflows/contract.yml'), 'utf8')
    .replace(/OWNER\/public-api-contract@0+ #.*/, './suite')
    .replaceAll('8080', String(await freePort()))
    // This broker has users instead of tokens, and Pact's own client would send an empty token.
    .replaceAll('PACT_BROKER_TOKEN: ${{ secrets.PACT_BROKER_TOKEN }}', "NO_TOKEN: ''");
  const { jobs, env: ofWorkflow } = workflowOf(change(text));
  const { PACT_PROVIDER_NAME } = Object(ofWorkflow);
  const values = {
    event_name: 'push',
    sha: 'p1',
    ref_name: 'main',
    run_attempt: '1',
    'event.repository.default_branch': 'main',
  };
  const { PACT_BROKER_BASE_URL = '', ...credentials } = settings;
  const env = { ...machine.env, PACT_BROKER_BASE_URL, PACT_PROVIDER_NAME, ...credentials };
  const contexts = {
    github: { values },
    vars: { values: settings },
    secrets: { values: account },
  };
  return runJob(jobs.contract ?? {}, contexts, { ...machine, env });
}

test("the provider's workflow checks the contract and the pacts, and deploys only what is kept", async ({
  machine,
  emptyBroker: broker,
}) => {
  const settings = leadingTo(broker, broker);
  expect(await flow(['setup', '--environments', 'production'], settings)).toMatchObject({
    exit: 0,
  });
  await flow(['publish', path.join(root, 'pacts/sandbox')], settings, 'w1');
  const run = await pushed(machine, settings);
  const output = run.stdout + run.stderr;
  expect(output).toContain('✓ Contract holds');
  expect(output).toContain('published: public-api p1 keeps the pact of widget-report');
  expect(output).toContain('::warning title=can-i-deploy::the first deployment');
  expect(machine.uploaded).toEqual(
    expect.arrayContaining(['gate.json', 'pacts.json', 'pacts.xml']),
  );
  expect([run.standing, run.exit]).toEqual(['success', 0]);
  for (const secret of [...Object.values(account), broker.password])
    expect(output).not.toContain(secret);
  const client = await clientOf(broker);
  expect(
    JSON.stringify(await client.get('/pacticipants/public-api/versions/p1', 'version')),
  ).toContain('production');

  const server = path.join(machine.workspace, 'server.ts');
  const later = { ...machine, actions: { ...machine.actions, 'actions/checkout': () => {} } };
  writeFileSync(server, readFileSync(server, 'utf8').replace("name: 'A widget'", 'title: 1'));
  const failing = await pushed(later, settings, (text) =>
    text.replaceAll('|| github.sha', "|| 'p2'"),
  );
  expect(failing.stdout).toContain('published: public-api p2 fails the pact of widget-report');
  expect([failing.standing, failing.exit]).toEqual(['failure', 1]);
  expect(failing.stdout).not.toContain('your deployment goes here');
});

test('the action fails where pacts are to be verified and no broker is set', async ({
  machine,
}) => {
  const run = await pushed(machine, {});
  expect(run.stdout).toContain('✓ Contract holds');
  expect(run.stdout).toContain(
    '::error title=verify-pacts::PACT_BROKER_BASE_URL is empty: set it in env: of the step\n',
  );
  expect(run.stdout).not.toContain('Every pact is kept');
  expect([run.standing, run.exit]).toEqual(['failure', 2]);
});

test("the provider's workflow names the provider once", () => {
  const text = readFileSync(path.join(example, '.github/workflows/contract.yml'), 'utf8');
  const names = text.split('\n').filter((line) => /[ "']public-api(?![-/])/.test(line));
  expect(names).toEqual(['  PACT_PROVIDER_NAME: public-api']);
});
