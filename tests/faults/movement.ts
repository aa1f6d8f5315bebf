import { day, type Issued, right } from '../../sandbox/behaviour.ts';
import {
  bearerOf,
  breaking,
  count,
  expiringWhen,
  type Fault,
  type Faults,
  givingRefreshTokens,
  hour,
  issue,
  minute,
  routingHead,
  second,
  uncheckedWhen,
  unguardedWhen,
  withHeaders,
} from './fault.ts';

/** The end of a token is moved when it is used, or when another one is made. */
export const endOf = ({ madeAt, memo }: Issued): number => memo.get('end') ?? madeAt + day;
export const endingAsMoved = expiringWhen((_age, token, now) => now >= endOf(token));

/** The last use of a token decides. */
const byLastUse = (hasEnded: (ageMs: number, now: number, used?: number) => boolean): Fault => ({
  used: ({ memo }, { now }) => void memo.set('used', now),
  ...expiringWhen((age, { memo }, now) => hasEnded(age, now, memo.get('used'))),
});

/** Some uses start the 24 hours anew. @param restarts gets the age, and the number of uses with this one */
export const restartedWhen = (restarts: (ageMs: number, uses: number) => boolean): Fault => ({
  ...endingAsMoved,
  used(token, { now }) {
    if (restarts(now - token.madeAt, count(token, 'uses'))) token.memo.set('end', now + day);
  },
});

/**
 * A positive verdict is cached for a while.
 * @param fresh the time before the end in which verdicts are not cached
 * @param uses the number of uses from which it is cached
 */
const cached = (keptMs: number, fresh = 0, uses = 1): Fault => ({
  ...endingAsMoved,
  used(token, { now }) {
    const isDue = count(token, 'uses') >= uses && now - token.madeAt < day - fresh;
    if (isDue && now >= (token.memo.get('kept') ?? 0)) {
      token.memo.set('kept', now + keptMs).set('end', Math.max(endOf(token), now + keptMs));
    }
  },
});

/** A new token changes the older ones, or itself. */
export const keepingAfter = (change: (token: Issued, older: readonly Issued[]) => void): Fault => ({
  ...endingAsMoved,
  keep(token, state) {
    change(token, [...state.tokens.values()]);
    right.keep(token, state);
  },
});

/** Only this number of tokens is kept. */
export const keepingLast = (most: number): Fault => ({
  keep(token, state) {
    right.keep(token, state);
    for (const text of [...state.tokens.keys()].slice(0, -most)) state.tokens.delete(text);
  },
});

/** A use of a token, or another token, moves its end. */
export const movementFaults: Faults = {
  ...breaking(['EXPIRY-2', 'EXPIRY-3', 'EXPIRY-4'], {
    'slides-near-the-end': restartedWhen((age) => age > day - minute),
    'late-first-use-starts-anew': restartedWhen((age, uses) => uses === 1 && age > hour),
    'grace-after-use': byLastUse((age, now, used = 0) => age >= day && now - used > second),
    'verdict-cached-for-ever': cached(Infinity),
    'verdict-cached-for-a-minute': cached(minute),
  }),
  ...breaking('EXPIRY-3', {
    'use-in-the-first-hour-gives-a-day': restartedWhen((age) => age > second && age < hour),
    'verdict-cached-for-a-minute-but-not-at-the-end': cached(minute, 10 * second),
    'verdict-cached-for-half-a-day': cached(12 * hour, hour),
    'verdict-of-a-busy-token-cached': cached(minute, 10 * second, 3),
  }),
  'verdict-cached-for-an-hour': { breaks: ['EXPIRY-2', 'EXPIRY-3'], ...cached(hour, 5 * minute) },
  'unused-never-ends': {
    breaks: 'EXPIRY-2',
    ...byLastUse((age, _now, used) => age >= day && used !== undefined),
  },
  ...breaking(['EXPIRY-2', 'EXPIRY-4'], {
    'begins-with-first-use': {
      ...expiringWhen((_age, { memo }, now) => now - (memo.get('first') ?? now) >= day),
      used: ({ memo }, { now }) => void memo.set('first', memo.get('first') ?? now),
    },
    'newer-prolongs-older': keepingAfter(({ madeAt }, older) => {
      for (const token of older) if (madeAt < endOf(token)) token.memo.set('end', madeAt + day);
    }),
  }),
  ...breaking(['EXPIRY-1', 'EXPIRY-4'], {
    'idle-timeout': byLastUse((age, now, used = now - age) => age >= day || now - used > 12 * hour),
    'newer-ends-older-after-a-minute': keepingAfter(({ madeAt }, older) => {
      for (const token of older) token.memo.set('end', Math.min(endOf(token), madeAt + minute));
    }),
  }),
  'newer-inherits-the-end': {
    breaks: ['EXPIRY-1', 'EXPIRY-4', 'EXPIRY-6'],
    ...keepingAfter((token, older) => {
      const valid = older.find(({ madeAt }) => token.madeAt - madeAt < day);
      if (valid !== undefined) token.memo.set('end', endOf(valid));
    }),
  },
  ...breaking('EXPIRY-4', {
    'one-token-a-client': keepingLast(1),
  }),
};

/** A token is valid again within a span of its age. */
export const revived = (from: number, to = Infinity) =>
  expiringWhen((age) => age >= day && !(age >= from && age < to));

/** After its end a token is valid again. */
export const revivalFaults: Faults = {
  ...breaking('EXPIRY-5', {
    'revived-by-newer': keepingAfter((newer, older) => {
      for (const { madeAt, memo } of older)
        if (newer.madeAt > madeAt + day && newer.madeAt < madeAt + 2 * day)
          memo.set('end', madeAt + 7 * day);
    }),
    'alive-again-after-a-day': expiringWhen((age) => age % (2 * day) >= day),
    'alive-again-for-the-eighth-day': revived(7 * day, 8 * day),
    'alive-again-after-30-days': revived(30 * day),
    'alive-again-for-a-day-after-a-year': revived(365.25 * day, 366.25 * day),
    'alive-again-after-eleven-years': revived(4018 * day),
    'alive-again-in-the-night': revived(day + 11 * hour, day + 15 * hour),
  }),
  ...breaking('EXPIRY-2', {
    'head-never-ends': { ...routingHead, ...uncheckedWhen(({ method }) => method === 'HEAD') },
    'trailing-slash-never-ends': {
      route: (call, state) => right.route({ ...call, path: call.path.replace(/\/$/, '') }, state),
      ...uncheckedWhen(({ path }) => path.endsWith('/')),
    },
  }),
};

/** Answers to a token of some age contain a new one. */
const renewing = (from: number, to: number, header: string, before = '') =>
  withHeaders((call, state) => {
    const age = call.now - (state.tokens.get(bearerOf(call))?.madeAt ?? Infinity);
    return age < from || age >= to ? {} : { [header]: before + issue(state, call.now).text };
  });

/** A token is exchanged for a new one without the credentials, or they get none. */
export const renewalFaults: Faults = {
  'expired-token-renewed-in-a-header': {
    breaks: ['EXPIRY-5', 'TOKEN-3'],
    ...renewing(day, 2 * day, 'X-Renewed-Token'),
  },
  'renewed-as-a-cookie': {
    breaks: ['EXPIRY-5', 'TOKEN-3', 'BEARER-1', 'BEARER-2'],
    ...renewing(day, day + minute, 'Set-Cookie', 'session='),
    presented(call, state) {
      const [, token] = /session=([\w-]+)/.exec(call.headers.cookie ?? '') ?? [];
      return token === undefined ? right.presented(call, state) : { token };
    },
  },
  'renewed-in-its-last-hour': {
    breaks: 'EXPIRY-3',
    ...renewing(day - hour, day, 'X-Access-Token'),
  },
  'refresh-token-is-a-token': {
    breaks: 'EXPIRY-2',
    ...givingRefreshTokens,
    ...unguardedWhen(
      (call, { memo }) => call.now - (memo.get(bearerOf(call)) ?? -Infinity) < 30 * day,
    ),
  },
  'no-token-after-expiry': {
    breaks: ['TOKEN-1', 'EXPIRY-6'],
    expired(token, now, state, call) {
      const hasExpired = right.expired(token, now, state, call);
      if (hasExpired && now - token.madeAt < day + second) state.memo.set('blocked', now + hour);
      return hasExpired;
    },
    granted: (token, call, state) =>
      call.now < (state.memo.get('blocked') ?? 0)
        ? { status: 409, json: { success: false, message: 'Session expired.' } }
        : right.granted(token, call, state),
  },
  'dead-token-after-expiry': {
    breaks: ['EXPIRY-6', 'EXPIRY-7'],
    keep(token, state) {
      const hasJustExpired = [...state.tokens.values()].some(
        ({ madeAt }) => token.madeAt - madeAt >= day && token.madeAt - madeAt < day + minute,
      );
      if (!hasJustExpired) right.keep(token, state);
    },
  },
  // Their texts look like new tokens.
  'answers-have-long-ids': withHeaders(({ now }, state) => ({
    'X-Request-Id': right.mint(state, now),
  })),
  'token-sent-back': withHeaders((call) => ({ 'X-Access-Token': bearerOf(call) })),
};
