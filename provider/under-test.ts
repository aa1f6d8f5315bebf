import type { Target } from '../contract/round/target.ts';
import { fileClock } from '../contract/time/file-clock.ts';
import { httpClock } from '../contract/time/http-clock.ts';
import { type Settings, SettingsError } from '../settings.ts';
import { ownSandbox } from './own-sandbox.ts';

/** More than an answer of the contract needs, and enough for the endpoints' answers. */
const maxBodyBytes = 16 * 2 ** 20;

const targetsOnly =
  'MONITOR_CONFIG is only for the monitor: set PUBLIC_API_BASE_URL instead, or neither for the sandbox';

/** The provider that the gate judges and that pacts are verified against, with its cleanup. */
export interface ProviderUnderTest {
  /** The address as it may be shown. */
  readonly name: string;
  readonly target: Target;
  close(): Promise<void>;
}

/**
 * The configured provider, or a sandbox in this process.
 * @throws SettingsError if the settings only name the targets of a monitor: the user could mistake the verdict on the
 * sandbox for theirs
 */
export async function providerUnderTest(settings: Settings): Promise<ProviderUnderTest> {
  const { provider, timeoutMs, ca, proxies, contact } = settings;
  const { requestsPerSecond, concurrency, maxRetryAfterMs } = settings;
  const pace = { concurrency, maxRetryAfterMs, requestsPerSecond };
  if (provider === undefined) {
    if (settings.monitor.config !== undefined) throw new SettingsError([targetsOnly]);
    const sandbox = await ownSandbox();
    return {
      name: 'sandbox',
      target: { ...sandbox.target, ...pace },
      close: sandbox.close,
    };
  }
  const { baseUrl, account, endpoints, clock } = provider;
  const bounds = { timeoutMs, proxies, ca };
  const time =
    clock &&
    ('url' in clock ? httpClock(clock.url, { ...bounds, maxRetryAfterMs }) : fileClock(clock.file));
  return {
    name: baseUrl.href,
    target: {
      connection: { origin: baseUrl, maxBodyBytes, contact, ...bounds },
      account,
      endpoints,
      ...pace,
      clock: time,
    },
    close: async () => {},
  };
}
