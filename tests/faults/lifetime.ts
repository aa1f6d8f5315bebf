import { day, right } from '../../sandbox/behaviour.ts';
import { expiringWhen, fault, hour, type Mutant, minute, second, type Variant } from './fault.ts';

/** A token has another lifetime than 24 hours. */
export const lifetimeMutants: readonly Mutant[] = [
  fault('ends-a-millisecond-early', 'A token ends a millisecond early', () =>
    expiringWhen((age) => age >= day - 1),
  ),
  fault(
    'ends-a-millisecond-late',
    'A token is still valid when exactly 24 hours have elapsed',
    () => expiringWhen((age) => age > day),
  ),
  fault('ends-a-second-early', 'A token ends a second early', () =>
    expiringWhen((age) => age >= day - second),
  ),
  fault('ends-an-hour-early', 'A token lives for 23 hours', () =>
    expiringWhen((age) => age >= 23 * hour),
  ),
  fault('half-a-day', 'A token lives for 12 hours', () => expiringWhen((age) => age >= 12 * hour)),
  fault('seconds-read-as-milliseconds', 'A lifetime of 86,400 is read as milliseconds', () =>
    expiringWhen((age) => age >= 86_400),
  ),
  fault('leeway-of-a-second', 'A leeway of a second is granted', () =>
    expiringWhen((age) => age > day + second),
  ),
  fault('leeway-of-30-seconds', 'A leeway of 30 seconds is granted', () =>
    expiringWhen((age) => age >= day + 30 * second),
  ),
  fault('leeway-of-a-minute', 'A leeway of a minute is granted', () =>
    expiringWhen((age) => age >= day + minute),
  ),
  fault('leeway-of-five-minutes', 'A leeway of five minutes is granted', () =>
    expiringWhen((age) => age >= day + 5 * minute),
  ),
  fault('ends-an-hour-late', 'A token lives for 25 hours', () =>
    expiringWhen((age) => age >= 25 * hour),
  ),
  fault('lives-a-week', 'A token lives for a week', () => expiringWhen((age) => age >= 7 * day)),
  fault('never-ends', 'A token never ends', () => expiringWhen(() => false)),
  fault('ends-with-the-hour', 'Expired tokens are only found once an hour', () =>
    expiringWhen((_age, { madeAt }, now) => Math.floor(now / hour) * hour >= madeAt + day),
  ),
  fault(
    'counted-in-whole-minutes',
    'Ages are counted in whole minutes, and compared with more than',
    () => expiringWhen((age) => Math.floor(age / minute) > day / minute),
  ),
  fault('second-endpoint-never-ends', 'One endpoint does not check the end', () => ({
    expired: (token, now, state, call) =>
      !call.path.endsWith('/reports') && right.expired(token, now, state, call),
  })),
];

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

/** Ages are counted in a number of this many bits. A signed one is negative in the second half of its range. */
const counted = (bits: number, unitMs: number, signed = false) =>
  expiringWhen((ageMs) => {
    const range = 2 ** bits;
    const age = Math.floor(ageMs / unitMs) % 2 ** bits;
    return (signed && age >= range / 2 ? age - range : age) * unitMs >= day;
  });

const counter = (name: string, means: string, ...of: Parameters<typeof counted>): Mutant =>
  fault(name, `The age of a token is kept as ${means}`, () => counted(...of));

/** A counter wraps, and the expired tokens are valid again. */
export const wrappingMutants: readonly Mutant[] = [
  counter('age-in-32-bit-milliseconds', 'unsigned 32-bit milliseconds', 32, 1),
  counter('age-in-signed-32-bit-milliseconds', 'signed 32-bit milliseconds', 32, 1, true),
  counter('age-in-38-bit-milliseconds', '38-bit milliseconds', 38, 1),
  counter('age-in-27-bit-milliseconds', '27-bit milliseconds', 27, 1),
  counter('age-in-17-bit-seconds', '17-bit seconds', 17, second),
  counter('age-in-20-bit-seconds', '20-bit seconds', 20, second),
  counter('age-in-24-bit-seconds', '24-bit seconds', 24, second),
  counter('age-in-28-bit-seconds', '28-bit seconds', 28, second),
  counter('age-in-16-bit-minutes', 'unsigned 16-bit minutes', 16, minute),
  counter('age-in-signed-16-bit-minutes', 'signed 16-bit minutes', 16, minute, true),
  counter('age-in-12-bit-minutes', '12-bit minutes', 12, minute),
  counter('age-in-8-bit-hours', '8-bit hours', 8, hour),
  counter('age-in-16-bit-hours', '16-bit hours', 16, hour),
  counter('age-in-8-bit-days', '8-bit days', 8, day),
  counter('age-in-32-bit-ticks', '32-bit hundredths of a second', 32, 10),
  fault(
    'alive-again-at-the-first-wrap-only',
    'A signed number of 16-bit minutes wraps once, and a day later the token is forgotten',
    () => expiringWhen((age) => age >= day && !(age >= 2 ** 15 * minute && age < 24 * day)),
  ),
  fault(
    'clock-of-32-bit-milliseconds',
    'The time of day is kept as 32-bit milliseconds since 1970',
    () => expiringWhen((_age, { madeAt }, now) => now % 2 ** 32 >= (madeAt % 2 ** 32) + day),
  ),
  fault(
    'wrap-of-32-bit-milliseconds-ends-all',
    'When 32-bit milliseconds since 1970 begin anew, the tokens made before are ended',
    () => expiringWhen((age, { madeAt }, now) => age >= day || now % 2 ** 32 < madeAt % 2 ** 32),
  ),
];
