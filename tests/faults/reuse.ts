import { type Behaviour, day } from '../../sandbox/behaviour.ts';
import { expiringWhen, fault, givingAgain, hour, type Mutant, minute } from './fault.ts';
import { claimsAt } from './forgery.ts';
import { sign, verify } from './jwt.ts';

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
  fault('static-token', 'Every token is the same one, and never ends', () => ({
    ...givingAgain(() => true),
    ...expiringWhen(() => false),
  })),
  fault(
    'static-token-of-a-file',
    'The token of the account is in a configuration file, and never ends',
    () => ({
      mint: () => configured,
      find: (text) => (text === configured ? { text, madeAt: 0, memo: new Map() } : undefined),
      ...expiringWhen(() => false),
    }),
  ),
  fault('static-jwt', 'Every token is the same JWT, whose end is not checked', () =>
    jwtsGivenAgainFor(Infinity),
  ),
  fault('reissued-for-30-days', 'A token is given again for 30 days, and lives as long', () => ({
    ...givingAgain(({ madeAt }, now) => now - madeAt < 30 * day),
    ...expiringWhen((age) => age >= 30 * day),
  })),
  fault(
    'reissued-after-its-end',
    'A token that has ended is given again for another day and an hour',
    () => givingAgain(({ madeAt }, now) => now - madeAt < 2 * day + hour),
  ),
  fault(
    'given-for-ever-and-dead',
    'The first token is given for ever, and is refused after its 24 hours',
    () => givingAgain(() => true),
  ),
  fault(
    'reuse-with-leeway',
    'A token is given again for 24 hours and a minute, and lives as long',
    () => ({
      ...givingAgain(({ madeAt }, now) => now - madeAt < day + minute),
      ...expiringWhen((age) => age >= day + minute),
    }),
  ),
  fault(
    'leeway-only-at-the-guard',
    'A token is given again for 24 hours, and lives a minute longer',
    () => ({ ...reuse(), ...expiringWhen((age) => age >= day + minute) }),
  ),
  fault(
    'jwt-reuse-with-leeway',
    'A JWT is given again for 24 hours and a minute, and lives as long',
    () => jwtsGivenAgainFor(day + minute),
  ),
  fault('giving-again-slides', 'The end of a token is 24 hours after it was last given', () => ({
    ...givingAgain(({ madeAt, memo }, now) => {
      const living = now - (memo.get('given') ?? madeAt) < day;
      if (living) memo.set('given', now);
      return living;
    }),
    ...expiringWhen((_age, { madeAt, memo }, now) => now - (memo.get('given') ?? madeAt) >= day),
  })),
  fault(
    'giving-again-prolongs-once',
    'A token that is given a second time lives for 48 hours',
    () => ({
      ...givingAgain(({ madeAt, memo }, now) => {
        const living = now - madeAt < (memo.get('life') ?? day);
        if (living) memo.set('life', 2 * day);
        return living;
      }),
      ...expiringWhen((age, { memo }) => age >= (memo.get('life') ?? day)),
    }),
  ),
  fault(
    'giving-again-revives',
    'A token that has ended is given again, and lives for another 24 hours',
    () => ({
      ...givingAgain(({ madeAt, memo }, now) => {
        if (now - (memo.get('revived') ?? madeAt) >= day) memo.set('revived', now);
        return true;
      }),
      ...expiringWhen(
        (_age, { madeAt, memo }, now) => now - (memo.get('revived') ?? madeAt) >= day,
      ),
    }),
  ),
  fault(
    'token-answers-cached-for-an-hour',
    'A token is given again while it is valid, and by a cache for an hour more',
    () =>
      givingAgain(({ madeAt, memo }, now) => {
        const cached = now - (memo.get('cached') ?? -Infinity) < hour;
        if (!cached && now - madeAt < day) memo.set('cached', now);
        return cached || now - madeAt < day;
      }),
  ),
  fault(
    'one-token-a-day',
    'The token of a day is given until midnight (UTC), and ends with the day',
    () => ({
      ...givingAgain(({ madeAt }, now) => Math.floor(now / day) === Math.floor(madeAt / day)),
      ...expiringWhen(
        (_age, { madeAt }, now) => Math.floor(now / day) !== Math.floor(madeAt / day),
      ),
    }),
  ),
  fault(
    'reused-token-ends-an-hour-early',
    'A token is given again for 23 hours, and lives as long',
    () => ({
      ...givingAgain(({ madeAt }, now) => now - madeAt < 23 * hour),
      ...expiringWhen((age) => age >= 23 * hour),
    }),
  ),
  fault(
    'reused-token-slides',
    'A token is given again while it is valid, and each use gives it another 24 hours',
    () => ({
      ...givingAgain(({ madeAt, memo }, now) => now - (memo.get('used') ?? madeAt) < day),
      ...expiringWhen((_age, { madeAt, memo }, now) => now - (memo.get('used') ?? madeAt) >= day),
      used: ({ memo }, { now }) => void memo.set('used', now),
    }),
  ),
  fault(
    'reused-token-comes-back',
    'A token is given again while it is valid, and is valid again a week after its end',
    () => ({
      ...reuse(),
      ...expiringWhen((age) => age >= day && !(age >= 8 * day && age < 9 * day)),
    }),
  ),
  fault(
    'reused-token-never-ends-over-a-year-end',
    'A token is given again while it is valid, and one of 31 December lives for a year',
    () => ({
      ...reuse(),
      ...expiringWhen(
        (age, { madeAt }) =>
          age >= (/-12-31/.test(new Date(madeAt).toISOString()) ? 365 * day : day),
      ),
    }),
  ),
];
