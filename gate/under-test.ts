import type { ConfiguredEndpoint } from '../config/endpoints.ts';
import { SettingsError } from '../config/fields.ts';
import { readKnown } from '../config/known-file.ts';
import { hint } from '../config/nearest.ts';
import { loadEnvironment, type Settings } from '../config/settings.ts';
import { readTargetsFile } from '../config/targets.ts';
import type { Connection } from '../contract/http/connections.ts';
import type { Target } from '../contract/round/target.ts';
import { Secret } from '../contract/secrets/secret.ts';
import { fileClock } from '../contract/time/file-clock.ts';
import { httpClock } from '../contract/time/http-clock.ts';
import { probes } from '../probes/index.ts';
import { clockPath, sandboxAccount, sandboxEndpoints, startSandbox } from '../sandbox/provider.ts';

/** More than an answer of the contract needs, and enough for the endpoints' answers. */
const maxBodyBytes = 16 * 2 ** 20;

/** The provider that the gate judges and that pacts are verified against. */
export interface ConfiguredTarget extends Target {
  /** The address as it may be shown. */
  readonly name: string;
  /** Its name in the targets file. */
  readonly nameInFile?: string;
  /** With what the targets file says of their answers. */
  readonly endpoints: readonly [ConfiguredEndpoint, ...ConfiguredEndpoint[]];
}

/**
 * The configured provider, or a sandbox in this process.
 * @param headers of every request
 * @throws SettingsError
 */
export async function providerUnderTest(settings: Settings, headers?: Connection['headers']) {
  const sandbox = needsSandbox(settings) ? await startSandbox() : undefined;
  const target = targetFrom(settings, sandbox?.baseUrl.href);
  const connection = { ...target.connection, headers };
  const close = async () => sandbox?.close();
  return { target: { ...target, connection }, sandbox: sandbox?.baseUrl, close };
}

export type ProviderUnderTest = Awaited<ReturnType<typeof providerUnderTest>>;

/** Whether no provider is configured, so that a sandbox is judged instead. */
export const needsSandbox = ({ provider, targets }: Settings): boolean =>
  provider === undefined && targets === undefined;

/** @param sandbox its address, where no provider is configured @throws SettingsError */
export function targetFrom(settings: Settings, sandbox = ''): ConfiguredTarget {
  const { provider, targets, concurrency, maxRetryAfterMs } = settings;
  if (targets !== undefined) return targetFromFile(targets, settings);
  const { requestsPerSecond, tokensPerSecond, wrongCredentials } = settings;
  const rates = { requestsPerSecond, tokensPerSecond, wrongCredentials };
  const pace = { ...rates, concurrency, maxRetryAfterMs };
  if (provider === undefined) return { ...targetAt(new URL(sandbox)), ...pace, name: 'sandbox' };
  const { timeoutMs, ca, client, proxies } = settings;
  const { baseUrl, clock, ...rest } = provider;
  const connection = { origin: baseUrl, maxBodyBytes, timeoutMs, ca, client, proxies };
  const known = readKnown(settings.known)();
  const name = baseUrl.href;
  return { ...rest, ...pace, connection, known, clock: clockAt(clock, connection), name };
}

/** The sandbox at an address, as a target. */
export function targetAt(origin: URL, { apiKey, secretKey } = sandboxAccount): Target {
  const timeoutMs = 60_000;
  return {
    connection: { origin, maxBodyBytes, timeoutMs },
    account: { apiKey: new Secret(apiKey), secretKey: new Secret(secretKey) },
    endpoints: sandboxEndpoints,
    clock: httpClock(new URL(clockPath, origin), { timeoutMs }),
    concurrency: 12,
    maxRetryAfterMs: 5000,
  };
}

const clockAt = (clock: NonNullable<Settings['provider']>['clock'], connection: Connection) =>
  clock &&
  ('url' in clock
    ? httpClock(clock.url, { ...connection, headers: clock.headers })
    : fileClock(clock.file));

/** The target of a file that is named, or the only one. @throws SettingsError */
function targetFromFile(file: string, settings: Settings): ConfiguredTarget {
  const { targets } = readTargetsFile(file, { ...settings, env: loadEnvironment(), probes });
  const names = targets.map(({ name }) => name);
  const { target: wanted = targets.length === 1 ? names[0] : undefined } = settings;
  const chosen = targets.find(({ name }) => name === wanted);
  if (chosen === undefined)
    throw new SettingsError(
      wanted === undefined
        ? `${file} has ${names.length} targets: choose one with --target (${names.join(', ')})`
        : `${file} has no target ${wanted}${hint(wanted, names)}: it has ${names.join(', ')}`,
    );
  const { concurrency, maxRetryAfterMs } = settings;
  const connection = { ...chosen.connection, maxBodyBytes };
  return {
    ...{ ...chosen, connection, concurrency, maxRetryAfterMs },
    clock: clockAt(chosen.clock, connection),
    name: connection.origin.href,
    nameInFile: wanted,
  };
}
