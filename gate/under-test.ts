import type { ConfiguredEndpoint } from '../config/endpoint-fields.ts';
import { readKnown } from '../config/known-file.ts';
import { hint } from '../config/nearest.ts';
import { loadEnvironment, type Settings, SettingsError } from '../config/settings.ts';
import { readTargetsFile } from '../config/targets.ts';
import type { Connection } from '../contract/http/connections.ts';
import type { Target } from '../contract/round/target.ts';
import { fileClock } from '../contract/time/file-clock.ts';
import { httpClock } from '../contract/time/http-clock.ts';
import { probes } from '../probes/index.ts';
import { maxBodyBytes, ownSandbox } from './own-sandbox.ts';

/** The provider that the gate judges and that pacts are verified against. */
export interface NamedTarget {
  /** The address as it may be shown. */
  readonly name: string;
  /** Its name in the targets file. */
  readonly nameInFile?: string;
  readonly target: Target;
  /** Each with the schema and the limits that the targets file has for its answers. */
  readonly endpoints: readonly ConfiguredEndpoint[];
}

/**
 * The configured provider, or a sandbox in this process.
 * @param headers of every request
 * @throws SettingsError
 */
export async function providerUnderTest(settings: Settings, headers?: Connection['headers']) {
  const sandbox = needsSandbox(settings) ? await ownSandbox() : undefined;
  const close = sandbox?.close ?? (async () => {});
  const { target, ...found } = targetFrom(settings, sandbox?.target);
  const connection = { ...target.connection, headers };
  return { ...found, target: { ...target, connection }, close };
}

export type ProviderUnderTest = Awaited<ReturnType<typeof providerUnderTest>>;

/** Whether no provider is configured, so that a sandbox is judged instead. */
export const needsSandbox = ({ provider, targets }: Settings): boolean =>
  provider === undefined && targets === undefined;

/** @param sandbox the target where no provider is configured @throws SettingsError */
export function targetFrom(settings: Settings, sandbox?: Target): NamedTarget {
  const { provider, targets, concurrency, maxRetryAfterMs } = settings;
  if (targets !== undefined) return targetFromFile(targets, settings);
  const { requestsPerSecond, tokensPerSecond, wrongCredentials } = settings;
  const rates = { requestsPerSecond, tokensPerSecond, wrongCredentials };
  const pace = { ...rates, concurrency, maxRetryAfterMs };
  if (provider === undefined) {
    if (sandbox === undefined) throw new Error('there is neither a provider nor a sandbox');
    return { name: 'sandbox', target: { ...sandbox, ...pace }, endpoints: sandbox.endpoints };
  }
  const { timeoutMs, ca, client, proxies } = settings;
  const { baseUrl, clock, ...rest } = provider;
  const connection = { origin: baseUrl, maxBodyBytes, timeoutMs, ca, client, proxies };
  const known = readKnown(settings.known)();
  const target = { ...rest, ...pace, connection, known, clock: clockAt(clock, connection) };
  return { name: baseUrl.href, target, endpoints: rest.endpoints };
}

const clockAt = (clock: NonNullable<Settings['provider']>['clock'], connection: Connection) =>
  clock &&
  ('url' in clock
    ? httpClock(clock.url, { ...connection, headers: clock.headers })
    : fileClock(clock.file));

/** The target of a file that is named, or the only one. @throws SettingsError */
function targetFromFile(file: string, settings: Settings): NamedTarget {
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
  const clock = clockAt(chosen.clock, connection);
  return {
    name: connection.origin.href,
    nameInFile: wanted,
    target: { ...chosen, connection, clock, concurrency, maxRetryAfterMs },
    endpoints: chosen.endpoints,
  };
}
