import { scratch } from '../contract/round/scratch.ts';
import type { Target } from '../contract/round/target.ts';
import { Secret } from '../contract/secrets/secret.ts';
import { httpClock } from '../contract/time/http-clock.ts';
import type { Sandbox, SandboxOptions } from '../sandbox/provider.ts';
import { sandboxAccount, sandboxEndpoints, startSandbox } from '../sandbox/provider.ts';

type SandboxFacts = Pick<Sandbox, 'baseUrl' | 'clockUrl'> & {
  readonly state: Pick<Sandbox['state'], 'account'>;
};

/** A sandbox as a target. @param socketPath its socket file, if it listens on one */
export function targetOf({ baseUrl, clockUrl, state }: SandboxFacts, socketPath?: string): Target {
  const [first, ...others] = sandboxEndpoints;
  if (first === undefined) throw new Error('the sandbox serves no endpoint');
  const { apiKey, secretKey } = state.account;
  const bounds = { timeoutMs: 60_000, socketPath };
  return {
    connection: { origin: baseUrl, maxBodyBytes: 16 * 2 ** 20, ...bounds },
    account: { apiKey: new Secret(apiKey), secretKey: new Secret(secretKey) },
    endpoints: [first, ...others],
    clock: httpClock(clockUrl, bounds),
    concurrency: 12,
    maxRetryAfterMs: 5000,
  };
}

/** The sandbox that listens on a socket file, as a target. */
export const targetAt = (socketPath: string): Target => {
  const baseUrl = new URL('http://sandbox');
  const clockUrl = new URL('http://sandbox/test-clock');
  return targetOf({ baseUrl, clockUrl, state: { account: sandboxAccount } }, socketPath);
};

/** A sandbox for this process alone, on a socket file: connections to it cost two thirds of connections to a port. */
export async function ownSandbox(
  options: Pick<SandboxOptions, 'behaviour' | 'startAt'> = {},
): Promise<AsyncDisposable & { readonly target: Target; readonly close: () => Promise<void> }> {
  const { address: socketPath, remove } = scratch('sandbox');
  const sandbox = await startSandbox({ ...options, socketPath });
  const close = async (): Promise<void> => {
    await sandbox.close();
    remove();
  };
  return { target: targetAt(socketPath), close, [Symbol.asyncDispose]: close };
}
