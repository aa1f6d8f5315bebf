import os from 'node:os';
import { defineConfig } from '@playwright/test';

const alone = ['monitor/fault-table.spec.ts'];
const waiting = ['monitor/{attack,demo-process}.spec.ts'];
const long = ['{simulation/*,pacts/{mutants,story},workflows/gate}.spec.ts'];
const processors = os.availableParallelism();

/**
 * Playwright takes a stack trace at each step of a test, and maps each of up to 50 frames to its source, which takes
 * longer than most tests. It shows no frames of its own or of Node, so these are removed before they are mapped.
 */
const hidden = /^$|^node:|[\\/]node_modules[\\/]playwright/;
const { prepareStackTrace } = Error;
if (prepareStackTrace !== undefined)
  Error.prepareStackTrace = (error, frames) =>
    prepareStackTrace(
      error,
      frames.filter((frame) => !hidden.test(frame.getFileName() ?? '')),
    );

/**
 * Six projects: `gate` is the contract, clause by clause, against one provider; `consumer` writes down what the
 * monitor expects of one; `parts` are the tests of this suite's own parts, `waiting` those of them that watch a program
 * for minutes, `long` those that take minutes, which begin early, and `alone` those that need most of the machine,
 * before which `npm test` begins nothing else. No retry hides a flaky test. No trace: Playwright's traces hold headers.
 *
 * Files run side by side, and the tests of a file one after another. That takes a sixth to a third less processor time
 * than `fullyParallel`, which loads a file again for each test, and repeats the file's preparations in each worker.
 */
export default defineConfig({
  testDir: 'tests',
  outputDir: 'reports/playwright',
  // Node removes the types itself, and caches the result with the compiled code.
  build: { external: ['**/*.ts'] },
  forbidOnly: process.env.CI !== undefined,
  retries: 0,
  // One more than there are processors: most tests wait part of their time for a process of their own.
  workers: processors + 1,
  // Bounds for what hangs. A machine that has others to serve may take its time.
  timeout: 300_000,
  expect: { timeout: 60_000 },
  use: { trace: 'off', screenshot: 'off', video: 'off' },
  projects: [
    // One worker: two rounds at once would set the same test clock.
    { name: 'gate', testMatch: 'contract/*.spec.ts', workers: 1, timeout: 0 },
    // One worker: of two that write one pact, each loses what the other has written.
    { name: 'consumer', testMatch: 'pacts/consumer/*.spec.ts', fullyParallel: false, workers: 1 },
    { name: 'alone', testMatch: alone, workers: 1 },
    { name: 'waiting', testMatch: waiting, workers: 1 },
    { name: 'long', testMatch: long },
    {
      name: 'parts',
      testIgnore: ['contract/*.spec.ts', 'pacts/consumer/*.spec.ts', ...alone, ...waiting, ...long],
    },
  ],
});
