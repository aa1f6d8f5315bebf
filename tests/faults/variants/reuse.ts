import { type Behaviour, day, type ServiceState } from '../../../sandbox/behaviour.ts';
import { count, fault, givingAgain, hour, issue, minute, type Variant } from '../fault.ts';
import { jwt } from './tokens.ts';

/** Repeats a token until only this much of its life is left. */
const untilLeft = (leftMs: number) => givingAgain(({ madeAt }, now) => now - madeAt < day - leftMs);

/** Repeats a token that was issued this long before the first request. */
const agedAtFirst = (ageMs: number): Partial<Behaviour> => {
  const reuse = untilLeft(0);
  return {
    ...reuse,
    mint(state, now) {
      if (count(state, 'mint') === 1) issue(state, now - ageMs);
      return reuse.mint(state, now);
    },
  };
};

/** Two alternating nodes, each of which repeats its own token. */
const ofTwoNodes = (): Partial<Behaviour> => {
  const node = (state: ServiceState): number => (state.memo.get('mint') ?? 0) % 2;
  const reuse = givingAgain(
    ({ madeAt, memo }, now, state) => now - madeAt < day && memo.get('node') === node(state),
  );
  return {
    mint(state, now) {
      count(state, 'mint');
      return reuse.mint(state, now);
    },
    keep(token, state) {
      token.memo.set('node', node(state));
      reuse.keep(token, state);
    },
  };
};

/** A token that is still valid is repeated (OPEN-4), and ends 24 hours after it was issued. */
export const reuseVariants: readonly Variant[] = [
  fault(
    'reuse-renewed-in-the-last-hour',
    'A token is given again until an hour of its life is left',
    () => untilLeft(hour),
  ),
  fault(
    'reuse-renewed-in-the-last-five-minutes',
    'A token is given again until five minutes of its life are left',
    () => untilLeft(5 * minute),
  ),
  fault('same-token-within-a-minute', 'A token is given again for a minute', () =>
    untilLeft(day - minute),
  ),
  fault('jwt-reuse', 'A JWT of whole seconds is given again until its end', () => ({
    ...givingAgain(({ madeAt }, now) => now < Math.floor(madeAt / 1000) * 1000 + day, jwt.mint),
    find: jwt.find,
  })),
  fault(
    'reuse-of-a-token-23-hours-old',
    'The first token that is given was made 23 hours before, and is given again',
    () => agedAtFirst(23 * hour),
  ),
  fault(
    'reuse-by-two-nodes',
    'Two nodes answer by turns, and each gives its own token again',
    ofTwoNodes,
  ),
];
