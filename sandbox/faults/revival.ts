import { day, right } from '../behaviour.ts';
import { expiringWhen, fault, hour, type Mutant, minute, second } from './fault.ts';

/** After its end a token is revived, or no new one follows it. */
export const revivalMutants: readonly Mutant[] = [
  fault('revived-by-newer', 'A new token revives those that expired within the last day', () => ({
    keep(token, state) {
      for (const { madeAt, memo } of state.tokens.values())
        if (token.madeAt - madeAt > day && token.madeAt - madeAt < 2 * day) memo.set('revived', 1);
      right.keep(token, state);
    },
    ...expiringWhen((age, { memo }) => age >= day && !(memo.has('revived') && age < 7 * day)),
  })),
  fault(
    'alive-again-after-a-day',
    'Ages are counted within two days, so that a token becomes valid again',
    () => expiringWhen((age) => age % (2 * day) >= day),
  ),
  fault('alive-again-after-30-days', 'After 30 days the list of ended tokens is emptied', () =>
    expiringWhen((age) => age >= day && age < 30 * day),
  ),
  fault('alive-again-after-a-year', 'After a year the list of ended tokens is emptied', () =>
    expiringWhen((age) => age >= day && age < 365 * day),
  ),
  fault(
    'no-token-after-expiry',
    'After a token was found expired its client gets no token for an hour',
    () => ({
      expired(token, now, state, call) {
        const ended = right.expired(token, now, state, call);
        if (ended && now - token.madeAt < day + second) state.memo.set('blocked', now + hour);
        return ended;
      },
      granted: (token, call, state) =>
        call.now < (state.memo.get('blocked') ?? 0)
          ? { status: 409, json: { success: false, message: 'Session expired.' } }
          : right.granted(token, call, state),
    }),
  ),
  fault(
    'dead-token-after-expiry',
    'A token that is issued within a minute after another has expired is refused',
    () => ({
      keep(token, state) {
        const gone = [...state.tokens.values()].some(
          ({ madeAt }) => token.madeAt - madeAt >= day && token.madeAt - madeAt < day + minute,
        );
        if (!gone) right.keep(token, state);
      },
    }),
  ),
];
