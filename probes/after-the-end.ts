import { renewalsWith } from '../contract/attempts/credentials.ts';
import { holdsNoToken } from '../contract/attempts/grants.ts';
import { nextRevivalStart, revivals } from '../contract/attempts/revivals.ts';
import { answerTo } from '../contract/attempts/search.ts';
import { hours, lifetime, seconds } from '../contract/durations.ts';
import type { Answer } from '../contract/http/answer.ts';
import { bearer } from '../contract/http/client.ts';
import { tokenEndpoint, tokenEndpointName } from '../contract/http/request.ts';
import type { Probe, World } from '../contract/probe.ts';
import { readToken } from '../contract/schema.ts';
import type { Token } from '../contract/secrets/secret.ts';
import { issueToken, neverExpired, untilAge } from '../contract/time/token-age.ts';

/** Stores that clean up late, counters that wrap and days without their month make expired tokens valid again. */
export const expiredIsFinal: Probe = {
  name: 'expired-is-final',
  clauses: ['EXPIRY-5'],
  scope: 'deep',
  stage: 'years',
  async run(world) {
    const { contract, clock } = world;
    await clock.until(nextRevivalStart(clock.now()));
    const token = await issueToken(world);
    const control = await contract.admits(bearer(token), 'BEARER-1');
    let hasExpired = false;
    for (const { ageMs, what } of [{ ageMs: lifetime, what: 'its end' }, ...revivals]) {
      await untilAge(clock, token, ageMs);
      const reason = hasExpired
        ? `it was refused as expired before (${what})`
        : 'its 24 hours have elapsed';
      const clause = hasExpired ? 'EXPIRY-5' : 'EXPIRY-2';
      const answer = await contract.refuses(bearer(token), clause, { control, reason });
      hasExpired ||= answer.status === 401;
    }
    if (!hasExpired) contract.unproven(neverExpired);
  },
};

/**
 * Only the key and the secret key generate a new token (Authentication 7). After a token's end nothing is accepted that
 * came in the answer with the token, or in an answer to the token around its end, also at the token endpoint.
 */
export const noAnswerRenewsAToken: Probe = {
  name: 'no-answer-renews-a-token',
  clauses: ['EXPIRY-5'],
  scope: 'deep',
  stage: 'simulated',
  async run(world) {
    const { service, account, endpoint, contract, clock } = world;
    const given = await service.call(tokenEndpoint, { body: { json: account } });
    const token = await issueToken(world);
    await untilAge(clock, token, lifetime - 1);
    const early = await service.call(endpoint, bearer(token));
    // Other probes use this instant, too.
    await untilAge(clock, token, lifetime + seconds(3));
    const after = await service.call(endpoint, bearer(token));
    if (after.status !== 401) return contract.unproven(neverExpired);
    const issued = token.secret;
    const sent = [issued, readToken(given) ?? issued];
    const renewals = renewalsWith(issued).map(([, options]) =>
      answerTo(world, { ...options, token }, tokenEndpoint),
    );
    const renewed = await Promise.all(renewals);
    for (const [clause, of, answer] of [
      ['EXPIRY-5', 'in the answer to a token at its end', after],
      // The endpoint's own body holds no tokens.
      ['EXPIRY-3', 'in the answer to a token at its end', { ...early, body: Buffer.alloc(0) }],
      ['EXPIRY-2', 'in the answer that gave a token', given],
      ...renewed.map((answer) => ['TOKEN-3', 'for an expired token', answer] as const),
    ] as const)
      await holdsNoToken(world, answer, clause, { reason: `it came ${of}`, issued, sent });
  },
};

/**
 * The credentials outlive every token, and a new token revives no expired one, as it does if the expiry is stored for
 * the client. This probe also judges a token that is repeated after its 24 hours, and how long it is accepted.
 */
export const aNewTokenFollowsTheExpiredOne: Probe = {
  name: 'a-new-token-follows-the-expired-one',
  clauses: ['EXPIRY-2', 'EXPIRY-5', 'EXPIRY-6'],
  scope: 'deep',
  stage: 'simulated',
  renews: true,
  async run(world) {
    const { service, account, endpoint, contract, clock } = world;
    const token = await issueToken(world);
    const control = await contract.admits(bearer(token), 'BEARER-1');
    await clock.pass(lifetime + hours(1));
    const start = clock.now();
    let reason = 'it expired an hour ago';
    const expired = await contract.refuses(bearer(token), 'EXPIRY-2', { control, reason });
    if (expired.status !== 401) contract.unproven(neverExpired);
    const next = await service.issue(account);
    await checkNextToken(world, next, control);
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
    await checkNextToken(world, await service.issue(account), control);
    await clock.pass(hours(1));
    await checkNextToken(world, await service.issue(account), control);
  },
};

/** Calls succeed with a token that followed an expired one. @param control the answer to a valid token */
async function checkNextToken(
  { service, endpoint, contract, clock }: World,
  token: Token,
  control: Answer,
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
  const resend = () => service.call(endpoint, bearer(token));
  await contract.judgeRefusal({ answer, resend }, 'EXPIRY-2', { control, reason });
}
