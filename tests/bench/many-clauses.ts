import { type Behaviour, day, right } from '../../sandbox/behaviour.ts';
import { count, envelope, hour, refusal } from '../faults/fault.ts';

/*
 * One provider that violates all clauses but EXPIRY-6 at once. If a token is refused by one fault, that explains other
 * refusals, so each fault shows at an endpoint, a time or a request of its own. Without a new token after the end
 * (EXPIRY-6), no later refusal of a token would prove anything.
 */

/** One endpoint without faults of its own, one that refuses every token, and one where tokens end early. */
const [main, closed, early] = ['widgets', 'closed', 'early'].map(
  (name) => `/public-api/v1/${name}`,
);
export const manyEndpoints = [main, closed, early].map((path) => `GET ${path}`).join(', ');

const isOverLeapDay = (madeAt: number): boolean =>
  [madeAt, madeAt + day].some((instant) => new Date(instant).toISOString().includes('-02-29'));

export const manyFaults: Behaviour = {
  ...right,
  // TOKEN-2 and TOKEN-3: the secret key may lack its last character, or be absent.
  valid: ({ apiKey, secretKey }, { account }) =>
    apiKey === account.apiKey &&
    [account.secretKey, account.secretKey.slice(0, -1), undefined].includes(secretKey as string),
  // TOKEN-1: an envelope with another success.
  granted: ({ text }) => ({ status: 200, ...envelope(text, { success: 'yes' }) }),
  route: ({ method, path }) =>
    method === 'GET' && [main, closed, early].includes(path)
      ? { method, path, reply: { status: 200, json: { path, things: [1] } } }
      : undefined,
  // BEARER-2: a token in the query. BEARER-4: the scheme Token.
  presented(call, state) {
    const presented = right.presented(call, state);
    const other =
      call.query.get('access_token') ?? /^Token (.+)/.exec(`${call.headers.authorization}`)?.[1];
    return typeof presented === 'string' && other ? { token: other } : presented;
  },
  // BEARER-3: the last character does not count. BEARER-5: the API key is a token.
  find: (text, { tokens, account }) =>
    tokens.get(text) ??
    [...tokens.values()].find(
      (issued) => issued.text.slice(0, -1) === text.slice(0, -1) || text === account.apiKey,
    ),
  // EXPIRY-1, -2, -3, -4 and -7: each use gives a day more, but not at one endpoint nor over a leap day.
  // EXPIRY-5: a week later a token is valid again.
  expired({ madeAt, memo }, now, _state, { path }) {
    const age = now - madeAt;
    if (path === early) return age >= day - 1000;
    if (isOverLeapDay(madeAt)) return age >= day - hour;
    return now - (memo.get('used') ?? madeAt) >= day && !(age > 7 * day && age < 8 * day);
  },
  used: ({ memo }, { now }) => void memo.set('used', now),
  // TOKEN-4 and BEARER-1: one endpoint is closed. BEARER-6: a storm of requests without a token ends every token.
  guard(call, state, self) {
    const cause = call.path === closed ? 'missing' : right.guard(call, state, self);
    if (cause !== 'missing') state.memo.set('storm', 0);
    else if (count(state, 'storm') > 50) state.tokens.clear();
    return cause;
  },
  // ERROR-1 to -4: another status for another scheme, and another envelope for an unknown token.
  unauthorised(cause) {
    if (cause === 'scheme') return { status: 403, json: refusal };
    if (cause === 'invalid')
      return { status: 401, json: { success: 'no', message: 'Who are you?' } };
    return { status: 401, json: refusal };
  },
};
