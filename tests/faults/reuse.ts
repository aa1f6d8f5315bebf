import { type Behaviour, day } from '../../sandbox/behaviour.ts';
import { longerFrom } from './calendar.ts';
import { breaking, expiringWhen, type Faults, givingAgain, hour, minute } from './fault.ts';
import { claimsAt, sign, verify } from './jwt.ts';
import { living } from './lifetime.ts';
import { endOf, restartedWhen } from './movement.ts';
import { revived } from './revival.ts';

/** A token is repeated until this age, as the contract permits up to 24 hours. */
const givenFor = (ageMs: number, mint?: Behaviour['mint']) =>
  givingAgain(({ madeAt }, now) => now - madeAt < ageMs, mint);

const givenAndLivingFor = (ageMs: number) => ({
  ...givenFor(ageMs),
  ...living(ageMs),
});

/** JWTs that are repeated for a while, and verified without their end. */
const jwtsGivenFor = (ageMs: number) => ({
  ...givenFor(ageMs, (_state, now) => sign(claimsAt(now))),
  find(text: string) {
    const claims = verify(text);
    return claims && { text, madeAt: claims.iat * 1000, memo: new Map() };
  },
  ...living(ageMs),
});

/** A token lives for 24 hours from the last time that was noted. */
const sinceGiven = expiringWhen(
  (_age, { madeAt, memo }, now) => now - (memo.get('given') ?? madeAt) >= day,
);

const isSameDay = (one: number, other: number): boolean =>
  Math.floor(one / day) === Math.floor(other / day);

const configured = 'configured-token-of-the-client';

/** A token is repeated where the contract does not permit it, or a repeated token violates a clause. */
export const reuseFaults: Faults = {
  ...breaking(['EXPIRY-2', 'EXPIRY-6'], {
    'static-token-of-a-file': {
      mint: () => configured,
      find: (text) => (text === configured ? { text, madeAt: 0, memo: new Map() } : undefined),
      ...living(Infinity),
    },
    'static-jwt': jwtsGivenFor(Infinity),
    'reissued-for-30-days': givenAndLivingFor(30 * day),
    'reuse-with-leeway': givenAndLivingFor(day + minute),
    'jwt-reuse-with-leeway': jwtsGivenFor(day + minute),
    'giving-again-slides': {
      ...givingAgain(({ madeAt, memo }, now) => {
        const isValid = now - (memo.get('given') ?? madeAt) < day;
        if (isValid) memo.set('given', now);
        return isValid;
      }),
      ...sinceGiven,
    },
    'giving-again-prolongs-once': {
      ...givingAgain(({ madeAt, memo }, now) => {
        const isValid = now - madeAt < (memo.get('life') ?? day);
        if (isValid) memo.set('life', 2 * day);
        return isValid;
      }),
      ...expiringWhen((age, { memo }) => age >= (memo.get('life') ?? day)),
    },
    'giving-again-revives': {
      ...givingAgain(({ madeAt, memo }, now) => {
        if (now - (memo.get('given') ?? madeAt) >= day) memo.set('given', now);
        return true;
      }),
      ...sinceGiven,
    },
  }),
  ...breaking('EXPIRY-6', {
    'reissued-after-its-end': givenFor(2 * day + hour),
    'given-for-ever-and-dead': givenFor(Infinity),
    'token-answers-cached-for-an-hour': givingAgain(({ madeAt, memo }, now) => {
      const isCached = now - (memo.get('cached') ?? -Infinity) < hour;
      if (!isCached && now - madeAt < day) memo.set('cached', now);
      return isCached || now - madeAt < day;
    }),
  }),
  ...breaking('EXPIRY-2', {
    'leeway-only-at-the-guard': { ...givenFor(day), ...living(day + minute) },
    'reused-token-slides': {
      ...givingAgain((token, now) => now < endOf(token)),
      ...restartedWhen(() => true),
    },
  }),
  ...breaking(['EXPIRY-1', 'EXPIRY-4'], {
    'reused-token-ends-an-hour-early': givenAndLivingFor(23 * hour),
    'one-token-a-day': {
      ...givingAgain(({ madeAt }, now) => isSameDay(now, madeAt)),
      ...expiringWhen((_age, { madeAt }, now) => !isSameDay(now, madeAt)),
    },
  }),
  'reused-token-comes-back': { breaks: 'EXPIRY-5', ...givenFor(day), ...revived(8 * day, 9 * day) },
  'reused-token-never-ends-over-a-year-end': {
    breaks: 'EXPIRY-7',
    ...givenFor(day),
    ...longerFrom(/-12-31T/, 365 * day),
  },
};
