import { type Behaviour, day, type ServiceState } from '../../behaviour.ts';
import { sign, verify } from '../../jwt.ts';
import { count, givingAgain, hour, minute, type Variant } from '../fault.ts';

/** Repeats a token until only this much of its life is left. */
const untilLeft = (right: Behaviour, leftMs: number) =>
  givingAgain(right, ({ madeAt }, now) => now - madeAt < day - leftMs);

/** Repeats a token that was issued this long before the first request. */
const agedAtFirst = (right: Behaviour, ageMs: number): Partial<Behaviour> => {
  const reuse = untilLeft(right, 0);
  return {
    ...reuse,
    mint(state, now) {
      if (count(state, 'mint') === 1) {
        const token = { text: right.mint(state, now), madeAt: now - ageMs, memo: new Map() };
        right.keep(token, state);
      }
      return reuse.mint(state, now);
    },
  };
};

/** Two alternating nodes, each of which repeats its own token. */
const ofTwoNodes = (right: Behaviour): Partial<Behaviour> => {
  const node = (state: ServiceState): number => (state.memo.get('mint') ?? 0) % 2;
  const reuse = givingAgain(
    right,
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
  {
    name: 'reuse-renewed-in-the-last-hour',
    means: 'A token is given again until an hour of its life is left',
    make: (right) => untilLeft(right, hour),
  },
  {
    name: 'reuse-renewed-in-the-last-five-minutes',
    means: 'A token is given again until five minutes of its life are left',
    make: (right) => untilLeft(right, 5 * minute),
  },
  {
    name: 'same-token-within-a-minute',
    means: 'A token is given again for a minute',
    make: (right) => untilLeft(right, day - minute),
  },
  {
    name: 'jwt-reuse',
    means: 'A JWT of whole seconds is given again until its end',
    make: (right) => ({
      ...givingAgain(
        {
          ...right,
          mint: (_state, now) => {
            const iat = Math.floor(now / 1000);
            return sign({ sub: 'client-1', iat, exp: iat + 86_400 });
          },
        },
        ({ madeAt }, now) => now < Math.floor(madeAt / 1000) * 1000 + day,
      ),
      find(text) {
        const claims = verify(text);
        return claims && { text, madeAt: (claims.exp - 86_400) * 1000, memo: new Map() };
      },
    }),
  },
  {
    name: 'reuse-of-a-token-23-hours-old',
    means: 'The first token that is given was made 23 hours before, and is given again',
    make: (right) => agedAtFirst(right, 23 * hour),
  },
  {
    name: 'reuse-by-two-nodes',
    means: 'Two nodes answer by turns, and each gives its own token again',
    make: ofTwoNodes,
  },
];
