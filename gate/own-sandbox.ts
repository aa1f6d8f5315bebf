import type { Target } from '../contract/round/target.ts';
import { Secret } from '../contract/secrets/secret.ts';
import { httpClock } from '../contract/time/http-clock.ts';
import type { SandboxOptions } from '../sandbox/provider.ts';
import { clockPath, sandboxAccount, sandboxEndpoints, startSandbox } from '../sandbox/provider.ts';

/** More than an answer of the contract needs, and enough for the endpoints' answers. */
export const maxBodyBytes = 16 * 2 ** 20;

/** The sandbox at an address, as a target. */
export function targetAt(origin: URL, { apiKey, secretKey } = sandboxAccount): Target {
  const [first, ...others] = sandboxEndpoints;
  if (first === undefined) throw new Error('the sandbox serves no endpoint');
  const timeoutMs = 60_000;
  return {
    connection: { origin, maxBodyBytes, timeoutMs },
    account: { apiKey: new Secret(apiKey), secretKey: new Secret(secretKey) },
    endpoints: [first, ...others],
    clock: httpClock(new URL(clockPath, origin), { timeoutMs }),
    concurrency: 12,
    maxRetryAfterMs: 5000,
  };
}

/** A sandbox for this process alone. */
export async function ownSandbox(options: Pick<SandboxOptions, 'behaviour' | 'startAt'> = {}) {
  const { baseUrl, close } = await startSandbox(options);
  return { target: targetAt(baseUrl), close, [Symbol.asyncDispose]: close };
}
