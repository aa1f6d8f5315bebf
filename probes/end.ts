import { refusesBypasses } from '../contract/attempts/bypass.ts';
import { addHeaders, type Way } from '../contract/attempts/deviation.ts';
import { otherMethods, spellingWays } from '../contract/attempts/paths.ts';
import { inHeader } from '../contract/attempts/places.ts';
import { nextRevivalStart } from '../contract/attempts/revivals.ts';
import { wireWays } from '../contract/attempts/variations.ts';
import { hours, lifetime, minutes, seconds } from '../contract/durations.ts';
import { bearer } from '../contract/http/client.ts';
import type { Endpoint } from '../contract/http/request.ts';
import { refusesAlike } from '../contract/judge/sameness.ts';
import type { Probe } from '../contract/probe.ts';
import type { Token } from '../contract/secrets/secret.ts';
import { certainAge, issueToken, untilAge } from '../contract/time/token-age.ts';

/** All callers plan their renewals by this: the last millisecond and the very end, on every endpoint. */
export const aTokenLives24Hours: Probe = {
  name: 'a-token-lives-24-hours',
  clauses: ['EXPIRY-1', 'EXPIRY-2'],
  scope: 'core',
  stage: 'simulated',
  quick: true,
  async run(world) {
    const { contract, clock } = world;
    const token = await issueToken(world);
    await untilAge(clock, token, lifetime - 1);
    const early = 'its 24 hours have not elapsed';
    const control = await contract.admits(bearer(token), 'EXPIRY-1', early);
    await untilAge(clock, token, lifetime);
    const reason = 'its 24 hours have elapsed';
    const answer = await contract.refuses(bearer(token), 'EXPIRY-2', { control, reason });
    if (answer.status !== 401) await contract.missing();
  },
};

/**
 * No leeway, and no end that is rounded up. The tokens are issued around a whole hour, and never used before their
 * check, because effects of a use belong to EXPIRY-3. An end that is rounded down, as in JWTs, is permitted.
 */
export const theEndIsExact: Probe = {
  name: 'the-end-is-exact',
  clauses: ['EXPIRY-2'],
  scope: 'deep',
  stage: 'simulated',
  async run(world) {
    const { contract, clock } = world;
    const hour = Math.ceil((clock.now() + minutes(1)) / hours(1)) * hours(1);
    const used = await issueToken(world);
    const control = await contract.admits(bearer(used), 'BEARER-1');
    const issued: { readonly token: Token; readonly late: number }[] = [];
    for (const [offset, late] of checks) {
      await clock.until(hour + offset);
      issued.push({ token: await issueToken(world), late });
    }
    for (const { token, late } of issued) {
      // A repeated token was made at another instant.
      if (token.issuedBefore === true) continue;
      await untilAge(clock, token, lifetime + late);
      const madeAt = new Date(token.madeAt).toISOString();
      const reason = `its 24 hours have elapsed; it was never used, and made at ${madeAt}`;
      await contract.refuses(bearer(token), 'EXPIRY-2', { control, reason });
    }
    await clock.until(Math.max(clock.now(), used.madeAt + certainAge(clock, lifetime)));
    // Most libraries answer "Token expired" by default; this API does not reveal the cause.
    const contrast = { control, reason: 'the token has expired' };
    await refusesAlike(world, used, () => bearer(used), 'EXPIRY-2', contrast);
  },
};

/**
 * When each token is issued (milliseconds from a whole hour), the first just after a half second, which is rounded up,
 * and how long after its end it is checked. The exact end comes often: one of two servers may grant a leeway.
 */
const checks = [
  [-1499, 0],
  [-1, 0],
  [1, 0],
  [1, 0],
  [1, seconds(30)],
  [1, minutes(1)],
  [1, minutes(5)],
] as const;

/** Other methods, paths and forms of a request may have a guard that checks the token but not its expiry. */
export const anExpiredTokenIsNoWayIn: Probe = {
  name: 'an-expired-token-is-no-way-in',
  clauses: ['EXPIRY-2'],
  scope: 'deep',
  stage: 'years',
  async run(world) {
    const { endpoint, clock } = world;
    // Other probes use these instants, too.
    await clock.until(nextRevivalStart(clock.now()));
    const token = await issueToken(world);
    await untilAge(clock, token, lifetime + hours(1));
    await refusesBypasses(world, waysWith(endpoint), token);
  },
};

/** Requests that a server, a proxy or a framework handles in other code. */
const waysWith = (endpoint: Endpoint): readonly Way[] => [
  ...otherMethods(endpoint.method),
  ...spellingWays(endpoint),
  ...wireWays(endpoint),
  [inHeader('its scheme is spelt bearer', 'bearer TOKEN')],
  addHeaders('X-Forwarded-For: 127.0.0.1'),
  addHeaders('Accept: text/html'),
];
