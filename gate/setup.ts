import { loadSettings } from '../config/settings.ts';
import { scratch } from '../contract/command.ts';
import { readFacts, shareWithWorkers } from './run.ts';
import { providerUnderTest } from './under-test.ts';

/**
 * Runs in Playwright's main process before the tests: what outlives a worker begins here.
 * @returns what runs after the tests, also after a signal
 */
export default async function setUp(): Promise<() => Promise<void>> {
  const { target, sandbox, close } = await providerUnderTest(loadSettings());
  shareWithWorkers({ folder: scratch('gate').folder, sandbox: sandbox?.href });
  // Playwright ends a run in an orderly way only on SIGINT. A second signal ends the process at once.
  process.once('SIGINT', () => process.once('SIGINT', () => process.exit(130)));
  for (const signal of ['SIGTERM', 'SIGHUP'] as const)
    process.once(signal, () => process.emit('SIGINT'));
  return async () => {
    // A worker that was killed has not released the provider's clock.
    if (readFacts() === undefined) await target.clock?.release();
    await close();
  };
}
