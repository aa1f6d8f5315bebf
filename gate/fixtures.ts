import { test as base, expect } from '@playwright/test';
import type { Answer } from '../contract/http/answer.ts';
import { bearer } from '../contract/http/client.ts';
import type { CallOptions, Endpoint } from '../contract/http/request.ts';
import type { Probe, Stage } from '../contract/probe.ts';
import { failuresIn } from '../contract/report/contract-report.ts';
import { failureText } from '../contract/report/report.ts';
import type { ProbeResult } from '../contract/round/attempt.ts';
import { verdicts } from '../contract/round/verdict.ts';
import type { Account, Token } from '../contract/secrets/secret.ts';
import type { Clock } from '../contract/time/clock.ts';
import { environmentOf } from '../settings.ts';
import { probesIn, probesOfRun, remainingVariable, selectedVariable, titleOf } from './run.ts';
import { WorkerRound } from './worker-round.ts';

export { expect, titleOf };

/** The probes of a stage that are tests of this run. */
export const probesOf = (stage: Stage): readonly Probe[] =>
  (probesIn(selectedVariable) ?? probesOfRun().probes).filter((probe) => probe.stage === stage);

const isReported = (): boolean => process.env[remainingVariable] !== undefined;

/** What a team's own tests can do with the provider. Secrets are a type that prints nothing. */
export interface Api {
  /** A token, new or repeated. */
  token(): Promise<Token>;
  /** Calls an endpoint with a token, or without one. */
  call(endpoint: Endpoint, token?: Token, options?: CallOptions): Promise<Answer>;
}

interface Fixtures {
  api: Api;
  account: Account;
  endpoints: readonly Endpoint[];
  /** Simulated time. Without a test clock the test is skipped. */
  clock: Clock;
  sameWorker: undefined;
}

/** Playwright's `test` with the provider that this run judges. */
export const test = base.extend<Fixtures, { round: WorkerRound }>({
  round: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of the fixtures from it.
    async ({}, use) => {
      const round = new WorkerRound();
      await use(round);
      await round.close();
      const unjudged = round.unjudged();
      // Our reporter says so in its own words. Without it a run of skipped tests would pass.
      if (unjudged !== undefined && !isReported()) throw withoutStack(unjudged);
    },
    { scope: 'worker', timeout: 0 },
  ],
  api: async ({ round }, use) => {
    const service = await round.service();
    base.skip(service === undefined, round.unjudged());
    if (service === undefined) return;
    await use({
      token: () => service.issue(round.target.account),
      call: (endpoint, token, options) =>
        service.call(endpoint, { ...(token && bearer(token)), ...options }),
    });
  },
  account: ({ round }, use) => use(round.target.account),
  endpoints: ({ round }, use) => use(round.target.endpoints),
  clock: async ({ round }, use) => {
    await round.service();
    const simulated = round.simulate(use);
    base.skip(simulated === undefined, 'no test clock');
    await simulated;
  },
  sameWorker: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of the fixtures from it.
    async ({}, use, testInfo) => {
      await use(undefined);
      // Playwright starts a new worker after an unexpected failure. Our reporter counts this one as unexpected.
      if (isReported() && testInfo.status === 'failed') testInfo.expectedStatus = 'failed';
    },
    { auto: true },
  ],
});

/** Fails the test of a probe that found a violation, and skips it if its clauses are unverified. */
export async function judge(probe: Probe, round: WorkerRound): Promise<void> {
  const results: ProbeResult[] = [];
  for (const { endpoint, result } of round.runsOf(probe))
    await test
      .step(endpoint, async () => {
        const ended = await result;
        if (ended === undefined) return;
        results.push(ended);
        const { outcome, findings, detail } = ended;
        if (outcome === 'defect') throw withoutStack(`${detail}`);
        if (outcome === 'failed') throw withoutStack(`${findings.length} findings`);
      })
      .catch(() => {});
  const { annotations } = test.info();
  for (const { id, fact, value } of results.flatMap(({ observations }) => observations))
    annotations.push({ type: id, description: `${fact}: ${value}` });
  const defect = results.find(({ outcome }) => outcome === 'defect');
  if (defect !== undefined) throw withoutStack(`${defect.detail}`);
  const failed = results.filter(({ outcome }) => outcome === 'failed');
  if (failed.length > 0) throw await failureOf(failed);
  const unverified = round.unverified(probe, results);
  if (unverified === undefined) return;
  const { cause, reason } = unverified;
  annotations.push({ type: cause, description: reason });
  if (round.strict && !isReported()) throw withoutStack(reason);
  test.skip(true, reason);
}

/** Attaches the findings. @returns the error of the test, in our words */
async function failureOf(failed: readonly ProbeResult[]): Promise<Error> {
  const findings = failed.flatMap((result) => result.findings);
  const json = JSON.stringify(findings, null, 2);
  await test.info().attach('findings.json', { body: json, contentType: 'application/json' });
  const extent = { evidence: 5, also: 5, length: 2_000 };
  const clauses = verdicts([], failed, { cause: 'prevented', reason: '' });
  const again = `${environmentOf('gate')}npm run gate --`;
  const texts = failuresIn({ clauses, results: failed }, again).map((failure) => {
    const { id, text } = failure;
    return `${id}  ${text}\n${failureText(failure, extent, 'findings.json')}`;
  });
  const details = failed.flatMap(({ detail }) => detail ?? []);
  return withoutStack([...texts, ...details].join('\n\n'));
}

/** An error whose place in our code says nothing to a reader. */
function withoutStack(message: string): Error {
  const error = new Error(message);
  error.stack = message;
  return error;
}
