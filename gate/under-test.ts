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
import { ownSandbox } from './own-sandbox.ts';

/** More than an answer of the contract needs, and enough for the endpoints' answers. */
const maxBodyBytes = 16 * 2 ** 20;

/** The provider that the gate judges and that pacts are verified against. */
export interface NamedTarget {
  /** The address as it may be shown. */
  readonly name: string;
  /** Its name in the targets file. */
  readonly nameInFile?: string;
  readonly target: Target;
  /** With what the targets file says of their answers. */
  readonly endpoints: readonly ConfiguredEndpoint[];
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
  const { target, ...found } = targetFrom(settings, sandbox?.target);
  const connection = { ...target.connection, headers };
  return { ...found, target: { ...target, connection }, close };
}

/** Whether a sandbox stands for the provider. */
export const needsSandbox = ({ provider, targets }: Settings): boolean =>
  provider === undefined && targets === undefined;

/** @param sandbox the target where no provider is configured */
export function targetFrom(settings: Settings, sandbox?: Target): NamedTarget {
  const { provider, timeoutMs, ca, client, proxies, contact } = settings;
  const { requestsPerSecond, tokensPerSecond, concurrency, maxRetryAfterMs } = settings;
  const { wrongCredentials } = settings;
  const pace = {
    ...{ concurrency, maxRetryAfterMs, requestsPerSecond, tokensPerSecond },
    wrongCredentials,
  };
  if (settings.targets !== undefined) return ofFile(settings.targets, settings, pace);
  if (provider === undefined) {
    if (sandbox === undefined) throw new Error('there is neither a provider nor a sandbox');
    const { endpoints } = sandbox;
    return { name: 'sandbox', target: { ...sandbox, ...pace }, endpoints };
  }
  const { baseUrl, account, secondAccount, endpoints, clock: time } = provider;
  const bounds = { timeoutMs, proxies, ca, client };
  const connection = { origin: baseUrl, maxBodyBytes, contact, ...bounds };
  const clock = clockAt(time, { ...bounds, maxRetryAfterMs });
  const known = readKnown(settings.known);
  const target = { connection, account, secondAccount, endpoints, ...pace, clock, known };
  return { name: baseUrl.href, target, endpoints };
}

const clockAt = (
  time: NonNullable<Settings['provider']>['clock'],
  bounds: Parameters<typeof httpClock>[1],
) =>
  time &&
  ('url' in time
    ? httpClock(time.url, { ...bounds, headers: time.headers })
    : fileClock(time.file));

/** The target of a file that is named, or the only one. @throws SettingsError */
function ofFile(
  file: string,
  settings: Settings,
  pace: Pick<Target, 'concurrency' | 'maxRetryAfterMs'>,
): NamedTarget {
  const { targets } = readTargetsFile(file, { ...settings, env: loadEnvironment(), probes });
  const names = targets.map(({ name }) => name);
  const wanted = settings.target ?? (names.length === 1 ? names[0] : undefined);
  const chosen = targets.find(({ name }) => name === wanted);
  if (wanted === undefined)
    throw new SettingsError([
      `${file} has ${names.length} targets: choose one with --target (${names.join(', ')})`,
    ]);
  if (chosen === undefined)
    throw new SettingsError([
      `${file} has no target ${wanted}${hint(wanted, names)}: it has ${names.join(', ')}`,
    ]);
  const { account, secondAccount, endpoints, known } = chosen;
  const { requestsPerSecond, tokensPerSecond, wrongCredentials } = chosen;
  const connection = { ...chosen.connection, maxBodyBytes };
  const clock = clockAt(chosen.clock, { ...connection, maxRetryAfterMs: pace.maxRetryAfterMs });
  const own = { requestsPerSecond, tokensPerSecond, wrongCredentials };
  const target = {
    ...{ connection, account, secondAccount, endpoints, clock, known },
    ...{ ...pace, ...own },
  };
  return { name: connection.origin.href, nameInFile: wanted, target, endpoints };
}
