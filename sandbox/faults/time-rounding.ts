import { day } from '../behaviour.ts';
import { expiringWhen, fault, hour, type Mutant, minute, second, type Variant } from './fault.ts';

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
  fault('end-rounded-up-to-the-second', 'The end is rounded up to the next whole second', () =>
    endingAt(upTo(second)),
  ),
  fault('end-rounded-half-up-to-the-second', 'The end is rounded to the nearest second', () =>
    endingAt(halfUpTo(second)),
  ),
  fault(
    'end-rounded-up-to-the-minute',
    'An end that is not on a whole second is rounded up to the next minute',
    () => endingAt(upTo(minute)),
  ),
  fault(
    'end-rounded-half-up-to-the-minute',
    'An end that is not on a whole second is rounded to the nearest minute when that is later',
    () => endingAt(halfUpTo(minute)),
  ),
  fault(
    'end-rounded-half-up-to-the-hour',
    'An end that is not on a whole second is rounded to the nearest hour when that is later',
    () => endingAt(halfUpTo(hour)),
  ),
  fault(
    'last-second-of-the-hour-rounded-up',
    'An end in the last tenth of a second of an hour is rounded up',
    () => endingAt((end) => (end % hour >= hour - 100 ? upTo(hour)(end) : end)),
  ),
  fault(
    'now-cut-to-the-second',
    'The end is exact, and the time of a request is cut to whole seconds',
    () =>
      expiringWhen((_age, { madeAt }, now) => Math.floor(now / second) * second >= madeAt + day),
  ),
];

/** The end is rounded down. */
export const roundingVariants: readonly Variant[] = [
  fault(
    'end-rounded-down-to-the-second',
    'The end is cut to the whole second, as JWTs have it',
    () => endingAt((end) => Math.floor(end / second) * second),
  ),
];
