import { test as base } from '@playwright/test';
import { commandAgain } from '../config/again.ts';
import { mustHold } from '../contract/clauses.ts';
import { byAge, type Finding } from '../contract/finding.ts';
import type { Probe, Stage } from '../contract/probe.ts';
import { clauseItem } from '../contract/report/findings.ts';
import { failureText } from '../contract/report/terminal.ts';
import type { ProbeResult } from '../contract/round/attempt.ts';
import { isFailure, verdicts } from '../contract/round/verdict.ts';
import { scrubErrors, scrubMessages, scrubTrace } from './hidden-secrets.ts';
import { formatTitle, isReported, selectedProbes } from './run.ts';
import { WorkerRound } from './worker-round.ts';

export { formatTitle };

/** The probes of a stage that are tests of this run. */
export const selectProbes = (stage: Stage): readonly Probe[] =>
  selectedProbes().filter((probe) => probe.stage === stage);

/** Playwright's `test` with the round of its worker. */
export const test = base.extend<{ everyTest: undefined }, { round: WorkerRound }>({
  round: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of the fixtures from it.
    async ({}, use) => {
      const round = new WorkerRound();
      scrubMessages(round.client.scrubKnown);
      await use(round);
      await round.close();
      const { unjudged } = round.facts;
      // Our reporter says so in its own words. Without it a run of skipped tests would pass.
      if (unjudged !== undefined && !isReported()) throw withoutStack(unjudged);
    },
    { scope: 'worker', timeout: 0 },
  ],
  everyTest: [
    async ({ round, trace }, use, testInfo) => {
      if (trace !== 'off') scrubTrace(testInfo, round.client.scrubKnown);
      await use(undefined);
      scrubErrors(testInfo, round.client.scrubKnown);
      // Playwright starts a new worker after an unexpected failure. Our reporter counts this one as unexpected.
      if (isReported() && testInfo.status === 'failed') testInfo.expectedStatus = 'failed';
    },
    { auto: true },
  ],
});

/** Fails the test of a probe that found a violation, and skips it if its clauses are unverified. */
export async function judge(probe: Probe, round: WorkerRound): Promise<void> {
  const results: ProbeResult[] = [];
  const runs = round.startRuns(probe);
  for (const { endpoint, result } of runs)
    await test
      .step(endpoint, async () => {
        const ended = await result.promise;
        if (ended === undefined) return;
        results.push(ended);
        const { outcome, findings, detail = `${findings.length} findings` } = ended;
        if (outcome === 'defect' || isFailure(ended)) throw withoutStack(detail);
      })
      .catch(() => {});
  const { annotations } = test.info();
  const defect = results.find(({ outcome }) => outcome === 'defect');
  if (defect !== undefined) throw withoutStack(`${defect.detail}`);
  const failed = results.filter(isFailure);
  const clauses = verdicts([probe], results, round.facts.notRun, () => runs.length);
  const known = clauses.filter(({ verdict }) => verdict === 'known');
  for (const { clause, reason } of known)
    annotations.push({ type: 'known', description: `${clause.id}: ${reason}` });
  const found = failed.flatMap(({ findings }) => findings);
  if (failed.length > 0) throw await describeFailure(found, failed);
  const [{ cause, reason = '' } = {}] = clauses.filter(({ verdict }) => verdict === 'unverified');
  if (known.length > 0 || cause === undefined) return;
  annotations.push({ type: cause, description: reason });
  base.skip(true, reason);
}

/**
 * Attaches the findings.
 * @param results of a probe, which the gate's command line can name; none of a team's test
 * @returns the error of the test, in our words
 */
export async function describeFailure(
  found: readonly Finding[],
  results: readonly ProbeResult[] = [],
): Promise<Error> {
  const body = JSON.stringify(found, null, 2);
  await test.info().attach('findings.json', { body, contentType: 'application/json' });
  const again = results.length === 0 ? undefined : commandAgain('gate');
  const texts = mustHold.flatMap((clause) => {
    const findings = byAge(found.filter(({ clause: id }) => id === clause.id));
    if (findings.length === 0) return [];
    const item = clauseItem({ clause, verdict: 'violated', findings }, results, again);
    return `${clause.id}  ${clause.text}\n${failureText(item)}`;
  });
  return withoutStack(texts.join('\n\n'));
}

/** An error whose place in our code says nothing to a reader. */
export function withoutStack(message: string): Error {
  const error = new Error(message);
  error.stack = message;
  return error;
}
