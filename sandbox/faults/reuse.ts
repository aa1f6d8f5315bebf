import { type Behaviour, day } from '../behaviour.ts';
import { sign, verify } from '../jwt.ts';
import { expiringWhen, givingAgain, hour, type Mutant, minute } from './fault.ts';
import { claimsAt } from './forgery.ts';

/** A token is repeated while it is valid, as the contract permits. */
const reuse = () => givingAgain(({ madeAt }, now) => now - madeAt < day);

/** JWTs that are repeated for a while, and verified without their end. */
const jwtsGivenAgainFor = (ageMs: number): Partial<Behaviour> => ({
  ...givingAgain(
    ({ madeAt }, now) => now - madeAt < ageMs,
    (_state, now) => sign(claimsAt(now)),
  ),
  find(text) {
    const claims = verify(text);
    return claims && { text, madeAt: claims.iat * 1000, memo: new Map() };
  },
  ...expiringWhen((age) => age >= ageMs),
});

const configured = 'configured-token-of-the-client';

/** A token is repeated where the contract does not permit it, or a repeated token violates a clause. */
export const reuseMutants: readonly Mutant[] = [
  {
    name: 'static-token',
    means: 'Every token is the same one, and never ends',
    make: () => ({ ...givingAgain(() => true), ...expiringWhen(() => false) }),
  },
  {
    name: 'static-token-of-a-file',
    means: 'The token of the account is in a configuration file, and never ends',
    make: () => ({
      mint: () => configured,
      find: (text) => (text === configured ? { text, madeAt: 0, memo: new Map() } : undefined),
      ...expiringWhen(() => false),
    }),
  },
  {
    name: 'static-jwt',
    means: 'Every token is the same JWT, whose end is not checked',
    make: () => jwtsGivenAgainFor(Infinity),
  },
  {
    name: 'reissued-for-30-days',
    means: 'A token is given again for 30 days, and lives as long',
    make: () => ({
      ...givingAgain(({ madeAt }, now) => now - madeAt < 30 * day),
      ...expiringWhen((age) => age >= 30 * day),
    }),
  },
  {
    name: 'reissued-after-its-end',
    means: 'A token that has ended is given again for another day and an hour',
    make: () => givingAgain(({ madeAt }, now) => now - madeAt < 2 * day + hour),
  },
  {
    name: 'given-for-ever-and-dead',
    means: 'The first token is given for ever, and is refused after its 24 hours',
    make: () => givingAgain(() => true),
  },
  {
    name: 'reuse-with-leeway',
    means: 'A token is given again for 24 hours and a minute, and lives as long',
    make: () => ({
      ...givingAgain(({ madeAt }, now) => now - madeAt < day + minute),
      ...expiringWhen((age) => age >= day + minute),
    }),
  },
  {
    name: 'leeway-only-at-the-guard',
    means: 'A token is given again for 24 hours, and lives a minute longer',
    make: () => ({ ...reuse(), ...expiringWhen((age) => age >= day + minute) }),
  },
  {
    name: 'jwt-reuse-with-leeway',
    means: 'A JWT is given again for 24 hours and a minute, and lives as long',
    make: () => jwtsGivenAgainFor(day + minute),
  },
  {
    name: 'giving-again-slides',
    means: 'The end of a token is 24 hours after it was last given',
    make: () => ({
      ...givingAgain(({ madeAt, memo }, now) => {
        const living = now - (memo.get('given') ?? madeAt) < day;
        if (living) memo.set('given', now);
        return living;
      }),
      ...expiringWhen((_age, { madeAt, memo }, now) => now - (memo.get('given') ?? madeAt) >= day),
    }),
  },
  {
    name: 'giving-again-prolongs-once',
    means: 'A token that is given a second time lives for 48 hours',
    make: () => ({
      ...givingAgain(({ madeAt, memo }, now) => {
        const living = now - madeAt < (memo.get('life') ?? day);
        if (living) memo.set('life', 2 * day);
        return living;
      }),
      ...expiringWhen((age, { memo }) => age >= (memo.get('life') ?? day)),
    }),
  },
  {
    name: 'giving-again-revives',
    means: 'A token that has ended is given again, and lives for another 24 hours',
    make: () => ({
      ...givingAgain(({ madeAt, memo }, now) => {
        if (now - (memo.get('revived') ?? madeAt) >= day) memo.set('revived', now);
        return true;
      }),
      ...expiringWhen(
        (_age, { madeAt, memo }, now) => now - (memo.get('revived') ?? madeAt) >= day,
      ),
    }),
  },
  {
    name: 'token-answers-cached-for-an-hour',
    means: 'A token is given again while it is valid, and by a cache for an hour more',
    make: () =>
      givingAgain(({ madeAt, memo }, now) => {
        const cached = now - (memo.get('cached') ?? -Infinity) < hour;
        if (!cached && now - madeAt < day) memo.set('cached', now);
        return cached || now - madeAt < day;
      }),
  },
  {
    name: 'one-token-a-day',
    means: 'The token of a day is given until midnight (UTC), and ends with the day',
    make: () => ({
      ...givingAgain(({ madeAt }, now) => Math.floor(now / day) === Math.floor(madeAt / day)),
      ...expiringWhen(
        (_age, { madeAt }, now) => Math.floor(now / day) !== Math.floor(madeAt / day),
      ),
    }),
  },
  {
    name: 'reused-token-ends-an-hour-early',
    means: 'A token is given again for 23 hours, and lives as long',
    make: () => ({
      ...givingAgain(({ madeAt }, now) => now - madeAt < 23 * hour),
      ...expiringWhen((age) => age >= 23 * hour),
    }),
  },
  {
    name: 'reused-token-slides',
    means: 'A token is given again while it is valid, and each use gives it another 24 hours',
    make: () => ({
      ...givingAgain(({ madeAt, memo }, now) => now - (memo.get('used') ?? madeAt) < day),
      ...expiringWhen((_age, { madeAt, memo }, now) => now - (memo.get('used') ?? madeAt) >= day),
      used: ({ memo }, { now }) => void memo.set('used', now),
    }),
  },
  {
    name: 'reused-token-comes-back',
    means: 'A token is given again while it is valid, and is valid again a week after its end',
    make: () => ({
      ...reuse(),
      ...expiringWhen((age) => age >= day && !(age >= 8 * day && age < 9 * day)),
    }),
  },
  {
    name: 'reused-token-never-ends-over-a-year-end',
    means: 'A token is given again while it is valid, and one of 31 December lives for a year',
    make: () => ({
      ...reuse(),
      ...expiringWhen(
        (age, { madeAt }) =>
          age >= (/-12-31/.test(new Date(madeAt).toISOString()) ? 365 * day : day),
      ),
    }),
  },
];
