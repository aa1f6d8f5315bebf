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
