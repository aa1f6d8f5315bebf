import { type Call, day, right, type ServiceState } from '../../sandbox/behaviour.ts';
import {
  breaking,
  expiringWhen,
  type Faults,
  hour,
  issue,
  minute,
  second,
  unguardedWhen,
} from './fault.ts';
import { uncheckedWhen } from './lifetime.ts';
import { keepingAfter } from './movement.ts';
import { withHeaders } from './variants/transport.ts';

/** A token is valid again within a span of its age. */
export const revived = (from: number, to = Infinity) =>
  expiringWhen((age) => age >= day && !(age >= from && age < to));

/** The router treats some requests as the endpoint's, and the end of their token is not checked. */
const endless = (routedAs: (call: Call) => Partial<Call> | undefined) => ({
  route: (call: Call, state: ServiceState) => right.route({ ...call, ...routedAs(call) }, state),
  ...uncheckedWhen((call) => routedAs(call) !== undefined),
});

const headAsGet = endless(({ method }) => (method === 'HEAD' ? { method: 'GET' } : undefined));

const endlessAt = (part: RegExp, read = (_part: string) => '') =>
  endless(({ path }) =>
    path.search(part) < 0 ? undefined : { path: path.replace(part, (text) => read(text)) },
  );

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
    'alive-again-for-the-thirty-first-day': revived(30 * day, 31 * day),
    'alive-again-after-a-year': revived(365 * day),
    'alive-again-for-a-day-after-a-year': revived(365.25 * day, 366.25 * day),
    'alive-again-after-eleven-years': revived(4018 * day),
    'alive-again-in-the-night': revived(day + 11 * hour, day + 15 * hour),
    'head-revives-after-a-year': {
      ...headAsGet,
      ...uncheckedWhen(({ method }, age) => method === 'HEAD' && age >= 365 * day),
    },
  }),
  ...breaking('EXPIRY-2', {
    'head-never-ends': headAsGet,
    'trailing-slash-never-ends': endlessAt(/\/$/),
    'encoded-path-never-ends': endlessAt(/%[67][0-9A-F]/gi, decodeURIComponent),
  }),
  'ended-tokens-forgotten': {
    find(text, state, call) {
      const token = right.find(text, state, call);
      if (token !== undefined && call.now - token.madeAt > day + second) state.tokens.delete(text);
      return right.find(text, state, call);
    },
  },
};

/** The token that a request carries. */
const carried = ({ headers }: Call): string => (headers.authorization ?? '').replace('Bearer ', '');

/** Answers to a token of some age contain a new one. */
const renewing = (from: number, to: number, header: string, before = '') =>
  withHeaders((call, state) => {
    const age = call.now - (state.tokens.get(carried(call))?.madeAt ?? Infinity);
    return age < from || age >= to ? {} : { [header]: before + issue(state, call.now).text };
  });

/** A token is exchanged for a new one without the credentials, or they get none. */
export const renewalFaults: Faults = {
  ...breaking(['EXPIRY-5', 'TOKEN-3'], {
    'expired-token-renewed-in-a-header': renewing(day, 2 * day, 'X-Renewed-Token'),
    'expired-token-renewed-as-authorization': renewing(
      day,
      day + minute,
      'Authorization',
      'Bearer ',
    ),
  }),
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
    granted({ text }, { now }, state) {
      const refreshToken = right.mint(state, now);
      state.memo.set(refreshToken, now);
      const data = { accessToken: text, refreshToken };
      return { status: 200, json: { success: true, message: 'OK', data } };
    },
    ...unguardedWhen(
      (call, { memo }) => call.now - (memo.get(carried(call)) ?? -Infinity) < 30 * day,
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
  'token-sent-back': withHeaders((call) => ({ 'X-Access-Token': carried(call) })),
};
