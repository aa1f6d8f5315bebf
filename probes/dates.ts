import { nextRevivalStart } from '../contract/attempts/revivals.ts';
import type { MustId } from '../contract/clauses.ts';
import { lifetime, minutes } from '../contract/durations.ts';
import type { Answer } from '../contract/http/answer.ts';
import { bearer } from '../contract/http/client.ts';
import type { Probe, World } from '../contract/probe.ts';
import type { Token } from '../contract/secrets/secret.ts';
import { type Day, hardDays } from '../contract/time/calendar.ts';
import {
  answersVary,
  certainAge,
  issueToken,
  neverExpired,
  noNewToken,
} from '../contract/time/token-age.ts';

/**
 * Daylight saving time changes, months and years end, and counters wrap: the days of the year ahead, the next leap day
 * and 2038. An ordinary day before them shows whether the end is also wrong on other dates.
 */
export const on24HoursOnEveryDate: Probe = {
  name: '24-hours-on-every-date',
  clauses: ['EXPIRY-7'],
  scope: 'service',
  stage: 'years',
  async run(world) {
    const { contract, clock } = world;
    const ordinary = { start: nextRevivalStart(clock.now()), what: 'an ordinary day' };
    const { lasted, ended } = await checkDays(world, [ordinary], 'EXPIRY-1', 'EXPIRY-2');
    if (!ended) contract.unproven(neverExpired);
    const tooEarly = lasted ? 'EXPIRY-7' : 'EXPIRY-1';
    await checkDays(world, hardDays(clock.now()), tooEarly, ended ? 'EXPIRY-7' : 'EXPIRY-2');
  },
};

/**
 * Checks a token over each day. Days may overlap. One of several servers violates another clause.
 * @param tooEarly the clause that is violated when a token ends early
 * @returns whether each token was valid until its end, and expired from then on
 */
async function checkDays(
  world: World,
  checked: readonly Day[],
  tooEarly: MustId,
  tooLate: MustId,
): Promise<{ readonly lasted: boolean; readonly ended: boolean }> {
  const { contract, clock } = world;
  const result = { lasted: true, ended: true };
  const steps = checked.flatMap(({ start, what }) => {
    const reason = `its 24 hours go over ${what}`;
    let token: Token | undefined;
    let control: Answer | undefined;
    const issue = async (): Promise<void> => {
      const issued = await issueToken(world);
      if (issued.issuedBefore === true) contract.unproven(noNewToken);
      else token = issued;
    };
    const admit = async (used = token): Promise<void> => {
      if (used === undefined) return;
      control = await contract.admits(bearer(used), tooEarly, reason);
      if (control.status === 401) result.lasted = false;
    };
    const refuse = async (used = token): Promise<void> => {
      if (used === undefined || control === undefined) return;
      const clause = async () => ((await answersVary(world, used, false)) ? 'EXPIRY-2' : tooLate);
      const answer = await contract.refuses(bearer(used), clause, { control, reason });
      if (answer.status !== 401) result.ended = false;
    };
    const ageAt = (ageMs: number): number => start + certainAge(clock, ageMs);
    // Where clocks go back, the end has come once already twenty minutes before it.
    const admissions = [minutes(20), 1].map((before) => ({
      at: ageAt(lifetime - before),
      run: () => admit(),
    }));
    return [{ at: start, run: issue }, ...admissions, { at: ageAt(lifetime), run: () => refuse() }];
  });
  for (const { at, run } of steps.toSorted((a, b) => a.at - b.at)) {
    await clock.until(at);
    await run();
  }
  return result;
}
