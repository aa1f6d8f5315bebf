import { defineConfig } from '@playwright/test';

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
 * The gate: one test for each probe, against one provider. Settings come from the environment and `.env`.
 * `npm run gate` adds our reporter, and the words of its command line.
 */
export default defineConfig({
  testDir: 'tests/contract',
  outputDir: 'reports/playwright',
  globalSetup: './gate/setup.ts',
  // Node removes the types of our own files itself, and caches the result with the compiled code.
  build: { external: [`${import.meta.dirname}/**/*.ts`, '**/validators.js'] },
  forbidOnly: process.env.CI !== undefined,
  retries: 0,
  // A probe takes as long as its provider needs. Each request has its own limit.
  timeout: 0,
  // No trace: Playwright's traces would hold what teams send with Playwright's own client.
  use: { trace: 'off', screenshot: 'off', video: 'off' },
  // One worker, whatever the command line says: two rounds at once would set the same test clock.
  projects: [{ name: 'gate', workers: 1 }],
});
