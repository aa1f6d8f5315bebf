import { randomUUID } from 'node:crypto';
import type { Service } from '../http/client.ts';
import { type Endpoint, prefix } from '../http/request.ts';
import { Stopped } from '../http/unreachable.ts';
import { tokenOf } from '../schema.ts';
import type { Account } from '../secrets/secret.ts';

/**
 * Looks at the provider as a whole, before an unexpected answer becomes a finding. One that gave tokens and now gives
 * the same answer at the token endpoint, at a protected endpoint and at a path that does not exist was taken down, or
 * is being deployed: that is not what the clauses are about.
 * @throws Stopped @throws Unreachable
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

/** Whether the provider, which gave a token in the beginning, is still there in the middle of a round. */
export class Liveness {
  readonly #look: () => Promise<void>;
  #begun = false;
  #stopped: Stopped | undefined;

  constructor(service: Service, account: Account, endpoint: Endpoint) {
    this.#look = () => checkAlive(service, account, endpoint);
  }

  /** Notes that it gave a token: before that there is nothing to look at. */
  begin(): void {
    this.#begun = true;
  }

  /** Why it is not there any more. */
  stopped(): Stopped | undefined {
    return this.#stopped;
  }

  /** @throws Stopped, also for each later look @throws Unreachable */
  async check(): Promise<void> {
    if (this.#stopped !== undefined) throw this.#stopped;
    if (!this.#begun) return;
    await this.#look().catch((error: unknown) => {
      if (error instanceof Stopped) this.#stopped = error;
      throw error;
    });
  }
}
