import { day, right } from '../../sandbox/behaviour.ts';
import { expiringWhen, fault, hour, type Mutant, minute, second } from './fault.ts';

/** A token's use, or another token, moves its end. */
export const movementMutants: readonly Mutant[] = [
  fault('slides', 'Each use gives 24 hours more', () => ({
    ...expiringWhen((_age, { madeAt, memo }, now) => now - (memo.get('used') ?? madeAt) >= day),
    used: ({ memo }, { now }) => void memo.set('used', now),
  })),
  fault('slides-near-the-end', 'A use in the last minute gives 24 hours more', () => ({
    ...expiringWhen((_age, { madeAt, memo }, now) => now - (memo.get('moved') ?? madeAt) >= day),
    used({ madeAt, memo }, { now }) {
      if (now - madeAt > day - minute) memo.set('moved', now);
    },
  })),
  fault('grace-after-use', 'A token that was used a moment ago gets a second of grace', () => ({
    ...expiringWhen((age, { memo }, now) => age >= day && now - (memo.get('used') ?? 0) > second),
    used: ({ memo }, { now }) => void memo.set('used', now),
  })),
  fault('begins-with-first-use', 'The 24 hours begin with the first use', () => ({
    ...expiringWhen((_age, { memo }, now) => now - (memo.get('first') ?? now) >= day),
    used: ({ memo }, { now }) => void memo.set('first', memo.get('first') ?? now),
  })),
  fault('late-first-use-starts-anew', 'A first use after an hour starts the 24 hours anew', () => ({
    ...expiringWhen((_age, { madeAt, memo }, now) => now - (memo.get('start') ?? madeAt) >= day),
    used({ madeAt, memo }, { now }) {
      if (!memo.has('start')) memo.set('start', now - madeAt > hour ? now : madeAt);
    },
  })),
  fault(
    'first-use-in-the-last-hours-gives-a-day',
    'A first use in the last two hours, except in the very last moment, gives 24 hours more',
    () => ({
      ...expiringWhen((_age, { madeAt, memo }, now) => now - (memo.get('start') ?? madeAt) >= day),
      used({ madeAt, memo }, { now }) {
        const age = now - madeAt;
        if (!memo.has('start'))
          memo.set('start', age >= day - 2 * hour && age <= day - hour ? now : madeAt);
      },
    }),
  ),
  fault(
    'use-in-the-first-hour-gives-a-day',
    'A use in the first hour, except in its first second, gives 24 hours more',
    () => ({
      ...expiringWhen((_age, { madeAt, memo }, now) => now - (memo.get('moved') ?? madeAt) >= day),
      used({ madeAt, memo }, { now }) {
        if (now - madeAt > second && now - madeAt < hour) memo.set('moved', now);
      },
    }),
  ),
  fault('unused-never-ends', 'A token that was never used does not end', () => ({
    ...expiringWhen((age, { memo }) => age >= day && memo.has('used')),
    used: ({ memo }) => void memo.set('used', 1),
  })),
  fault('idle-timeout', 'A token that is not used for half a day ends', () => ({
    ...expiringWhen(
      (age, { madeAt, memo }, now) => age >= day || now - (memo.get('used') ?? madeAt) > 12 * hour,
    ),
    used: ({ memo }, { now }) => void memo.set('used', now),
  })),
  fault('verdict-cached-for-ever', 'A positive verdict is kept for ever', () => ({
    ...expiringWhen((age, { memo }) => age >= day && !memo.has('used')),
    used: ({ memo }) => void memo.set('used', 1),
  })),
  fault('verdict-cached-for-a-minute', 'A positive verdict is kept for a minute', () => ({
    ...expiringWhen(
      (age, { memo }, now) => age >= day && now - (memo.get('used') ?? -Infinity) >= minute,
    ),
    used({ memo, madeAt }, { now }) {
      if (now - madeAt < day) memo.set('used', now);
    },
  })),
  fault('one-token-a-client', 'A new token ends the older ones', () => ({
    keep(token, state) {
      state.tokens.clear();
      right.keep(token, state);
    },
  })),
  fault('newer-ends-older-after-a-minute', 'A new token leaves the older ones a minute', () => ({
    keep(token, state) {
      for (const { memo } of state.tokens.values())
        if (!memo.has('replaced')) memo.set('replaced', token.madeAt + minute);
      right.keep(token, state);
    },
    expired: (token, now, state, call) =>
      now >= (token.memo.get('replaced') ?? Infinity) || right.expired(token, now, state, call),
  })),
  fault('newer-prolongs-older', 'A new token prolongs the older ones that are still valid', () => ({
    keep(token, state) {
      for (const { madeAt, memo } of state.tokens.values())
        if (token.madeAt < (memo.get('end') ?? madeAt + day)) memo.set('end', token.madeAt + day);
      right.keep(token, state);
    },
    ...expiringWhen((_age, { madeAt, memo }, now) => now >= (memo.get('end') ?? madeAt + day)),
  })),
  fault('newer-inherits-the-end', 'A new token ends with the one that is still valid', () => ({
    keep(token, state) {
      const living = [...state.tokens.values()].find(({ madeAt }) => token.madeAt - madeAt < day);
      token.memo.set('end', living?.memo.get('end') ?? (living?.madeAt ?? token.madeAt) + day);
      right.keep(token, state);
    },
    ...expiringWhen((_age, { memo }, now) => now >= (memo.get('end') ?? 0)),
  })),
  fault('fifty-first-evicts', 'The fifty-first valid token evicts the oldest', () => ({
    keep(token, state) {
      const living = [...state.tokens.values()].filter(
        ({ madeAt }) => token.madeAt - madeAt < second,
      );
      if (living.length >= 50) state.tokens.delete(living[0]?.text ?? '');
      right.keep(token, state);
    },
  })),
];
