import type { Settings } from '../../config/settings.ts';
import { Scrubber } from '../../contract/secrets/scrub.ts';
import { probes } from '../../probes/index.ts';
import { configSet } from '../config/targets.ts';

/** Prints what would run; `npm start -- --check`. @throws SettingsError */
export async function check(settings: Settings): Promise<void> {
  const config = await configSet(settings, probes);
  if (config !== undefined) {
    const { formatConfig } = await import('../config/config-summary.ts');
    process.stdout.write(formatConfig(config, probes, settings.monitor.shard));
    return;
  }
  const { provider } = settings;
  const scrubber = new Scrubber();
  for (const secret of Object.values(provider?.account ?? {})) scrubber.learn(secret);
  const where = provider === undefined ? 'the sandbox' : scrubber.scrubWhole(provider.baseUrl.href);
  const { periodSeconds } = settings.monitor;
  process.stdout.write(
    `the settings are valid: ${where} would be watched, every ${periodSeconds} s\n`,
  );
}
