import { day, right } from '../behaviour.ts';
import { expiringWhen, fault, hour, type Mutant, minute, second } from './fault.ts';

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
