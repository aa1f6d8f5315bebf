import { randomUUID } from 'node:crypto';
import type { Service } from '../http/client.ts';
import { type Endpoint, prefix } from '../http/request.ts';
import { Stopped } from '../http/unreachable.ts';
import { tokenOf } from '../schema.ts';
import type { Account } from '../secrets/secret.ts';

/**
 * Checks the provider as a whole, before an unexpected answer becomes a finding. Suppose that it
 * issued tokens, and now gives the same answer at the token endpoint, at a protected endpoint and at a nonexistent
 * path. Then it was stopped or is being deployed: the clauses are not about that.
 * @throws Stopped
 * @throws Unreachable
 */
export async function checkAlive(
  service: Service,
  { apiKey, secretKey }: Account,
  endpoint: Endpoint,
): Promise<void> {
  const token = await service.exchange({ json: { apiKey, secretKey } });
  if (tokenOf(token) !== undefined || token.status === 401) return;
  const protectedOne = await service.call(endpoint);
  const unknown = await service.call({ method: 'POST', path: `${prefix}${randomUUID()}` });
  if (token.status === protectedOne.status && token.status === unknown.status)
    throw new Stopped(token.status);
}

/** Whether the provider, which issued a token in the beginning, is still available in the middle of a round. */
export class Liveness {
  readonly #checkAlive: () => Promise<void>;
  #begun = false;
  #stopped: Stopped | undefined;

  constructor(service: Service, account: Account, endpoint: Endpoint) {
    this.#checkAlive = () => checkAlive(service, account, endpoint);
  }

  /** Records that it issued a token: before that a check is impossible. */
  begin(): void {
    this.#begun = true;
  }

  /** Why it is not available any more. */
  stopped(): Stopped | undefined {
    return this.#stopped;
  }

  /** @throws Stopped, also for each later check @throws Unreachable */
  async check(): Promise<void> {
    if (this.#stopped !== undefined) throw this.#stopped;
    if (!this.#begun) return;
    await this.#checkAlive().catch((error: unknown) => {
      if (error instanceof Stopped) this.#stopped = error;
      throw error;
    });
  }
}
