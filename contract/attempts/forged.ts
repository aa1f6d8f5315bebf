import { breach } from '../admission.ts';
import { bearer } from '../http/client.ts';
import { orNothing } from '../http/unreachable.ts';
import type { World } from '../probe.ts';
import type { Secret, Token } from '../secrets/secret.ts';
import type { Forgery } from './tokens.ts';

/**
 * Every token that is derived from a valid one is refused (BEARER-3). If no forgery exists, as for a token that
 * is not a JWT, only the control is sent: a run without a request would pass in an outage.
 * @throws Unreachable
 */
export async function refusesForgeries(
  { service, account, contract }: World,
  forge: (token: Token) => readonly Forgery[] | Promise<readonly Forgery[]>,
): Promise<void> {
  const token = await service.issue(account);
  const forgeries = contract.partOf(await forge(token));
  const control = await contract.admits(bearer(token), 'BEARER-1');
  // A firewall may drop the connection of an odd request.
  const send = (secret: Secret, odd?: true) => {
    const sent = contract.send(bearer({ ...token, secret }));
    return odd ? orNothing(sent) : sent;
  };
  const all = await Promise.all(forgeries.map(({ secret, odd }) => send(secret, odd)));
  for (const [index, { how, odd, likewise }] of forgeries.entries()) {
    const exchanged = all[index];
    if (exchanged === undefined) continue;
    const { answer } = exchanged;
    const isLetIn = answer.status !== 401 && breach(answer, control) === 'let in';
    // A lenient decoder is not a fault (OPEN-4): it accepts another sign as well.
    if (likewise && isLetIn && (await send(likewise, true))?.answer.status !== 401) continue;
    const contrast = { control, reason: `the token is ${how}` };
    if (odd && answer.status !== 401)
      await contract.judgeBypass(exchanged, 'BEARER-3', { ...contrast, authorised: control });
    else await contract.judgeRefusal(exchanged, 'BEARER-3', contrast);
  }
}
