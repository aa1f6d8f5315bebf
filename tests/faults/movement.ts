import { day, type Issued, right } from '../../sandbox/behaviour.ts';
import { breaking, expiringWhen, type Fault, type Faults, hour, minute, second } from './fault.ts';

const noting: Fault = { used: ({ memo }, { now }) => void memo.set('used', now) };

/** The end of a token is moved when it is used, or when another one is made. */
export const endOf = ({ madeAt, memo }: Issued): number => memo.get('end') ?? madeAt + day;
const endingAsMoved = expiringWhen((_age, token, now) => now >= endOf(token));

/** Some uses start the 24 hours anew. @param restarts gets the age, and the number of uses with this one */
export const restartedWhen = (restarts: (ageMs: number, uses: number) => boolean): Fault => ({
  ...endingAsMoved,
  used({ madeAt, memo }, { now }) {
    if (restarts(now - madeAt, nextUse(memo))) memo.set('end', now + day);
  },
});

function nextUse(memo: Issued['memo']): number {
  const uses = (memo.get('uses') ?? 0) + 1;
  memo.set('uses', uses);
  return uses;
}

/**
 * A positive verdict is cached for a while.
 * @param fresh the time before the end in which verdicts are not cached
 * @param uses the number of uses from which it is cached
 */
const cached = (keptMs: number, fresh = 0, uses = 1): Fault => ({
  ...endingAsMoved,
  used(token, { now }) {
    const isDue = nextUse(token.memo) >= uses && now - token.madeAt < day - fresh;
    if (isDue && now >= (token.memo.get('kept') ?? 0)) {
      token.memo.set('kept', now + keptMs).set('end', Math.max(endOf(token), now + keptMs));
    }
  },
});

/** A new token changes the older ones, or itself. */
export const keepingAfter = (change: (token: Issued, older: readonly Issued[]) => void): Fault => ({
  ...endingAsMoved,
  keep(token, state) {
    change(token, [...state.tokens.values()]);
    right.keep(token, state);
  },
});

/** Only this number of tokens is kept. */
export const keepingLast = (most: number): Fault => ({
  keep(token, state) {
    right.keep(token, state);
    for (const text of [...state.tokens.keys()].slice(0, -most)) state.tokens.delete(text);
  },
});

/** A use of a token, or another token, moves its end. */
export const movementFaults: Faults = {
  ...breaking(['EXPIRY-2', 'EXPIRY-3', 'EXPIRY-4'], {
    'slides-near-the-end': restartedWhen((age) => age > day - minute),
    'late-first-use-starts-anew': restartedWhen((age, uses) => uses === 1 && age > hour),
    'grace-after-use': {
      ...noting,
      ...expiringWhen((age, { memo }, now) => age >= day && now - (memo.get('used') ?? 0) > second),
    },
    'verdict-cached-for-ever': cached(Infinity),
    'verdict-cached-for-a-minute': cached(minute),
  }),
  ...breaking('EXPIRY-3', {
    'first-use-in-the-last-hours-gives-a-day': restartedWhen(
      (age, uses) => uses === 1 && age >= day - 2 * hour && age <= day - hour,
    ),
    'use-in-the-first-hour-gives-a-day': restartedWhen((age) => age > second && age < hour),
    'verdict-cached-for-a-minute-but-not-at-the-end': cached(minute, 10 * second),
    'verdict-cached-for-five-minutes': cached(5 * minute, minute),
    'verdict-cached-for-half-a-day': cached(12 * hour, hour),
    'verdict-of-a-busy-token-cached': cached(minute, 10 * second, 3),
  }),
  'verdict-cached-for-an-hour': { breaks: ['EXPIRY-2', 'EXPIRY-3'], ...cached(hour, 5 * minute) },
  'unused-never-ends': {
    breaks: 'EXPIRY-2',
    ...noting,
    ...expiringWhen((age, { memo }) => age >= day && memo.has('used')),
  },
  ...breaking(['EXPIRY-2', 'EXPIRY-4'], {
    'begins-with-first-use': {
      ...expiringWhen((_age, { memo }, now) => now - (memo.get('first') ?? now) >= day),
      used: ({ memo }, { now }) => void memo.set('first', memo.get('first') ?? now),
    },
    'newer-prolongs-older': keepingAfter(({ madeAt }, older) => {
      for (const token of older) if (madeAt < endOf(token)) token.memo.set('end', madeAt + day);
    }),
  }),
  ...breaking(['EXPIRY-1', 'EXPIRY-4'], {
    'idle-timeout': {
      ...noting,
      ...expiringWhen(
        (age, { madeAt, memo }, now) =>
          age >= day || now - (memo.get('used') ?? madeAt) > 12 * hour,
      ),
    },
    'newer-ends-older-after-a-minute': keepingAfter(({ madeAt }, older) => {
      for (const token of older) token.memo.set('end', Math.min(endOf(token), madeAt + minute));
    }),
  }),
  'newer-inherits-the-end': {
    breaks: ['EXPIRY-1', 'EXPIRY-4', 'EXPIRY-6'],
    ...keepingAfter((token, older) => {
      const valid = older.find(({ madeAt }) => token.madeAt - madeAt < day);
      if (valid !== undefined) token.memo.set('end', endOf(valid));
    }),
  },
  ...breaking('EXPIRY-4', {
    'one-token-a-client': keepingLast(1),
    'last-64-tokens-kept': keepingLast(64),
    'fifty-first-evicts': {
      keep(token, state) {
        const recent = [...state.tokens.values()].filter(
          ({ madeAt }) => token.madeAt - madeAt < second,
        );
        if (recent.length >= 50) state.tokens.delete(recent[0]?.text ?? '');
        right.keep(token, state);
      },
    },
  }),
};
