import { type Settings, SettingsError } from '../config/settings.ts';
import type { Connection } from '../contract/http/connections.ts';
import type { Target } from '../contract/round/target.ts';
import { fileClock } from '../contract/time/file-clock.ts';
import { httpClock } from '../contract/time/http-clock.ts';
import { ownSandbox } from './own-sandbox.ts';

/** More than an answer of the contract needs, and enough for the endpoints' answers. */
const maxBodyBytes = 16 * 2 ** 20;

const targetsOnly =
  'MONITOR_CONFIG is only for the monitor: set PUBLIC_API_BASE_URL instead, or neither for the sandbox';

/** The provider that the gate judges and that pacts are verified against. */
export interface NamedTarget {
  /** The address as it may be shown. */
  readonly name: string;
  readonly target: Target;
}

/** With its cleanup. */
export interface ProviderUnderTest extends NamedTarget {
  close(): Promise<void>;
}

/**
 * The configured provider, or a sandbox in this process.
 * @param headers of every request
 * @throws SettingsError
 */
export async function providerUnderTest(
  settings: Settings,
  headers?: Connection['headers'],
): Promise<ProviderUnderTest> {
  const sandbox = needsSandbox(settings) ? await ownSandbox() : undefined;
  const close = sandbox?.close ?? (async () => {});
  const { name, target } = targetFrom(settings, sandbox?.target);
  return { name, target: { ...target, connection: { ...target.connection, headers } }, close };
}

/**
 * Whether a sandbox stands for the provider.
 * @throws SettingsError if the settings only name the targets of a monitor: the user could mistake the verdict on the
 * sandbox for theirs
 */
export function needsSandbox({ provider, monitor }: Settings): boolean {
  if (provider === undefined && monitor.config !== undefined)
    throw new SettingsError([targetsOnly]);
  return provider === undefined;
}

/** @param sandbox the target where no provider is configured */
export function targetFrom(settings: Settings, sandbox?: Target): NamedTarget {
  const { provider, timeoutMs, ca, proxies, contact } = settings;
  const { requestsPerSecond, tokensPerSecond, concurrency, maxRetryAfterMs } = settings;
  const { wrongCredentials } = settings;
  const pace = {
    ...{ concurrency, maxRetryAfterMs, requestsPerSecond, tokensPerSecond },
    wrongCredentials,
  };
  if (provider === undefined) {
    if (sandbox === undefined) throw new Error('there is neither a provider nor a sandbox');
    return { name: 'sandbox', target: { ...sandbox, ...pace } };
  }
  const { baseUrl, account, secondAccount, endpoints, clock: time } = provider;
  const bounds = { timeoutMs, proxies, ca };
  const connection = { origin: baseUrl, maxBodyBytes, contact, ...bounds };
  const clock =
    time &&
    ('url' in time ? httpClock(time.url, { ...bounds, maxRetryAfterMs }) : fileClock(time.file));
  return {
    name: baseUrl.href,
    target: { connection, account, secondAccount, endpoints, ...pace, clock },
  };
}
