import { day, type ServiceState } from '../../../sandbox/behaviour.ts';
import { count, type Faults, family, givingAgain, hour, issue, minute } from '../fault.ts';
import { jwt } from '../jwt.ts';

/** Repeats a token until only this much of its life is left. */
const untilLeft = (leftMs: number) => givingAgain(({ madeAt }, now) => now - madeAt < day - leftMs);

const node = (state: ServiceState): number => (state.memo.get('mint') ?? 0) % 2;

const ofOneNode = givingAgain(
  ({ madeAt, memo }, now, state) => now - madeAt < day && memo.get('node') === node(state),
);

const renewals = {
  'reuse-renewed-in-the-last-hour': hour,
  'reuse-renewed-in-the-last-five-minutes': 5 * minute,
  'same-token-within-a-minute': day - minute,
};

/** A token that is still valid is repeated (OPEN-4), and ends 24 hours after it was issued. */
export const reuseVariants: Faults = {
  ...family('*', renewals, untilLeft),
  'jwt-reuse': {
    ...givingAgain(({ madeAt }, now) => now < Math.floor(madeAt / 1000) * 1000 + day, jwt.mint),
    find: jwt.find,
  },
  'reuse-of-a-token-23-hours-old': {
    ...untilLeft(0),
    mint(state, now) {
      if (count(state, 'mint') === 1) issue(state, now - 23 * hour);
      return untilLeft(0).mint(state, now);
    },
  },
  // The nodes answer by turns.
  'reuse-by-two-nodes': {
    mint(state, now) {
      count(state, 'mint');
      return ofOneNode.mint(state, now);
    },
    keep(token, state) {
      token.memo.set('node', node(state));
      ofOneNode.keep(token, state);
    },
  },
};
