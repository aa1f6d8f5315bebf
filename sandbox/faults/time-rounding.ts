import { day } from '../behaviour.ts';
import { expiringWhen, hour, type Mutant, minute, second, type Variant } from './fault.ts';

/**
 * The end is rounded by a rule of the mutant. An end on a whole second is kept, so that the result does not
 * depend on the second in which other tokens are issued.
 */
const endingAt = (round: (end: number) => number) =>
  expiringWhen((_age, { madeAt }, now) => {
    const end = madeAt + day;
    return now >= (end % second === 0 ? end : round(end));
  });

const upTo =
  (unit: number) =>
  (end: number): number =>
    Math.ceil(end / unit) * unit;

/** Rounds to the nearest unit, but down only to the second, which is permitted. */
const halfUpTo =
  (unit: number) =>
  (end: number): number =>
    Math.max(Math.round(end / unit) * unit, Math.floor(end / second) * second);

/** The end is rounded up, so that a token is valid a moment too long. */
export const roundingMutants: readonly Mutant[] = [
  {
    name: 'end-rounded-up-to-the-second',
    means: 'The end is rounded up to the next whole second',
    make: () => endingAt(upTo(second)),
  },
  {
    name: 'end-rounded-half-up-to-the-second',
    means: 'The end is rounded to the nearest second',
    make: () => endingAt(halfUpTo(second)),
  },
  {
    name: 'end-rounded-up-to-the-minute',
    means: 'An end that is not on a whole second is rounded up to the next minute',
    make: () => endingAt(upTo(minute)),
  },
  {
    name: 'end-rounded-half-up-to-the-minute',
    means:
      'An end that is not on a whole second is rounded to the nearest minute when that is later',
    make: () => endingAt(halfUpTo(minute)),
  },
  {
    name: 'end-rounded-half-up-to-the-hour',
    means: 'An end that is not on a whole second is rounded to the nearest hour when that is later',
    make: () => endingAt(halfUpTo(hour)),
  },
  {
    name: 'last-second-of-the-hour-rounded-up',
    means: 'An end in the last tenth of a second of an hour is rounded up',
    make: () => endingAt((end) => (end % hour >= hour - 100 ? upTo(hour)(end) : end)),
  },
  {
    name: 'now-cut-to-the-second',
    means: 'The end is exact, and the time of a request is cut to whole seconds',
    make: () =>
      expiringWhen((_age, { madeAt }, now) => Math.floor(now / second) * second >= madeAt + day),
  },
];

/** The end is rounded down. */
export const roundingVariants: readonly Variant[] = [
  {
    name: 'end-rounded-down-to-the-second',
    means: 'The end is cut to the whole second, as JWTs have it',
    make: () => endingAt((end) => Math.floor(end / second) * second),
  },
];
