import { randomUUID } from 'node:crypto';
import type { Service } from '../http/client.ts';
import { type Endpoint, endpointName, prefix, tokenPath } from '../http/request.ts';
import { Stopped } from '../http/unreachable.ts';
import { tokenOf } from '../schema.ts';
import { type Account, seal } from '../secrets/secret.ts';

/**
 * Checks the provider as a whole, before an unexpected answer becomes a finding. Suppose that it
 * issued tokens, and now gives the same answer at the token endpoint, at a protected endpoint and at a nonexistent
 * path. Then it was stopped or is being deployed: the clauses are not about that. Nor are they about a firewall that
 * limits requests and blocks with 403 instead of 429 (OPEN-8): at the token endpoint without a look at the request, or
 * at the protected endpoint in spite of a new token.
 * @param unexpected the status of that answer, if a valid token was not answered with it before
 * @throws Stopped
 * @throws Unreachable
 */
export async function checkAlive(
  service: Service,
  { apiKey, secretKey }: Account,
  endpoint: Endpoint,
  unexpected?: number,
): Promise<void> {
  const token = await service.exchange({ json: { apiKey, secretKey } });
  const secret = tokenOf(token);
  if (secret !== undefined && unexpected === 403) {
    const { status } = await service.call(endpoint, { authorization: seal`Bearer ${secret}` });
    if (status === 403) throw new Stopped(403, `${endpointName(endpoint)} with a new token`);
  }
  if (secret !== undefined || token.status === 401) return;
  if (token.status === 403) {
    const { status, body } = await service.call({ method: 'GET', path: tokenPath });
    if (status === 403 && body.length === token.body.length)
      throw new Stopped(403, `every request to ${tokenPath}`);
  }
  const protectedOne = await service.call(endpoint);
  const unknown = await service.call({ method: 'POST', path: `${prefix}${randomUUID()}` });
  if (token.status === protectedOne.status && token.status === unknown.status)
    throw new Stopped(token.status);
}

/** Whether the provider, which issued a token in the beginning, is still available in the middle of a round. */
export class Liveness {
  readonly #checkAlive: (unexpected?: number) => Promise<void>;
  #begun = false;
  #stopped: Stopped | undefined;

  constructor(service: Service, account: Account, endpoint: Endpoint) {
    this.#checkAlive = (unexpected) => checkAlive(service, account, endpoint, unexpected);
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
  async check(unexpected?: number): Promise<void> {
    if (this.#stopped !== undefined) throw this.#stopped;
    if (!this.#begun) return;
    await this.#checkAlive(unexpected).catch((error: unknown) => {
      if (error instanceof Stopped) this.#stopped = error;
      throw error;
    });
  }
}
