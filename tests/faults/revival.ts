import { type Behaviour, type Call, day, right } from '../../sandbox/behaviour.ts';
import { expiringWhen, fault, hour, type Mutant, minute, second, type Variant } from './fault.ts';

/** After its end a token is revived, or no new one follows it. */
export const revivalMutants: readonly Mutant[] = [
  fault('revived-by-newer', 'A new token revives those that expired within the last day', () => ({
    keep(token, state) {
      for (const { madeAt, memo } of state.tokens.values())
        if (token.madeAt - madeAt > day && token.madeAt - madeAt < 2 * day) memo.set('revived', 1);
      right.keep(token, state);
    },
    ...expiringWhen((age, { memo }) => age >= day && !(memo.has('revived') && age < 7 * day)),
  })),
  fault(
    'alive-again-after-a-day',
    'Ages are counted within two days, so that a token becomes valid again',
    () => expiringWhen((age) => age % (2 * day) >= day),
  ),
  fault('alive-again-after-30-days', 'After 30 days the list of ended tokens is emptied', () =>
    expiringWhen((age) => age >= day && age < 30 * day),
  ),
  fault('alive-again-after-a-year', 'After a year the list of ended tokens is emptied', () =>
    expiringWhen((age) => age >= day && age < 365 * day),
  ),
  fault(
    'no-token-after-expiry',
    'After a token was found expired its client gets no token for an hour',
    () => ({
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
  ),
  fault(
    'dead-token-after-expiry',
    'A token that is issued within a minute after another has expired is refused',
    () => ({
      keep(token, state) {
        const gone = [...state.tokens.values()].some(
          ({ madeAt }) => token.madeAt - madeAt >= day && token.madeAt - madeAt < day + minute,
        );
        if (!gone) right.keep(token, state);
      },
    }),
  ),
];

/** A token is valid again within a span of its age. */
const aliveAgain = (from: number, to: number) =>
  expiringWhen((age) => age >= day && !(age >= from && age < to));

/** For one kind of request, which the router treats as the endpoint's, the token's end is not checked. */
const endless = (
  authorised: (call: Call) => Partial<Call> | undefined,
  from = day,
): Partial<Behaviour> => ({
  route: (call, state) => {
    const seen = authorised(call);
    return right.route(seen === undefined ? call : { ...call, ...seen }, state);
  },
  expired: (token, now, state, call) =>
    right.expired(token, now, state, call) &&
    (authorised(call) === undefined || now - token.madeAt < from),
});

const asHead = ({ method }: Call) => (method === 'HEAD' ? { method: 'GET' } : undefined);

/** After the end a token is revived for a while, or in one place. */
export const timeRevivalMutants: readonly Mutant[] = [
  fault('alive-again-for-the-eighth-day', 'A token is valid on the eighth day of its age', () =>
    aliveAgain(7 * day, 8 * day),
  ),
  fault(
    'alive-again-for-the-thirty-first-day',
    'A token is valid on the thirty-first day of its age',
    () => aliveAgain(30 * day, 31 * day),
  ),
  fault(
    'alive-again-for-a-day-after-a-year',
    'A token is valid on the day after a year of 365 days and a quarter',
    () => aliveAgain(365.25 * day, 366.25 * day),
  ),
  fault(
    'alive-again-after-eleven-years',
    'After eleven years the list of ended tokens is emptied',
    () => expiringWhen((age) => age >= day && age < 4018 * day),
  ),
  fault(
    'alive-again-in-the-night',
    'From eleven to fifteen hours after its end a token is valid',
    () => aliveAgain(day + 11 * hour, day + 15 * hour),
  ),
  fault('head-never-ends', 'HEAD is routed like GET, and the end of its token is not checked', () =>
    endless(asHead),
  ),
  fault(
    'head-revives-after-a-year',
    'HEAD is routed like GET, and after a year its token is valid again',
    () => endless(asHead, 365 * day),
  ),
  fault(
    'trailing-slash-never-ends',
    'With a slash behind the path the end of a token is not checked',
    () =>
      endless(({ path }) => (path.endsWith('/') ? { path: path.replace(/\/$/, '') } : undefined)),
  ),
  fault(
    'encoded-path-never-ends',
    'With an encoded letter in the path the end of a token is not checked',
    () =>
      endless(({ path }) =>
        path.includes('%')
          ? { path: path.replace(/%[67][0-9A-F]/gi, decodeURIComponent) }
          : undefined,
      ),
  ),
];

/** Expired tokens are deleted. */
export const timeRevivalVariants: readonly Variant[] = [
  fault('ended-tokens-forgotten', 'A token is forgotten a second after its end', () => ({
    find(text, state, call) {
      const token = right.find(text, state, call);
      if (token !== undefined && call.now - token.madeAt > day + second) state.tokens.delete(text);
      return right.find(text, state, call);
    },
  })),
];
