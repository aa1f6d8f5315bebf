import { test as base } from '@playwright/test';
import type { Probe, Stage } from '../contract/probe.ts';
import { failureText } from '../contract/report/failure.ts';
import type { ProbeResult } from '../contract/round/attempt.ts';
import { verdicts } from '../contract/round/verdict.ts';
import { environmentOf } from '../settings.ts';
import { probesIn, probesOfRun, remainingVariable, selectedVariable, titleOf } from './run.ts';
import { WorkerRound } from './worker-round.ts';

export { titleOf };

/** The probes of a stage that are tests of this run. */
export const probesOf = (stage: Stage): readonly Probe[] =>
  (probesIn(selectedVariable) ?? probesOfRun().probes).filter((probe) => probe.stage === stage);

const isReported = (): boolean => process.env[remainingVariable] !== undefined;

/** Playwright's `test` with the round of this worker. */
export const test = base.extend<{ sameWorker: undefined }, { round: WorkerRound }>({
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
  const again = { again: `${environmentOf('gate')}npm run gate --`, results: failed };
  const extent = { folds: 5, length: 2_000 };
  const texts = verdicts([], failed, { cause: 'prevented', reason: '' }).map((verdict) => {
    const { id, text } = verdict.clause;
    return `${id}  ${text}\n${failureText(verdict, again, extent, 'in findings.json')}`;
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
