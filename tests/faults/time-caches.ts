import { type Behaviour, day, right } from '../../sandbox/behaviour.ts';
import { expiringWhen, fault, hour, type Mutant, minute, second } from './fault.ts';

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
const keepingLast = (most: number): Pick<Behaviour, 'keep'> => ({
  keep(token, state) {
    right.keep(token, state);
    const [oldest] = state.tokens.keys();
    if (state.tokens.size > most && oldest !== undefined) state.tokens.delete(oldest);
  },
});

/** A cache outlives the token, or is too small for all tokens. */
export const cacheMutants: readonly Mutant[] = [
  fault(
    'verdict-cached-for-a-minute-but-not-at-the-end',
    'A verdict is kept for a minute, but not one of the last ten seconds',
    () => cached(minute, 10 * second),
  ),
  fault(
    'verdict-cached-for-five-minutes',
    'A verdict is kept for five minutes, but not one of the last minute',
    () => cached(5 * minute, minute),
  ),
  fault(
    'verdict-cached-for-an-hour',
    'A verdict is kept for an hour, but not one of the last five minutes',
    () => cached(hour, 5 * minute),
  ),
  fault(
    'verdict-cached-for-half-a-day',
    'A verdict is kept for twelve hours, but not one of the last hour',
    () => cached(12 * hour, hour),
  ),
  fault(
    'verdict-of-a-busy-token-cached',
    'The verdict of a third use is kept for a minute, but not one of the last ten seconds',
    () => cached(minute, 10 * second, 3),
  ),
  fault('last-64-tokens-kept', 'The store keeps the last 64 tokens', () => keepingLast(64)),
  fault('last-256-tokens-kept', 'The store keeps the last 256 tokens', () => keepingLast(256)),
];
