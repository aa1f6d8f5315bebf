import { day, right } from '../behaviour.ts';
import { expiringWhen, hour, type Mutant, minute, second } from './fault.ts';

/** A token has another lifetime than 24 hours. */
export const lifetimeMutants: readonly Mutant[] = [
  {
    name: 'ends-a-millisecond-early',
    means: 'A token ends a millisecond early',
    make: () => expiringWhen((age) => age >= day - 1),
  },
  {
    name: 'ends-a-millisecond-late',
    means: 'A token is still valid when exactly 24 hours have elapsed',
    make: () => expiringWhen((age) => age > day),
  },
  {
    name: 'ends-a-second-early',
    means: 'A token ends a second early',
    make: () => expiringWhen((age) => age >= day - second),
  },
  {
    name: 'ends-an-hour-early',
    means: 'A token lives for 23 hours',
    make: () => expiringWhen((age) => age >= 23 * hour),
  },
  {
    name: 'half-a-day',
    means: 'A token lives for 12 hours',
    make: () => expiringWhen((age) => age >= 12 * hour),
  },
  {
    name: 'seconds-read-as-milliseconds',
    means: 'A lifetime of 86,400 is read as milliseconds',
    make: () => expiringWhen((age) => age >= 86_400),
  },
  {
    name: 'leeway-of-a-second',
    means: 'A leeway of a second is granted',
    make: () => expiringWhen((age) => age > day + second),
  },
  {
    name: 'leeway-of-30-seconds',
    means: 'A leeway of 30 seconds is granted',
    make: () => expiringWhen((age) => age >= day + 30 * second),
  },
  {
    name: 'leeway-of-a-minute',
    means: 'A leeway of a minute is granted',
    make: () => expiringWhen((age) => age >= day + minute),
  },
  {
    name: 'leeway-of-five-minutes',
    means: 'A leeway of five minutes is granted',
    make: () => expiringWhen((age) => age >= day + 5 * minute),
  },
  {
    name: 'ends-an-hour-late',
    means: 'A token lives for 25 hours',
    make: () => expiringWhen((age) => age >= 25 * hour),
  },
  {
    name: 'lives-a-week',
    means: 'A token lives for a week',
    make: () => expiringWhen((age) => age >= 7 * day),
  },
  {
    name: 'never-ends',
    means: 'A token never ends',
    make: () => expiringWhen(() => false),
  },
  {
    name: 'ends-with-the-hour',
    means: 'Expired tokens are only found once an hour',
    make: () =>
      expiringWhen((_age, { madeAt }, now) => Math.floor(now / hour) * hour >= madeAt + day),
  },
  {
    name: 'counted-in-whole-minutes',
    means: 'Ages are counted in whole minutes, and compared with more than',
    make: () => expiringWhen((age) => Math.floor(age / minute) > day / minute),
  },
  {
    name: 'second-endpoint-never-ends',
    means: 'One endpoint does not check the end',
    make: () => ({
      expired: (token, now, state, call) =>
        !call.path.endsWith('/reports') && right.expired(token, now, state, call),
    }),
  },
];
