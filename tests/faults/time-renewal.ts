import {
  type Behaviour,
  type Call,
  day,
  type Issued,
  right,
  type ServiceState,
} from '../../sandbox/behaviour.ts';
import { fault, hour, issue, type Mutant, minute, type Variant } from './fault.ts';

/** The token that a request carries. */
const carried = (call: Call, state: ServiceState): Issued | undefined =>
  state.tokens.get((call.headers.authorization ?? '').replace('Bearer ', ''));

/** Answers to a token of some age contain a new one. */
const renewing = (
  from: number,
  to: number,
  headers: (text: string) => Record<string, string>,
): Partial<Behaviour> => ({
  finish(reply, call, state) {
    const token = carried(call, state);
    const age = token === undefined ? -1 : call.now - token.madeAt;
    if (age < from || age >= to) return reply;
    return { ...reply, headers: { ...reply.headers, ...headers(issue(state, call.now).text) } };
  },
});

/** A token is exchanged for a new one, without the key and the secret key. */
export const renewalMutants: readonly Mutant[] = [
  fault(
    'expired-token-renewed-in-a-header',
    'The refusal of an expired token holds a new one in a header',
    () => renewing(day, 2 * day, (text) => ({ 'X-Renewed-Token': text })),
  ),
  fault(
    'expired-token-renewed-as-authorization',
    'The refusal of a token that has just expired holds a new one under its scheme',
    () => renewing(day, day + minute, (text) => ({ Authorization: `Bearer ${text}` })),
  ),
  fault(
    'renewed-in-its-last-hour',
    'Answers in the last hour of a token hold a new one in a header',
    () => renewing(day - hour, day, (text) => ({ 'X-Access-Token': text })),
  ),
  fault(
    'renewed-as-a-cookie',
    'The refusal of an expired token sets a cookie that authorises for a while',
    () => ({
      ...renewing(day, day + minute, (text) => ({
        'Set-Cookie': `session=${text}; Path=/`,
      })),
      presented(call, state) {
        const [, token] = /session=([\w-]+)/.exec(call.headers.cookie ?? '') ?? [];
        return token === undefined ? right.presented(call, state) : { token };
      },
    }),
  ),
  fault(
    'refresh-token-is-a-token',
    'The answer with a token holds a refresh token too, which authorises for 30 days',
    () => ({
      granted({ text }, call, state) {
        const refreshToken = right.mint(state, call.now);
        state.memo.set(refreshToken, call.now);
        const data = { accessToken: text, refreshToken };
        return { status: 200, json: { success: true, message: 'OK', data } };
      },
      guard(call, state, self) {
        const presented = right.presented(call, state);
        const madeAt = typeof presented === 'string' ? undefined : state.memo.get(presented.token);
        if (madeAt !== undefined && call.now - madeAt < 30 * day) return undefined;
        return right.guard(call, state, self);
      },
    }),
  ),
];

/** Answers contain texts that look like tokens but are not. */
export const renewalVariants: readonly Variant[] = [
  fault('answers-have-long-ids', 'Every answer has an id that looks like a token', () => ({
    finish: (reply, call, state) => ({
      ...reply,
      headers: { ...reply.headers, 'X-Request-Id': right.mint(state, call.now) },
    }),
  })),
  fault('token-sent-back', 'Answers repeat the token of their request in a header', () => ({
    finish: (reply, call) => ({
      ...reply,
      headers: {
        ...reply.headers,
        'X-Access-Token': (call.headers.authorization ?? '').replace('Bearer ', ''),
      },
    }),
  })),
];
