import { breach } from '../admission.ts';
import { ahead } from '../ahead.ts';
import type { Answer } from '../http/answer.ts';
import { bearer } from '../http/client.ts';
import { orNothing } from '../http/unreachable.ts';
import type { World } from '../probe.ts';
import type { Account, Secret } from '../secrets/secret.ts';
import type { Forgery } from '../token-form.ts';

/**
 * Every token that is derived from a valid one is refused (BEARER-3). If no forgery exists, as for a token that
 * is not a JWT, only the control is sent: a run without a request would pass in an outage.
 */
export async function refusesForgeries(
  { service, account, endpoint, judge }: World,
  forge: (token: Secret, account: Account) => readonly Forgery[] | Promise<readonly Forgery[]>,
): Promise<void> {
  const token = await service.issue(account);
  const forgeries = await forge(token.secret, account);
  const control = await service.call(endpoint, bearer(token));
  judge.admitted(control, 'BEARER-1');
  const others = forgeries.filter(({ secret }) => !secret.equals(token.secret));
  const call = (secret: Secret): Promise<Answer> =>
    service.call(endpoint, bearer({ ...token, secret }));
  const callOddly = (secret: Secret): Promise<Answer | undefined> =>
    orNothing(service.call(endpoint, { ...bearer({ ...token, secret }), mayFail: true }));
  const answers = ahead(others, ({ secret, odd }) => (odd ? callOddly : call)(secret));
  for await (const [{ how, odd, likewise }, answer] of answers) {
    if (answer === undefined) continue;
    const isLetIn = answer.status !== 401 && breach(answer, control) === 'let in';
    // A lenient decoder is not a fault (OPEN-4): it accepts another sign as well.
    if (likewise && isLetIn && (await callOddly(likewise))?.status !== 401) continue;
    const contrast = { control, reason: `the token is ${how}` };
    if (odd && answer.status !== 401)
      judge.shut(answer, 'BEARER-3', { ...contrast, authorised: control });
    else judge.refused(answer, 'BEARER-3', contrast);
  }
}
