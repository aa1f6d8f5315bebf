import type { Answer } from '../contract/http/answer.ts';
import { bearer } from '../contract/http/client.ts';
import { tokenEndpointName } from '../contract/http/request.ts';
import type { Probe, World } from '../contract/probe.ts';
import type { Token } from '../contract/secrets/secret.ts';
import { days, hours, lifetime } from '../contract/time/clock.ts';

/**
 * The credentials outlive every token: a caller uses them for years. A repeated token is at least as old as its
 * first issue. So this probe judges a token that is repeated after its 24 hours, and how long it is accepted.
 */
export const aNewTokenFollowsTheExpiredOne: Probe = {
  name: 'a-new-token-follows-the-expired-one',
  clauses: ['EXPIRY-2', 'EXPIRY-6'],
  scope: 'deep',
  stage: 'simulated',
  anyAge: true,
  withoutToken: 'EXPIRY-6',
  async run(world) {
    const { service, account, endpoint, judge, clock } = world;
    const token = await service.issue(account);
    const answer = await service.call(endpoint, bearer(token));
    if (clock.now() - token.madeAt >= lifetime) return follow(world, token, answer);
    judge.admitted(answer, 'BEARER-1');
    await clock.pass(days(2));
    const start = clock.now();
    const next = await followNext(world, answer);
    await clock.until(start + lifetime - 1);
    // A cache in front of the token endpoint stores what it returns now.
    await service.issue(account);
    await clock.until(start + lifetime);
    // A 401 informs a caller that the token has expired.
    await service.call(endpoint, bearer(next));
    await followNext(world, answer);
    await clock.pass(hours(1));
    await followNext(world, answer);
  },
};

async function followNext(world: World, control: Answer): Promise<Token> {
  const { service, account, endpoint } = world;
  const next = await service.issue(account);
  await follow(world, next, await service.call(endpoint, bearer(next)), control);
  return next;
}

/**
 * Calls succeed with a token that was issued after an older one had expired.
 * @param control the answer to the same request with a token that was valid, if there is one
 */
async function follow(
  { service, endpoint, judge, clock }: World,
  token: Token,
  answer: Answer,
  control?: Answer,
): Promise<void> {
  judge.admitted(answer, 'EXPIRY-6', 'it was given after an older token had expired');
  if (answer.status === 401 || clock.now() - token.madeAt < lifetime) return;
  const reason = '24 hours have elapsed since it was first given, and it was given again';
  // The answer of the token endpoint is not available here. This answer only provides the age of the token.
  const request = { line: tokenEndpointName, tokenAgeMs: answer.request.tokenAgeMs };
  const answered = { ...answer, body: Buffer.alloc(0), request };
  const expected = 'a new token';
  const received = 'the same token';
  judge.broken('EXPIRY-6', answered, { reason, expected, received });
  // The endpoint answers with success to a token, and refuses a request without one.
  const isAdmitted = async (): Promise<boolean> =>
    answer.status >= 200 && answer.status < 300 && (await service.call(endpoint)).status === 401;
  if (control !== undefined || (await isAdmitted()))
    judge.refused(answer, 'EXPIRY-2', { control: control ?? answer, reason });
  else judge.unproven('the token was given after its 24 hours only, and has no control');
}
