import { mkdtempSync } from 'node:fs';
import path from 'node:path';
import type { Environment } from '../process.ts';
import { needs } from '../programs.ts';
import type { Contexts } from '../workflows/expression.ts';
import { isMet } from '../workflows/expression.ts';
import { type Machine, type Outcome, runJob } from '../workflows/runner.ts';
import { workflow } from '../workflows/stage.ts';
import { expect, test } from './broker/broker.ts';
import { linkProject, machineIn } from './checkout.ts';
import { flow, leadingTo, pactFile } from './flow-stage.ts';

needs('pact-broker');
const { publish = {} } = workflow('pact-consumer.yml').jobs;
const { verify = {} } = workflow('pact-provider.yml').jobs;

/** The cause of a run: a pushed commit, or a pact that the webhook has named. */
interface About {
  readonly sha: string;
  readonly branch?: string;
  readonly pactUrl?: string;
}

/** The contexts that GitHub sets for a push, or for a repository_dispatch, which runs on the default branch. */
function contextsOf(about: About, settings: Environment): Contexts {
  const { sha, branch = 'main', pactUrl } = about;
  const dispatched = pactUrl !== undefined;
  return {
    github: {
      values: {
        event_name: dispatched ? 'repository_dispatch' : 'push',
        sha: dispatched ? 'of-the-default-branch' : sha,
        ref_name: dispatched ? 'main' : branch,
        'event.repository.default_branch': 'main',
        ...(dispatched
          ? {
              'event.client_payload.pact_url': pactUrl,
              'event.client_payload.sha': sha,
              'event.client_payload.branch': branch,
            }
          : {}),
      },
    },
    vars: { values: settings },
    secrets: { values: settings },
  };
}

/** A simulated machine of GitHub with a checkout of this project. */
function machineFor({ sha, branch }: About, checkedOut: string[]): Machine {
  const folder = mkdtempSync(path.join(test.info().outputPath(), 'machine-'));
  const machine = machineIn(folder, sha, branch);
  linkProject(machine.workspace);
  return {
    ...machine,
    actions: {
      'actions/checkout': ({ ref = 'no ref' }) => checkedOut.push(ref),
      'actions/setup-node': () => {},
    },
  };
}

/** Runs a job of a workflow after a push, or for a pact that the webhook has named. */
async function runOf(job: typeof verify, about: About, settings: Environment) {
  const checkedOut: string[] = [];
  const machine = machineFor(about, checkedOut);
  const outcome: Outcome = await runJob(job, contextsOf(about, settings), machine);
  const output = `${outcome.stdout}${outcome.stderr}`;
  expect(output).not.toContain(settings.PACT_BROKER_PASSWORD);
  return { exit: outcome.exit, output: output, checkedOut };
}

test('consumer and provider are deployed by their workflows, the first time with a warning', async ({
  emptyBroker,
}) => {
  const settings = leadingTo(emptyBroker, emptyBroker);
  await flow(['setup', '--environments', 'production'], settings);
  const consumer = { sha: 'c1' };
  const provider = { sha: 'p1' };

  const first = await runOf(publish, consumer, settings);
  expect(first.exit).toBe(0);
  expect(first.output).toContain('published: public-api-monitor c1 with public-api');
  expect(first.output).toContain('::warning title=can-i-deploy::nothing is recorded in production');
  expect(first.output).toContain(
    'first: public-api-monitor c1 finds nothing to be verified against',
  );

  const verified = await runOf(verify, provider, settings);
  expect(verified.checkedOut).toEqual(['p1']);
  expect(verified.output).toContain(
    'published: public-api p1 keeps the pact of public-api-monitor',
  );
  expect(verified.output).toContain('first: public-api p1 finds nothing to be verified against');
  expect(verified.exit).toBe(0);
  await flow(
    ['record-deployment', '--pacticipant', 'public-api', '--environment', 'production'],
    settings,
    'p1',
  );

  const second = await runOf(publish, consumer, settings);
  expect(second.exit).toBe(0);
  expect(second.output).toContain('yes: public-api-monitor c1 may go to production');

  const branch = await runOf(publish, { sha: 'c2', branch: 'feat/x' }, settings);
  expect(branch.exit).toBe(0);
  expect(branch.output).not.toContain('can-i-deploy');
});

test('a webhook run verifies only the named pact, by the named version', async ({
  emptyBroker: broker,
}) => {
  const settings = leadingTo(broker, broker);
  await flow(['publish'], settings, 'c1');
  await flow(['publish', pactFile('named', { 'a call': 401 })], settings, 'n1');
  const pactUrl = new URL('/pacts/provider/public-api/consumer/named/version/n1', broker.baseUrl);
  const run = await runOf(verify, { sha: 'p1', branch: 'next', pactUrl: pactUrl.href }, settings);
  expect(run.checkedOut).toEqual(['p1']);
  expect(run.output).toContain('published: public-api p1 keeps the pact of named');
  expect(run.output).not.toContain('public-api-monitor');
  expect(run.output).not.toContain('can-i-deploy');
  expect(run.exit).toBe(0);
});

test('no job runs without a broker, and that is not a success', () => {
  const without = contextsOf({ sha: 'c1' }, {});
  const having = contextsOf({ sha: 'c1' }, { PACT_BROKER_BASE_URL: 'https://broker.example.com' });
  for (const job of [publish, verify]) {
    expect(isMet(job.if ?? '', without, 'success')).toBe(false);
    expect(isMet(job.if ?? '', having, 'success')).toBe(true);
  }
});
