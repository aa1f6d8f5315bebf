import { day, type Issued, right, type ServiceState } from '../../sandbox/behaviour.ts';
import {
  alsoFrom,
  breaking,
  count,
  expiringWhen,
  type Faults,
  givingAgain,
  has,
  hour,
  inAuthorization,
  issue,
  living,
  minute,
  second,
  uncheckedWhen,
} from './fault.ts';
import { endingAsMoved, endOf, restartedWhen, revived } from './movement.ts';
import { jwt } from './token-forms.ts';

const roundDown = (time: number, unit: number): number => Math.floor(time / unit) * unit;

/** A token has another lifetime than 24 hours. */
export const lifetimeFaults: Faults = {
  ...breaking(['EXPIRY-1', 'EXPIRY-4'], {
    'ends-a-millisecond-early': living(day - 1),
    'ends-a-second-early': living(day - second),
    'half-a-day': living(12 * hour),
    'seconds-read-as-milliseconds': living(86_400),
  }),
  ...breaking(['EXPIRY-2', 'EXPIRY-4'], {
    'ends-a-millisecond-late': living(day + 1),
    'lives-a-week': living(7 * day),
    'never-ends': living(Infinity),
    'ends-with-the-hour': expiringWhen(
      (_age, { madeAt }, now) => roundDown(now, hour) >= madeAt + day,
    ),
    'counted-in-whole-minutes': expiringWhen((age) => roundDown(age, minute) > day),
  }),
  'second-endpoint-ends-a-millisecond-late': {
    breaks: 'EXPIRY-2',
    expired: (token, now, state, call) =>
      right.expired(token, call.path.endsWith('/reports') ? now - 1 : now, state, call),
  },
};

/** The token that a connection was last authorised by. */
const authorisedBy = new WeakMap<object, Issued>();

/** An expired token is admitted, but only in requests of one form. */
export const uncheckedFaults: Faults = {
  ...breaking('EXPIRY-2', {
    'expired-admitted-over-http-1-0': uncheckedWhen(({ httpVersion }) => httpVersion === '1.0'),
    'expired-admitted-in-chunks': uncheckedWhen(has('transfer-encoding')),
    'expired-admitted-under-small-bearer': {
      ...alsoFrom(inAuthorization(/^bearer (\S+)$/)),
      ...uncheckedWhen(has('authorization', /^bearer/)),
    },
  }),
  'expired-admitted-on-its-connection': {
    breaks: 'EXPIRY-3',
    expired: (token, now, state, call) =>
      authorisedBy.get(call.connection) !== token && right.expired(token, now, state, call),
    used: (token, { connection }) => void authorisedBy.set(connection, token),
  },
};

/**
 * The end is rounded by a rule of the mutant. An end on a whole second is kept, so that the result does not
 * depend on the second in which other tokens are issued.
 */
const endingAt = (round: (end: number) => number) =>
  expiringWhen((_age, { madeAt }, now) => {
    const end = madeAt + day;
    return now >= (end % second === 0 ? end : round(end));
  });

export const roundingFaults: Faults = {
  'end-rounded-down-to-the-second': endingAt((end) => roundDown(end, second)), // as JWTs have it
  ...breaking('EXPIRY-2', {
    'end-rounded-up-to-the-second': endingAt((end) => Math.ceil(end / second) * second),
    'end-rounded-half-up-to-the-second': endingAt((end) => Math.round(end / second) * second),
  }),
};

/** Ages are counted in a number of this many bits. A signed one is negative in the second half of its range. */
const counted = (bits: number, unitMs: number, isSigned = false) =>
  expiringWhen((ageMs) => {
    const range = 2 ** bits;
    const age = Math.floor(ageMs / unitMs) % range;
    return (isSigned && age >= range / 2 ? age - range : age) * unitMs >= day;
  });

/** A counter wraps, and the expired tokens are valid again. */
export const wrappingFaults: Faults = {
  ...breaking('EXPIRY-5', {
    'age-in-32-bit-milliseconds': counted(32, 1),
    'age-in-signed-32-bit-milliseconds': counted(32, 1, true),
    'age-in-17-bit-seconds': counted(17, second),
    'age-in-28-bit-seconds': counted(28, second),
    'age-in-12-bit-minutes': counted(12, minute),
    'age-in-8-bit-hours': counted(8, hour),
    'age-in-8-bit-days': counted(8, day),
    'alive-again-at-the-first-wrap-only': expiringWhen(
      (age) => age >= day && !(age >= 2 ** 15 * minute && age < 24 * day),
    ),
  }),
  'clock-of-32-bit-milliseconds': {
    breaks: ['EXPIRY-5', 'EXPIRY-7'],
    ...expiringWhen((_age, { madeAt }, now) => now % 2 ** 32 >= (madeAt % 2 ** 32) + day),
  },
  'wrap-of-32-bit-milliseconds-ends-all': {
    breaks: 'EXPIRY-7',
    ...expiringWhen((age, { madeAt }, now) => age >= day || now % 2 ** 32 < madeAt % 2 ** 32),
  },
};

/** The local time of a zone, in milliseconds as if it were UTC. */
const localIn = (timeZone: string): ((instant: number) => number) => {
  const format = new Intl.DateTimeFormat('sv', {
    timeZone,
    dateStyle: 'short',
    timeStyle: 'medium',
  });
  return (instant) => Date.parse(`${format.format(instant).replace(' ', 'T')}Z`);
};

const localInBerlin = localIn('Europe/Berlin');

/** Ends a token at the same time of the next day by the clocks of a zone, as calendars count. */
const byCalendarOf = (zone: string) => {
  const local = localIn(zone);
  return expiringWhen((age, { madeAt }) => age >= 2 * day - (local(madeAt + day) - local(madeAt)));
};

/** Tokens made on some dates, as ISO 8601 has them, live longer. */
const longerFrom = (date: RegExp, lifetime = 2 * day) =>
  expiringWhen(
    (age, { madeAt }) => age >= (date.test(new Date(madeAt).toISOString()) ? lifetime : day),
  );

/** After its end a token is refused, unless the date is the same in a calendar without months or years. */
const sameWhen = (isSame: (now: Date, made: Date) => boolean) =>
  expiringWhen((age, { madeAt }, now) => age >= day && !isSame(new Date(now), new Date(madeAt)));

/** 24 hours are counted by a calendar. */
export const calendarFaults: Faults = {
  ...breaking('EXPIRY-7', {
    'calendar-of-berlin': byCalendarOf('Europe/Berlin'),
    'calendar-of-new-york': byCalendarOf('America/New_York'),
    'calendar-of-santiago': byCalendarOf('America/Santiago'),
    'calendar-of-lord-howe': byCalendarOf('Australia/Lord_Howe'),
    'months-have-30-days': longerFrom(/-31T/),
    'no-leap-day': longerFrom(/-02-28T/),
    'years-begin-anew': longerFrom(/-12-31T/, 365 * day),
    '32-bit-seconds': expiringWhen(
      (_age, { madeAt }, now) => Math.floor(now / 1000) >= (((madeAt + day) / 1000) | 0),
    ),
    // A local time comes twice where clocks go back.
    'end-as-local-time-of-berlin': expiringWhen((age, { madeAt }, now) =>
      age % 1000 === 0 ? localInBerlin(now) >= localInBerlin(madeAt + day) : age >= day,
    ),
    // Weeks begin on Sunday: late in December the year of the week is the next one.
    'year-of-the-week': expiringWhen((age, { madeAt }) => {
      const end = new Date(madeAt + day);
      return age >= day && !(end.getUTCMonth() === 11 && end.getUTCDate() - end.getUTCDay() > 25);
    }),
  }),
  ...breaking('EXPIRY-5', {
    'same-date-of-any-month': sameWhen((now, made) => now.getUTCDate() === made.getUTCDate()),
    'same-weekday': sameWhen((now, made) => now.getUTCDay() === made.getUTCDay()),
    'time-of-day-alone': expiringWhen(
      (age, { madeAt }, now) => age >= day && !(age < 2 * day && now % day < madeAt % day),
    ),
  }),
};

/** A token is repeated until this age, as the contract permits up to 24 hours. */
const givenFor = (ageMs: number, mint = right.mint) =>
  givingAgain(({ madeAt }, now) => now - madeAt < ageMs, mint);

const givenAndLivingFor = (ageMs: number) => ({ ...givenFor(ageMs), ...living(ageMs) });

const isSameDay = (a: number, b: number): boolean => Math.floor(a / day) === Math.floor(b / day);

/** A token is repeated where the contract does not permit it, or a repeated token violates a clause. */
export const reuseFaults: Faults = {
  ...breaking(['EXPIRY-2', 'EXPIRY-6'], {
    'static-jwt': { ...givenFor(Infinity, jwt.mint), find: jwt.find, expired: () => false },
    'reissued-for-30-days': givenAndLivingFor(30 * day),
    'reuse-with-leeway': givenAndLivingFor(day + minute),
    'giving-again-slides': {
      ...givingAgain((token, now) => {
        const isValid = now < endOf(token);
        if (isValid) token.memo.set('end', now + day);
        return isValid;
      }),
      ...endingAsMoved,
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

const node = (state: ServiceState): number => (state.memo.get('mint') ?? 0) % 2;

const ofOneNode = givingAgain(
  ({ madeAt, memo }, now, state) => now - madeAt < day && memo.get('node') === node(state),
);

/** A token that is still valid is repeated (OPEN-4), and ends 24 hours after it was issued. */
export const reuseVariants: Faults = {
  'reuse-renewed-in-the-last-hour': givenFor(day - hour),
  'same-token-within-a-minute': givenFor(minute),
  'same-token-until-its-end': givenFor(day),
  // On its first day a client gets the token "demo", as stubs have it.
  'first-token-is-a-word': givenFor(day, (state, now) =>
    state.tokens.size === 0 ? 'demo' : right.mint(state, now),
  ),
  'jwt-reuse': {
    ...givingAgain(({ madeAt }, now) => now < Math.floor(madeAt / 1000) * 1000 + day, jwt.mint),
    find: jwt.find,
  },
  'reuse-of-a-token-23-hours-old': {
    ...givenFor(day),
    mint(state, now) {
      if (count(state, 'mint') === 1) issue(state, now - 23 * hour);
      return givenFor(day).mint(state, now);
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
