import { day, right } from '../behaviour.ts';
import { expiringWhen, hour, type Mutant, minute, second } from './fault.ts';

/** After its end a token is revived, or no new one follows it. */
export const revivalMutants: readonly Mutant[] = [
  {
    name: 'revived-by-newer',
    means: 'A new token revives those that expired within the last day',
    make: () => ({
      keep(token, state) {
        for (const { madeAt, memo } of state.tokens.values())
          if (token.madeAt - madeAt > day && token.madeAt - madeAt < 2 * day)
            memo.set('revived', 1);
        right.keep(token, state);
      },
      ...expiringWhen((age, { memo }) => age >= day && !(memo.has('revived') && age < 7 * day)),
    }),
  },
  {
    name: 'alive-again-after-a-day',
    means: 'Ages are counted within two days, so that a token becomes valid again',
    make: () => expiringWhen((age) => age % (2 * day) >= day),
  },
  {
    name: 'alive-again-after-30-days',
    means: 'After 30 days the list of ended tokens is emptied',
    make: () => expiringWhen((age) => age >= day && age < 30 * day),
  },
  {
    name: 'alive-again-after-a-year',
    means: 'After a year the list of ended tokens is emptied',
    make: () => expiringWhen((age) => age >= day && age < 365 * day),
  },
  {
    name: 'no-token-after-expiry',
    means: 'After a token was found expired its client gets no token for an hour',
    make: () => ({
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
  },
  {
    name: 'dead-token-after-expiry',
    means: 'A token that is issued within a minute after another has expired is refused',
    make: () => ({
      keep(token, state) {
        const gone = [...state.tokens.values()].some(
          ({ madeAt }) => token.madeAt - madeAt >= day && token.madeAt - madeAt < day + minute,
        );
        if (!gone) right.keep(token, state);
      },
    }),
  },
];
