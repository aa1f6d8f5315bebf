import type { MustId } from '../clauses.ts';
import { bearer } from '../http/client.ts';
import type { World } from '../probe.ts';
import { reachAge } from './age.ts';
import { type HardDay, ordinaryDay } from './calendar.ts';
import { type Clock, lifetime, minutes } from './clock.ts';

/**
 * Checks a token over each day that is easily miscounted (EXPIRY-7). An ordinary day before them shows whether the
 * end is also wrong on other dates.
 * @param due the days that begin from an instant on (milliseconds since 1970)
 */
export async function checkHardDays(
  world: World,
  due: (now: number) => readonly HardDay[],
): Promise<void> {
  const { clock } = world;
  await clock.until(ordinaryDay(clock.now()));
  const ordinary = { what: 'an ordinary day', early: [minutes(20)] };
  const { lasted, ended } = await checkToken(world, clock, ordinary, ['EXPIRY-1', 'EXPIRY-2']);
  const clauses = [lasted ? 'EXPIRY-7' : 'EXPIRY-1', ended ? 'EXPIRY-7' : 'EXPIRY-2'] as const;
  await clock.together(
    due(clock.now()).map((day) => async (own: Clock) => {
      await own.until(day.start);
      await checkToken(world, own, day, clauses);
    }),
  );
}

/**
 * @param clauses the clauses that are violated when the token ends early, and when it ends late
 * @returns whether it was valid until its end, and expired from then on
 */
async function checkToken(
  { service, account, endpoint, judge }: World,
  clock: Clock,
  { what, early }: Omit<HardDay, 'start'>,
  [tooEarly, tooLate]: readonly [tooEarly: MustId, tooLate: MustId],
): Promise<{ readonly lasted: boolean; readonly ended: boolean }> {
  const reason = `its 24 hours go over ${what}`;
  let token = await service.issue(account);
  if (token.issuedBefore === true) {
    // The current token expires first: its own 24 hours must not contain the date.
    await clock.until(token.madeAt + lifetime);
    token = await service.issue(account);
  }
  for (const before of early) {
    if (!(await reachAge(clock, token, lifetime - before))) continue;
    judge.admitted(await service.call(endpoint, bearer(token)), tooEarly, reason);
  }
  await clock.until(token.madeAt + lifetime - 1);
  const control = await service.call(endpoint, bearer(token));
  judge.admitted(control, tooEarly, reason);
  await clock.until(token.madeAt + lifetime);
  const answer = await service.call(endpoint, bearer(token));
  judge.refused(answer, tooLate, { control, reason });
  return { lasted: control.status !== 401, ended: answer.status === 401 };
}
