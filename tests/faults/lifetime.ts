import { type Call, day, type Issued, right } from '../../sandbox/behaviour.ts';
import { breaking, expiringWhen, type Fault, type Faults, hour, minute, second } from './fault.ts';
import { has, inAuthorization, isHttp10 } from './request-parts.ts';

/** A token lives for this time (milliseconds). */
export const living = (ms: number) => expiringWhen((age) => age >= ms);

/** Some requests are authorised by expired tokens too. */
export const uncheckedWhen = (when: (call: Call, ageMs: number) => boolean): Fault => ({
  expired: (token, now, state, call) =>
    !when(call, now - token.madeAt) && right.expired(token, now, state, call),
});

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
    'leeway-of-30-seconds': living(day + 30 * second),
    'leeway-of-five-minutes': living(day + 5 * minute),
    'lives-a-week': living(7 * day),
    'never-ends': living(Infinity),
    'ends-with-the-hour': expiringWhen(
      (_age, { madeAt }, now) => roundDown(now, hour) >= madeAt + day,
    ),
    'counted-in-whole-minutes': expiringWhen((age) => roundDown(age, minute) > day),
  }),
  'second-endpoint-never-ends': {
    breaks: 'EXPIRY-2',
    ...uncheckedWhen(({ path }) => path.endsWith('/reports')),
  },
};

/** The token that a connection was last authorised by. */
const authorisedBy = new WeakMap<object, Issued>();

/** An expired token is admitted, but only in requests of one form. */
export const uncheckedFaults: Faults = {
  ...breaking('EXPIRY-2', {
    'expired-admitted-over-http-1-0': uncheckedWhen(isHttp10),
    'expired-admitted-in-chunks': uncheckedWhen(has('transfer-encoding')),
    'expired-admitted-behind-a-proxy': uncheckedWhen(has('x-forwarded-for')),
    'expired-admitted-for-browsers': uncheckedWhen(has('accept', /^text\/html/)),
    'expired-admitted-under-small-bearer': {
      presented(call, state) {
        const token = inAuthorization(/^bearer (\S+)$/)(call);
        return token === undefined ? right.presented(call, state) : { token };
      },
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

const roundUp = (time: number, unit: number): number => Math.ceil(time / unit) * unit;
const roundDown = (time: number, unit: number): number => Math.floor(time / unit) * unit;

/** Rounds to the nearest unit, but down only to the second, which is permitted. */
const roundHalfUp = (end: number, unit: number): number =>
  Math.max(Math.round(end / unit) * unit, roundDown(end, second));

export const roundingFaults: Faults = {
  'end-rounded-down-to-the-second': endingAt((end) => roundDown(end, second)), // as JWTs have it
  ...breaking('EXPIRY-2', {
    'end-rounded-up-to-the-second': endingAt((end) => roundUp(end, second)),
    'end-rounded-half-up-to-the-second': endingAt((end) => roundHalfUp(end, second)),
    'end-rounded-up-to-the-minute': endingAt((end) => roundUp(end, minute)),
    'end-rounded-half-up-to-the-minute': endingAt((end) => roundHalfUp(end, minute)),
    'end-rounded-half-up-to-the-hour': endingAt((end) => roundHalfUp(end, hour)),
    'last-second-of-the-hour-rounded-up': endingAt((end) =>
      end % hour >= hour - 100 ? roundUp(end, hour) : end,
    ),
    'now-cut-to-the-second': expiringWhen(
      (_age, { madeAt }, now) => roundDown(now, second) >= madeAt + day,
    ),
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
    'age-in-38-bit-milliseconds': counted(38, 1),
    'age-in-27-bit-milliseconds': counted(27, 1),
    'age-in-17-bit-seconds': counted(17, second),
    'age-in-20-bit-seconds': counted(20, second),
    'age-in-24-bit-seconds': counted(24, second),
    'age-in-28-bit-seconds': counted(28, second),
    'age-in-16-bit-minutes': counted(16, minute),
    'age-in-signed-16-bit-minutes': counted(16, minute, true),
    'age-in-12-bit-minutes': counted(12, minute),
    'age-in-8-bit-hours': counted(8, hour),
    'age-in-16-bit-hours': counted(16, hour),
    'age-in-8-bit-days': counted(8, day),
    'age-in-32-bit-ticks': counted(32, 10),
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
