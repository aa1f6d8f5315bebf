import { existsSync } from 'node:fs';
import { loadSettings } from '../config/settings.ts';
import { printError } from '../contract/command.ts';
import { scratch } from '../contract/round/scratch.ts';
import { UserError } from '../contract/user-error.ts';
import { startSandbox } from '../sandbox/provider.ts';
import { clockMark, share, targetOfRun } from './run.ts';
import { needsSandbox } from './under-test.ts';

/**
 * Runs in Playwright's main process before the tests: what outlives a worker begins here. A mistake of the user ends
 * the process, because Playwright would print it with a stack.
 * @returns what runs after the tests, also after a signal
 */
export default (): Promise<() => Promise<void>> =>
  setUp().catch((error: unknown) => {
    if (error instanceof UserError) process.exit(printError(error));
    throw error;
  });

async function setUp(): Promise<() => Promise<void>> {
  const settings = loadSettings();
  const { folder } = scratch('gate');
  const sandbox = needsSandbox(settings) ? await startSandbox() : undefined;
  share({ folder, sandbox: sandbox?.baseUrl.href });
  const forgetSignals = endOnSignals();
  return async () => {
    // A worker that was killed has not released the provider's clock.
    if (existsSync(clockMark())) await targetOfRun(settings).target.clock?.release();
    await sandbox?.close();
    forgetSignals();
  };
}

/**
 * Playwright ends a run in an orderly way only on SIGINT, so SIGTERM and SIGHUP count as SIGINT. A second signal ends
 * the process at once. @returns what undoes this
 */
function endOnSignals(): () => void {
  let signals = 0;
  const count = (): void => {
    signals += 1;
    if (signals > 1) process.exit(130);
  };
  const interrupt = (): void => void process.emit('SIGINT');
  process.on('SIGINT', count).on('SIGTERM', interrupt).on('SIGHUP', interrupt);
  return () => void process.off('SIGINT', count).off('SIGTERM', interrupt).off('SIGHUP', interrupt);
}
