import type { Answer } from '../contract/http/answer.ts';
import { bearer } from '../contract/http/client.ts';
import { tokenEndpointName } from '../contract/http/request.ts';
import type { Probe, World } from '../contract/probe.ts';
import type { Token } from '../contract/secrets/secret.ts';
import { hours, lifetime } from '../contract/time/clock.ts';
import { neverExpired } from '../contract/time/token-age.ts';

/**
 * The credentials outlive every token: a caller uses them for years. A new token revives no expired one, as it does if
 * the expiry is stored for the client. A repeated token is at least as old as its first issue. So this probe judges a
 * token that is repeated after its 24 hours, and how long it is accepted.
 */
export const aNewTokenFollowsTheExpiredOne: Probe = {
  name: 'a-new-token-follows-the-expired-one',
  clauses: ['EXPIRY-2', 'EXPIRY-5', 'EXPIRY-6'],
  scope: 'deep',
  stage: 'simulated',
  anyAge: true,
  withoutToken: 'EXPIRY-6',
  async run(world) {
    const { service, account, endpoint, contract, clock } = world;
    const token = await service.issue(account);
    if (clock.now() - token.madeAt >= lifetime) return follow(world, token);
    const control = await contract.admits(bearer(token), 'BEARER-1');
    await clock.pass(lifetime + hours(1));
    const start = clock.now();
    let reason = 'it expired an hour ago';
    const expired = await contract.refuses(bearer(token), 'EXPIRY-2', { control, reason });
    if (expired.status !== 401) contract.unproven(neverExpired);
    const next = await service.issue(account);
    await follow(world, next, control);
    if (!next.secret.equals(token.secret)) {
      reason = 'a newer token was made after it had expired';
      const clause = expired.status === 401 ? 'EXPIRY-5' : 'EXPIRY-2';
      await contract.refuses(bearer(token), clause, { control, reason });
    }
    await clock.until(start + lifetime - 1);
    // A cache in front of the token endpoint stores what it returns now.
    await service.issue(account);
    await clock.until(start + lifetime);
    // A 401 informs a caller that the token has expired.
    await service.call(endpoint, bearer(next));
    await follow(world, await service.issue(account), control);
    await clock.pass(hours(1));
    await follow(world, await service.issue(account), control);
  },
};

/**
 * Calls succeed with a token that was issued after an older one had expired.
 * @param control the answer to the same request with a token that was valid, if there is one
 */
async function follow(
  { service, endpoint, contract, clock }: World,
  token: Token,
  control?: Answer,
): Promise<void> {
  const when = 'it was given after an older token had expired';
  const answer = await contract.admits(bearer(token), 'EXPIRY-6', when);
  if (answer.status === 401 || clock.now() - token.madeAt < lifetime) return;
  const reason = '24 hours have elapsed since it was first given, and it was given again';
  // The answer of the token endpoint is not available here. This answer only provides the age of the token.
  const request = { line: tokenEndpointName, tokenAgeMs: answer.request.tokenAgeMs };
  const answered = { ...answer, body: Buffer.alloc(0), request };
  const expected = 'a new token';
  contract.violated('EXPIRY-6', answered, { reason, expected, received: 'the same token' });
  const again = () => service.call(endpoint, bearer(token));
  // The endpoint answers with success to a token, and refuses a request without one.
  const isAdmitted = async (): Promise<boolean> =>
    answer.status >= 200 && answer.status < 300 && (await service.call(endpoint)).status === 401;
  if (control === undefined && !(await isAdmitted()))
    return contract.unproven('the token was given after its 24 hours only, and has no control');
  const contrast = { control: control ?? answer, reason };
  await contract.judgeRefusal({ answer, again }, 'EXPIRY-2', contrast);
}
