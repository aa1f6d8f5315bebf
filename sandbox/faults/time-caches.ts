import { type Behaviour, day, right } from '../behaviour.ts';
import { expiringWhen, hour, type Mutant, minute, second } from './fault.ts';

/**
 * A positive verdict is cached for a while.
 * @param fresh the time before the end in which verdicts are not cached
 * @param uses the number of uses from which it is cached
 */
const cached = (keptMs: number, fresh: number, uses = 1): Partial<Behaviour> => ({
  ...expiringWhen((age, { memo }, now) => age >= day && now >= (memo.get('kept') ?? 0)),
  used({ memo, madeAt }, { now }) {
    const count = (memo.get('uses') ?? 0) + 1;
    memo.set('uses', count);
    const due = now - madeAt < day - fresh && count >= uses;
    if (due && now >= (memo.get('kept') ?? 0)) memo.set('kept', now + keptMs);
  },
});

/** Only this number of tokens is kept. */
const keepingLast =
  (most: number): Mutant['make'] =>
  () => ({
    keep(token, state) {
      right.keep(token, state);
      const [oldest] = state.tokens.keys();
      if (state.tokens.size > most && oldest !== undefined) state.tokens.delete(oldest);
    },
  });

/** A cache outlives the token, or is too small for all tokens. */
export const cacheMutants: readonly Mutant[] = [
  {
    name: 'verdict-cached-for-a-minute-but-not-at-the-end',
    means: 'A verdict is kept for a minute, but not one of the last ten seconds',
    make: () => cached(minute, 10 * second),
  },
  {
    name: 'verdict-cached-for-five-minutes',
    means: 'A verdict is kept for five minutes, but not one of the last minute',
    make: () => cached(5 * minute, minute),
  },
  {
    name: 'verdict-cached-for-an-hour',
    means: 'A verdict is kept for an hour, but not one of the last five minutes',
    make: () => cached(hour, 5 * minute),
  },
  {
    name: 'verdict-cached-for-half-a-day',
    means: 'A verdict is kept for twelve hours, but not one of the last hour',
    make: () => cached(12 * hour, hour),
  },
  {
    name: 'verdict-of-a-busy-token-cached',
    means: 'The verdict of a third use is kept for a minute, but not one of the last ten seconds',
    make: () => cached(minute, 10 * second, 3),
  },
  {
    name: 'last-64-tokens-kept',
    means: 'The store keeps the last 64 tokens',
    make: keepingLast(64),
  },
  {
    name: 'last-256-tokens-kept',
    means: 'The store keeps the last 256 tokens',
    make: keepingLast(256),
  },
];
