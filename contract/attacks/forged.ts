import { ahead } from '../ahead.ts';
import { bearer } from '../http/client.ts';
import type { World } from '../probe.ts';
import type { Account, Secret } from '../secrets/secret.ts';
import type { Forgery } from '../token-form.ts';

/**
 * Every token that is derived from a valid one is refused (BEARER-3). If no forgery exists, as for a token that
 * is not a JWT, no further request is sent.
 */
export async function refusesForgeries(
  { service, account, endpoint, judge, slots }: World,
  forge: (token: Secret, account: Account) => readonly Forgery[] | Promise<readonly Forgery[]>,
): Promise<void> {
  const token = await service.issue(account);
  const forgeries = await forge(token.secret, account);
  if (forgeries.length === 0) return;
  const control = await service.call(endpoint, bearer(token));
  judge.admitted(control, 'BEARER-1');
  const others = forgeries.filter(({ secret }) => !secret.equals(token.secret));
  const answers = ahead(slots, others, ({ secret }) =>
    service.call(endpoint, bearer({ ...token, secret })),
  );
  for await (const [{ how }, answer] of answers)
    judge.refused(answer, 'BEARER-3', { control, reason: `the token is ${how}` });
}
