import os from 'node:os';
import { defineConfig } from '@playwright/test';
// Its filter of stack traces saves half a second here too.
import '../playwright.config.ts';

/** Spec files below tests/, as regular expressions: Playwright takes a second longer to compare with globs. */
const specs = (names: string): RegExp =>
  new RegExp(`/tests/(${names})\\.spec\\.ts$`.replaceAll('/', '[\\\\/]'));
const contract = specs('contract/[\\w-]+');
const consumer = specs('pacts/consumer/[\\w-]+');
const waiting = specs('monitor/attack');
const long = specs('simulation/[\\w-]+|pacts/(mutants|story)');
const processors = os.availableParallelism();

/**
 * The tests of this suite, in four projects: `consumer` writes down what the monitor expects of a provider; `parts` are
 * the tests of this suite's own parts, `waiting` those of them that watch a program for minutes, and `long` those that
 * take minutes, which begin early. No retry hides a flaky test. No trace: traces hold headers.
 *
 * Files run side by side, and the tests of a file one after another. That takes a sixth to a third less processor time
 * than `fullyParallel`, which loads a file again for each test, and repeats the file's preparations in each worker.
 */
export default defineConfig({
  testDir: '.',
  outputDir: '../reports/tests',
  // Node removes the types itself, and caches the result with the compiled code.
  build: { external: ['**/*.ts', '**/validators.js'] },
  forbidOnly: process.env.CI !== undefined,
  retries: 0,
  // One more than there are processors: most tests wait part of their time for a process of their own.
  workers: processors + 1,
  // Bounds for what hangs. A machine that has others to serve may take its time.
  timeout: 300_000,
  expect: { timeout: 60_000 },
  use: { trace: 'off', screenshot: 'off', video: 'off' },
  projects: [
    // One worker: of two that write one pact, each loses what the other has written.
    { name: 'consumer', testMatch: consumer, fullyParallel: false, workers: 1 },
    { name: 'waiting', testMatch: waiting, workers: 1 },
    { name: 'long', testMatch: long },
    {
      name: 'parts',
      testMatch: specs('.+'),
      testIgnore: [contract, consumer, waiting, long],
    },
  ],
});
