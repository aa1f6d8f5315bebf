import { Scrubber } from '../../contract/secrets/scrub.ts';
import { probes } from '../../probes/index.ts';
import type { Settings } from '../../settings.ts';
import type { NotifyConfig } from '../config/notify.ts';
import { configSet } from '../config/targets.ts';
import { CannotStart } from './cannot-start.ts';

/**
 * Prints what would run; `npm start -- --check`.
 * @param sends whether to send a test message to each receiver of notifications
 * @throws SettingsError, CannotStart
 */
export async function check(settings: Settings, sends: boolean): Promise<void> {
  const config = await configSet(settings, probes);
  if (sends && config?.notify === undefined)
    throw new CannotStart(
      '--notify needs a notify section in the targets file: see MONITOR_CONFIG',
    );
  if (config !== undefined) {
    const { formatConfig } = await import('../config/config-summary.ts');
    process.stdout.write(formatConfig(config, probes, settings.monitor.shard));
    return config.notify && sends ? sendTests(config.notify) : undefined;
  }
  const { provider } = settings;
  const scrubber = new Scrubber();
  for (const secret of Object.values(provider?.account ?? {})) scrubber.learn(secret);
  const where = provider === undefined ? 'the sandbox' : scrubber.scrub(provider.baseUrl.href);
  const { periodSeconds } = settings.monitor;
  process.stdout.write(
    `the settings are valid: ${where} would be watched, every ${periodSeconds} s\n`,
  );
}

/** @throws CannotStart with a line for each receiver that does not accept the message */
async function sendTests(config: NotifyConfig): Promise<void> {
  const { testNotifications } = await import('../notify/test-notification.ts');
  process.stdout.write('\n');
  const failed: string[] = [];
  for (const { title, problem } of await testNotifications(config, Date.now()))
    if (problem === undefined) process.stdout.write(`${title} accepts the test message\n`);
    else failed.push(problem);
  if (failed.length > 0) throw new CannotStart(failed.join('\n'));
}
