import { type Behaviour, day, type Issued, right } from '../behaviour.ts';
import { expiringWhen, hour, type Mutant, minute, second } from './fault.ts';

/** Stores something about the last use of a token. */
const remembering = (note: (token: Issued, now: number) => void): Pick<Behaviour, 'used'> => ({
  used: (token, { now }) => note(token, now),
});

/** A token's use, or another token, moves its end. */
export const movementMutants: readonly Mutant[] = [
  {
    name: 'slides',
    means: 'Each use gives 24 hours more',
    make: () => ({
      ...expiringWhen((_age, { madeAt, memo }, now) => now - (memo.get('used') ?? madeAt) >= day),
      ...remembering(({ memo }, now) => void memo.set('used', now)),
    }),
  },
  {
    name: 'slides-near-the-end',
    means: 'A use in the last minute gives 24 hours more',
    make: () => ({
      ...expiringWhen((_age, { madeAt, memo }, now) => now - (memo.get('moved') ?? madeAt) >= day),
      ...remembering(({ madeAt, memo }, now) => {
        if (now - madeAt > day - minute) memo.set('moved', now);
      }),
    }),
  },
  {
    name: 'grace-after-use',
    means: 'A token that was used a moment ago gets a second of grace',
    make: () => ({
      ...expiringWhen((age, { memo }, now) => age >= day && now - (memo.get('used') ?? 0) > second),
      ...remembering(({ memo }, now) => void memo.set('used', now)),
    }),
  },
  {
    name: 'begins-with-first-use',
    means: 'The 24 hours begin with the first use',
    make: () => ({
      ...expiringWhen((_age, { memo }, now) => now - (memo.get('first') ?? now) >= day),
      ...remembering(({ memo }, now) => void memo.set('first', memo.get('first') ?? now)),
    }),
  },
  {
    name: 'late-first-use-starts-anew',
    means: 'A first use after an hour starts the 24 hours anew',
    make: () => ({
      ...expiringWhen((_age, { madeAt, memo }, now) => now - (memo.get('start') ?? madeAt) >= day),
      ...remembering(({ madeAt, memo }, now) => {
        if (!memo.has('start')) memo.set('start', now - madeAt > hour ? now : madeAt);
      }),
    }),
  },
  {
    name: 'first-use-in-the-last-hours-gives-a-day',
    means: 'A first use in the last two hours, except in the very last moment, gives 24 hours more',
    make: () => ({
      ...expiringWhen((_age, { madeAt, memo }, now) => now - (memo.get('start') ?? madeAt) >= day),
      ...remembering(({ madeAt, memo }, now) => {
        const age = now - madeAt;
        if (!memo.has('start'))
          memo.set('start', age >= day - 2 * hour && age <= day - hour ? now : madeAt);
      }),
    }),
  },
  {
    name: 'use-in-the-first-hour-gives-a-day',
    means: 'A use in the first hour, except in its first second, gives 24 hours more',
    make: () => ({
      ...expiringWhen((_age, { madeAt, memo }, now) => now - (memo.get('moved') ?? madeAt) >= day),
      ...remembering(({ madeAt, memo }, now) => {
        if (now - madeAt > second && now - madeAt < hour) memo.set('moved', now);
      }),
    }),
  },
  {
    name: 'unused-never-ends',
    means: 'A token that was never used does not end',
    make: () => ({
      ...expiringWhen((age, { memo }) => age >= day && memo.has('used')),
      ...remembering(({ memo }) => void memo.set('used', 1)),
    }),
  },
  {
    name: 'idle-timeout',
    means: 'A token that is not used for half a day ends',
    make: () => ({
      ...expiringWhen(
        (age, { madeAt, memo }, now) =>
          age >= day || now - (memo.get('used') ?? madeAt) > 12 * hour,
      ),
      ...remembering(({ memo }, now) => void memo.set('used', now)),
    }),
  },
  {
    name: 'verdict-cached-for-ever',
    means: 'A positive verdict is kept for ever',
    make: () => ({
      ...expiringWhen((age, { memo }) => age >= day && !memo.has('used')),
      ...remembering(({ memo }) => void memo.set('used', 1)),
    }),
  },
  {
    name: 'verdict-cached-for-a-minute',
    means: 'A positive verdict is kept for a minute',
    make: () => ({
      ...expiringWhen(
        (age, { memo }, now) => age >= day && now - (memo.get('used') ?? -Infinity) >= minute,
      ),
      ...remembering(({ memo, madeAt }, now) => {
        if (now - madeAt < day) memo.set('used', now);
      }),
    }),
  },
  {
    name: 'one-token-a-client',
    means: 'A new token ends the older ones',
    make: () => ({
      keep(token, state) {
        state.tokens.clear();
        right.keep(token, state);
      },
    }),
  },
  {
    name: 'newer-ends-older-after-a-minute',
    means: 'A new token leaves the older ones a minute',
    make: () => ({
      keep(token, state) {
        for (const { memo } of state.tokens.values())
          if (!memo.has('replaced')) memo.set('replaced', token.madeAt + minute);
        right.keep(token, state);
      },
      expired: (token, now, state, call) =>
        now >= (token.memo.get('replaced') ?? Infinity) || right.expired(token, now, state, call),
    }),
  },
  {
    name: 'newer-prolongs-older',
    means: 'A new token prolongs the older ones that are still valid',
    make: () => ({
      keep(token, state) {
        for (const { madeAt, memo } of state.tokens.values())
          if (token.madeAt < (memo.get('end') ?? madeAt + day)) memo.set('end', token.madeAt + day);
        right.keep(token, state);
      },
      ...expiringWhen((_age, { madeAt, memo }, now) => now >= (memo.get('end') ?? madeAt + day)),
    }),
  },
  {
    name: 'newer-inherits-the-end',
    means: 'A new token ends with the one that is still valid',
    make: () => ({
      keep(token, state) {
        const living = [...state.tokens.values()].find(({ madeAt }) => token.madeAt - madeAt < day);
        token.memo.set('end', living?.memo.get('end') ?? (living?.madeAt ?? token.madeAt) + day);
        right.keep(token, state);
      },
      ...expiringWhen((_age, { memo }, now) => now >= (memo.get('end') ?? 0)),
    }),
  },
  {
    name: 'fifty-first-evicts',
    means: 'The fifty-first valid token evicts the oldest',
    make: () => ({
      keep(token, state) {
        const living = [...state.tokens.values()].filter(
          ({ madeAt }) => token.madeAt - madeAt < second,
        );
        if (living.length >= 50) state.tokens.delete(living[0]?.text ?? '');
        right.keep(token, state);
      },
    }),
  },
];
