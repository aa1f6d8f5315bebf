import type { Behaviour, Issued } from '../behaviour.ts';
import { day } from '../behaviour.ts';
import { expiringWhen, type Mutant } from './fault.ts';
import { earlyEnds, everyEnd, lateEnds, without } from './probes.ts';

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;

/** Ends a token at the same time of the next day by the clocks of a zone, as calendars count. */
const byCalendarOf = (zone: string): Partial<Behaviour> => {
  const format = new Intl.DateTimeFormat('sv', {
    timeZone: zone,
    dateStyle: 'short',
    timeStyle: 'medium',
  });
  const local = (instant: number): number =>
    Date.parse(`${format.format(instant).replace(' ', 'T')}Z`);
  return expiringWhen((_age, { madeAt, memo }, now) => {
    const end = memo.get('end') ?? madeAt + day - (local(madeAt + day) - local(madeAt) - day);
    memo.set('end', end);
    return now >= end;
  });
};

/** Remembers something about the last use of a token. */
const remembering = (note: (token: Issued, now: number) => void): Pick<Behaviour, 'used'> => ({
  used: (token, { now }) => note(token, now),
});

/** A token does not live for 24 hours from its generation. */
export const expiryMutants: readonly Mutant[] = [
  {
    name: 'ends-a-millisecond-early',
    means: 'A token ends a millisecond early',
    breaks: ['EXPIRY-1', 'EXPIRY-4'],
    caughtBy: without(earlyEnds, 'a-late-first-use-moves-nothing', 'steady-use-moves-nothing'),
    make: () => expiringWhen((age) => age >= day - 1),
  },
  {
    name: 'ends-a-millisecond-late',
    means: 'A token is still valid when exactly 24 hours have elapsed',
    breaks: ['EXPIRY-2', 'EXPIRY-4'],
    caughtBy: lateEnds,
    make: () => expiringWhen((age) => age > day),
  },
  {
    name: 'ends-a-second-early',
    means: 'A token ends a second early',
    breaks: ['EXPIRY-1', 'EXPIRY-4'],
    caughtBy: without(earlyEnds, 'a-late-first-use-moves-nothing', 'steady-use-moves-nothing'),
    make: () => expiringWhen((age) => age >= day - second),
  },
  {
    name: 'ends-an-hour-early',
    means: 'A token lives for 23 hours',
    breaks: ['EXPIRY-1', 'EXPIRY-4'],
    caughtBy: earlyEnds,
    make: () => expiringWhen((age) => age >= 23 * hour),
  },
  {
    name: 'half-a-day',
    means: 'A token lives for 12 hours',
    breaks: ['EXPIRY-1', 'EXPIRY-4'],
    caughtBy: earlyEnds,
    make: () => expiringWhen((age) => age >= 12 * hour),
  },
  {
    name: 'seconds-read-as-milliseconds',
    means: 'A lifetime of 86,400 is read as milliseconds',
    breaks: ['EXPIRY-1', 'EXPIRY-4'],
    caughtBy: earlyEnds,
    make: () => expiringWhen((age) => age >= 86_400),
  },
  {
    name: 'leeway-of-a-second',
    means: 'A leeway of a second is granted',
    breaks: ['EXPIRY-2', 'EXPIRY-4'],
    caughtBy: lateEnds,
    make: () => expiringWhen((age) => age > day + second),
  },
  {
    name: 'leeway-of-30-seconds',
    means: 'A leeway of 30 seconds is granted',
    breaks: ['EXPIRY-2', 'EXPIRY-4'],
    caughtBy: lateEnds,
    make: () => expiringWhen((age) => age >= day + 30 * second),
  },
  {
    name: 'leeway-of-a-minute',
    means: 'A leeway of a minute is granted',
    breaks: ['EXPIRY-2', 'EXPIRY-4'],
    caughtBy: lateEnds,
    make: () => expiringWhen((age) => age >= day + minute),
  },
  {
    name: 'leeway-of-five-minutes',
    means: 'A leeway of five minutes is granted',
    breaks: ['EXPIRY-2', 'EXPIRY-4'],
    caughtBy: lateEnds,
    make: () => expiringWhen((age) => age >= day + 5 * minute),
  },
  {
    name: 'ends-an-hour-late',
    means: 'A token lives for 25 hours',
    breaks: ['EXPIRY-2', 'EXPIRY-4'],
    caughtBy: lateEnds,
    make: () => expiringWhen((age) => age >= 25 * hour),
  },
  {
    name: 'lives-a-week',
    means: 'A token lives for a week',
    breaks: ['EXPIRY-2', 'EXPIRY-4'],
    caughtBy: everyEnd,
    make: () => expiringWhen((age) => age >= 7 * day),
  },
  {
    name: 'never-ends',
    means: 'A token never ends',
    breaks: ['EXPIRY-2', 'EXPIRY-4'],
    caughtBy: everyEnd,
    make: () => expiringWhen(() => false),
  },
  {
    name: 'ends-with-the-hour',
    means: 'Expired tokens are only found once an hour',
    breaks: ['EXPIRY-2', 'EXPIRY-4'],
    caughtBy: lateEnds,
    make: () =>
      expiringWhen((_age, { madeAt }, now) => Math.floor(now / hour) * hour >= madeAt + day),
  },
  {
    name: 'counted-in-whole-minutes',
    means: 'Ages are counted in whole minutes, and compared with more than',
    breaks: ['EXPIRY-2', 'EXPIRY-4'],
    caughtBy: lateEnds,
    make: () => expiringWhen((age) => Math.floor(age / minute) > day / minute),
  },
  {
    name: 'second-endpoint-never-ends',
    means: 'One endpoint does not look at the end',
    breaks: ['EXPIRY-2', 'EXPIRY-4'],
    caughtBy: without(everyEnd, '24-hours-on-every-date'),
    make: (right) => ({
      expired: (token, now, state, call) =>
        !call.path.endsWith('/reports') && right.expired(token, now, state, call),
    }),
  },
  {
    name: 'calendar-of-berlin',
    means: '24 hours are counted by the clocks of Berlin',
    breaks: ['EXPIRY-7'],
    caughtBy: ['24-hours-on-every-date'],
    make: () => byCalendarOf('Europe/Berlin'),
  },
  {
    name: 'calendar-of-new-york',
    means: '24 hours are counted by the clocks of New York',
    breaks: ['EXPIRY-7'],
    caughtBy: ['24-hours-on-every-date'],
    make: () => byCalendarOf('America/New_York'),
  },
  {
    name: 'calendar-of-santiago',
    means: '24 hours are counted by the clocks of Santiago',
    breaks: ['EXPIRY-7'],
    caughtBy: ['24-hours-on-every-date'],
    make: () => byCalendarOf('America/Santiago'),
  },
  {
    name: 'calendar-of-sydney',
    means: '24 hours are counted by the clocks of Sydney',
    breaks: ['EXPIRY-7'],
    caughtBy: ['24-hours-on-every-date'],
    make: () => byCalendarOf('Australia/Sydney'),
  },
  {
    name: 'calendar-of-lord-howe',
    means: '24 hours are counted by the clocks of Lord Howe',
    breaks: ['EXPIRY-7'],
    caughtBy: ['24-hours-on-every-date'],
    make: () => byCalendarOf('Australia/Lord_Howe'),
  },
  {
    name: 'months-have-30-days',
    means: 'The day after the 30th is the first',
    breaks: ['EXPIRY-7'],
    caughtBy: ['24-hours-on-every-date'],
    make: () =>
      expiringWhen(
        (age, { madeAt }) => age >= (new Date(madeAt).getUTCDate() === 31 ? 2 * day : day),
      ),
  },
  {
    name: 'no-leap-day',
    means: 'The day after 28 February is 1 March',
    breaks: ['EXPIRY-7'],
    caughtBy: ['24-hours-on-every-date'],
    make: () =>
      expiringWhen(
        (age, { madeAt }) => age >= (/-02-28/.test(new Date(madeAt).toISOString()) ? 2 * day : day),
      ),
  },
  {
    name: 'years-begin-anew',
    means: 'Days are counted within the year',
    breaks: ['EXPIRY-7'],
    caughtBy: ['24-hours-on-every-date'],
    make: () =>
      expiringWhen(
        (age, { madeAt }) =>
          age >= (/-12-31/.test(new Date(madeAt).toISOString()) ? 365 * day : day),
      ),
  },
  {
    name: '32-bit-seconds',
    means: 'The end is kept as signed 32-bit seconds',
    breaks: ['BEARER-1', 'EXPIRY-4', 'EXPIRY-7'],
    caughtBy: [
      '24-hours-on-every-date',
      'a-hundred-tokens-live-at-once',
      'a-storm-of-refusals-lets-nobody-in',
      'refused-credentials-change-nothing',
    ],
    make: () =>
      expiringWhen(
        (_age, { madeAt }, now) => Math.floor(now / 1000) >= (((madeAt + day) / 1000) | 0),
      ),
  },
  {
    name: 'slides',
    means: 'Each use gives 24 hours more',
    breaks: ['EXPIRY-2', 'EXPIRY-3', 'EXPIRY-4'],
    caughtBy: without(earlyEnds, 'valid-until-24-hours-have-elapsed'),
    make: () => ({
      ...expiringWhen((_age, { madeAt, memo }, now) => now - (memo.get('used') ?? madeAt) >= day),
      ...remembering(({ memo }, now) => void memo.set('used', now)),
    }),
  },
  {
    name: 'slides-near-the-end',
    means: 'A use in the last minute gives 24 hours more',
    breaks: ['EXPIRY-2', 'EXPIRY-3', 'EXPIRY-4'],
    caughtBy: [
      '24-hours-on-every-date',
      'a-newer-token-changes-nothing-for-the-older',
      'a-use-in-the-last-millisecond-moves-nothing',
      'every-token-has-its-own-end',
    ],
    make: () => ({
      ...expiringWhen((_age, { madeAt, memo }, now) => now - (memo.get('moved') ?? madeAt) >= day),
      ...remembering(({ madeAt, memo }, now) => {
        if (now - madeAt > day - minute) memo.set('moved', now);
      }),
    }),
  },
  {
    name: 'grace-after-use',
    means: 'A token that was used a moment ago gets a second of grace',
    breaks: ['EXPIRY-2', 'EXPIRY-3', 'EXPIRY-4'],
    caughtBy: [
      '24-hours-on-every-date',
      'a-newer-token-changes-nothing-for-the-older',
      'a-use-in-the-last-millisecond-moves-nothing',
      'every-token-has-its-own-end',
    ],
    make: () => ({
      ...expiringWhen((age, { memo }, now) => age >= day && now - (memo.get('used') ?? 0) > second),
      ...remembering(({ memo }, now) => void memo.set('used', now)),
    }),
  },
  {
    name: 'begins-with-first-use',
    means: 'The 24 hours begin with the first use',
    breaks: ['EXPIRY-2', 'EXPIRY-4'],
    caughtBy: without(
      lateEnds,
      'an-expired-token-gets-the-same-401',
      'expired-is-final',
      'steady-use-moves-nothing',
    ),
    make: () => ({
      ...expiringWhen((_age, { memo }, now) => now - (memo.get('first') ?? now) >= day),
      ...remembering(({ memo }, now) => void memo.set('first', memo.get('first') ?? now)),
    }),
  },
  {
    name: 'late-first-use-starts-anew',
    means: 'A first use after an hour starts the 24 hours anew',
    breaks: ['EXPIRY-2', 'EXPIRY-3', 'EXPIRY-4'],
    caughtBy: without(earlyEnds, 'steady-use-moves-nothing', 'valid-until-24-hours-have-elapsed'),
    make: () => ({
      ...expiringWhen((_age, { madeAt, memo }, now) => now - (memo.get('start') ?? madeAt) >= day),
      ...remembering(({ madeAt, memo }, now) => {
        if (!memo.has('start')) memo.set('start', now - madeAt > hour ? now : madeAt);
      }),
    }),
  },
  {
    name: 'unused-never-ends',
    means: 'A token that was never used does not end',
    breaks: ['EXPIRY-2'],
    caughtBy: ['expired-once-24-hours-have-elapsed'],
    make: () => ({
      ...expiringWhen((age, { memo }) => age >= day && memo.has('used')),
      ...remembering(({ memo }) => void memo.set('used', 1)),
    }),
  },
  {
    name: 'idle-timeout',
    means: 'A token that is not used for half a day ends',
    breaks: ['EXPIRY-1', 'EXPIRY-4'],
    caughtBy: without(earlyEnds, 'steady-use-moves-nothing', 'valid-until-24-hours-have-elapsed'),
    make: () => ({
      ...expiringWhen(
        (age, { madeAt, memo }, now) =>
          age >= day || now - (memo.get('used') ?? madeAt) > 12 * hour,
      ),
      ...remembering(({ memo }, now) => void memo.set('used', now)),
    }),
  },
  {
    name: 'one-token-a-client',
    means: 'A new token ends the older ones',
    breaks: ['EXPIRY-4'],
    caughtBy: ['another-token-leaves-the-first-alive'],
    make: (right) => ({
      keep(token, state) {
        state.tokens.clear();
        right.keep(token, state);
      },
    }),
  },
  {
    name: 'newer-ends-older-after-a-minute',
    means: 'A new token leaves the older ones a minute',
    breaks: ['EXPIRY-1', 'EXPIRY-4'],
    caughtBy: earlyEnds,
    make: (right) => ({
      keep(token, state) {
        for (const { memo } of state.tokens.values())
          if (!memo.has('replaced')) memo.set('replaced', token.madeAt + minute);
        right.keep(token, state);
      },
      expired: (token, now, state, call) =>
        now >= (token.memo.get('replaced') ?? Infinity) || right.expired(token, now, state, call),
    }),
  },
  {
    name: 'newer-prolongs-older',
    means: 'A new token prolongs the older ones that are still valid',
    breaks: ['EXPIRY-2', 'EXPIRY-4'],
    caughtBy: everyEnd,
    make: (right) => ({
      keep(token, state) {
        for (const { madeAt, memo } of state.tokens.values())
          if (token.madeAt < (memo.get('end') ?? madeAt + day)) memo.set('end', token.madeAt + day);
        right.keep(token, state);
      },
      ...expiringWhen((_age, { madeAt, memo }, now) => now >= (memo.get('end') ?? madeAt + day)),
    }),
  },
  {
    name: 'newer-inherits-the-end',
    means: 'A new token ends with the one that is still valid',
    breaks: ['EXPIRY-1', 'EXPIRY-4', 'EXPIRY-6'],
    caughtBy: [
      ...without(earlyEnds, 'a-late-first-use-moves-nothing', 'steady-use-moves-nothing'),
      'a-new-token-follows-the-expired-one',
      'a-newer-token-does-not-revive-the-expired',
    ],
    make: (right) => ({
      keep(token, state) {
        const living = [...state.tokens.values()].find(({ madeAt }) => token.madeAt - madeAt < day);
        token.memo.set('end', living?.memo.get('end') ?? (living?.madeAt ?? token.madeAt) + day);
        right.keep(token, state);
      },
      ...expiringWhen((_age, { memo }, now) => now >= (memo.get('end') ?? 0)),
    }),
  },
  {
    name: 'fifty-first-evicts',
    means: 'The fifty-first living token evicts the oldest',
    breaks: ['EXPIRY-4'],
    caughtBy: ['a-hundred-tokens-live-at-once'],
    make: (right) => ({
      keep(token, state) {
        const living = [...state.tokens.values()].filter(
          ({ madeAt }) => token.madeAt - madeAt < second,
        );
        if (living.length >= 50) state.tokens.delete(living[0]?.text ?? '');
        right.keep(token, state);
      },
    }),
  },
  {
    name: 'revived-by-newer',
    means: 'A new token revives those that expired within the last day',
    breaks: ['EXPIRY-2', 'EXPIRY-5'],
    caughtBy: [
      'a-newer-token-does-not-revive-the-expired',
      'expired-is-final',
      'expired-once-24-hours-have-elapsed',
    ],
    make: (right) => ({
      keep(token, state) {
        for (const { madeAt, memo } of state.tokens.values())
          if (token.madeAt - madeAt > day && token.madeAt - madeAt < 2 * day)
            memo.set('revived', 1);
        right.keep(token, state);
      },
      ...expiringWhen((age, { memo }) => age >= day && !(memo.has('revived') && age < 7 * day)),
    }),
  },
  {
    name: 'alive-again-after-a-day',
    means: 'Ages are counted within two days, so that a token comes back',
    breaks: ['EXPIRY-5'],
    caughtBy: ['expired-is-final'],
    make: () => expiringWhen((age) => age % (2 * day) >= day),
  },
  {
    name: 'alive-again-after-30-days',
    means: 'After 30 days the list of ended tokens is emptied',
    breaks: ['EXPIRY-5'],
    caughtBy: ['expired-is-final'],
    make: () => expiringWhen((age) => age >= day && age < 30 * day),
  },
  {
    name: 'alive-again-after-a-year',
    means: 'After a year the list of ended tokens is emptied',
    breaks: ['EXPIRY-5'],
    caughtBy: ['expired-is-final'],
    make: () => expiringWhen((age) => age >= day && age < 365 * day),
  },
  {
    name: 'verdict-cached-for-ever',
    means: 'A positive verdict is kept for ever',
    breaks: ['EXPIRY-2', 'EXPIRY-3', 'EXPIRY-4'],
    caughtBy: without(everyEnd, 'expired-once-24-hours-have-elapsed'),
    make: () => ({
      ...expiringWhen((age, { memo }) => age >= day && !memo.has('used')),
      ...remembering(({ memo }) => void memo.set('used', 1)),
    }),
  },
  {
    name: 'verdict-cached-for-a-minute',
    means: 'A positive verdict is kept for a minute',
    breaks: ['EXPIRY-2', 'EXPIRY-3', 'EXPIRY-4'],
    caughtBy: [
      '24-hours-on-every-date',
      'a-newer-token-changes-nothing-for-the-older',
      'a-use-in-the-last-millisecond-moves-nothing',
      'every-token-has-its-own-end',
    ],
    make: () => ({
      ...expiringWhen(
        (age, { memo }, now) => age >= day && now - (memo.get('used') ?? -Infinity) >= minute,
      ),
      ...remembering(({ memo, madeAt }, now) => {
        if (now - madeAt < day) memo.set('used', now);
      }),
    }),
  },
  {
    name: 'no-token-after-expiry',
    means: 'After a token was found expired its client gets no token for an hour',
    breaks: ['EXPIRY-6'],
    caughtBy: ['a-new-token-follows-the-expired-one', 'a-newer-token-does-not-revive-the-expired'],
    make: (right) => ({
      expired(token, now, state, call) {
        const ended = right.expired(token, now, state, call);
        if (ended && now - token.madeAt < day + second) state.memo.set('blocked', now + hour);
        return ended;
      },
      granted: (token, call, state) =>
        call.now < (state.memo.get('blocked') ?? 0)
          ? { status: 409, json: { success: false, message: 'Session expired.' } }
          : right.granted(token, call, state),
    }),
  },
  {
    name: 'dead-token-after-expiry',
    means: 'A token made within a minute after another has expired is dead',
    breaks: ['TOKEN-4', 'EXPIRY-6', 'EXPIRY-7'],
    caughtBy: [
      '24-hours-on-every-date',
      'a-new-token-follows-the-expired-one',
      'a-newer-token-changes-nothing-for-the-older',
      'a-newer-token-does-not-revive-the-expired',
    ],
    make: (right) => ({
      keep(token, state) {
        const gone = [...state.tokens.values()].some(
          ({ madeAt }) => token.madeAt - madeAt >= day && token.madeAt - madeAt < day + minute,
        );
        if (!gone) right.keep(token, state);
      },
    }),
  },
];
