import type { Answer } from '../contract/http/answer.ts';
import { bearer } from '../contract/http/client.ts';
import type { Probe } from '../contract/probe.ts';
import type { Token } from '../contract/secrets/secret.ts';
import { issuedTooOld, reachAge } from '../contract/time/age.ts';
import { hours, lifetime, minutes, seconds } from '../contract/time/clock.ts';

/**
 * Tokens that were issued just after and just before a whole hour, which is also a whole second and minute. An
 * end that is rounded down to the second, as in JWTs, is permitted: so the control is a second earlier.
 */
export const theEndIsNotRoundedUp: Probe = {
  name: 'the-end-is-not-rounded-up',
  clauses: ['EXPIRY-2'],
  scope: 'deep',
  stage: 'simulated',
  async run({ service, account, endpoint, judge, clock }) {
    const hour = Math.ceil((clock.now() + minutes(1)) / hours(1)) * hours(1);
    const tokens: Token[] = [];
    for (const offset of offsets) {
      await clock.until(hour + offset);
      tokens.push(await service.issue(account));
    }
    let control: Answer | undefined;
    for (const token of tokens) {
      if (control === undefined && (await reachAge(clock, token, lifetime - seconds(1)))) {
        control = await service.call(endpoint, bearer(token));
        judge.admitted(control, 'EXPIRY-1', 'its last second begins');
      }
      if (control === undefined || !(await reachAge(clock, token, lifetime))) continue;
      const madeAt = new Date(token.madeAt).toISOString();
      const reason = `its 24 hours have elapsed, and it was made close to a whole hour, at ${madeAt}`;
      judge.refused(await service.call(endpoint, bearer(token)), 'EXPIRY-2', { control, reason });
    }
    if (control === undefined) judge.unproven(issuedTooOld);
  },
};

/** Milliseconds from a whole hour. The first is one millisecond after a half second, and is rounded up. */
const offsets = [-1499, -1, 1];
