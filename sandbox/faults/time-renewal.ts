import {
  type Behaviour,
  type Call,
  day,
  type Issued,
  right,
  type ServiceState,
} from '../behaviour.ts';
import { hour, type Mutant, minute, type Variant } from './fault.ts';

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
    const text = right.mint(state, call.now);
    right.keep({ text, madeAt: call.now, memo: new Map() }, state);
    return { ...reply, headers: { ...reply.headers, ...headers(text) } };
  },
});

/** A token is exchanged for a new one, without the key and the secret key. */
export const renewalMutants: readonly Mutant[] = [
  {
    name: 'expired-token-renewed-in-a-header',
    means: 'The refusal of an expired token holds a new one in a header',
    make: () => renewing(day, 2 * day, (text) => ({ 'X-Renewed-Token': text })),
  },
  {
    name: 'expired-token-renewed-as-authorization',
    means: 'The refusal of a token that has just expired holds a new one under its scheme',
    make: () => renewing(day, day + minute, (text) => ({ Authorization: `Bearer ${text}` })),
  },
  {
    name: 'renewed-in-its-last-hour',
    means: 'Answers in the last hour of a token hold a new one in a header',
    make: () => renewing(day - hour, day, (text) => ({ 'X-Access-Token': text })),
  },
  {
    name: 'renewed-as-a-cookie',
    means: 'The refusal of an expired token sets a cookie that authorises for a while',
    make: () => ({
      ...renewing(day, day + minute, (text) => ({
        'Set-Cookie': `session=${text}; Path=/`,
      })),
      presented(call, state) {
        const [, token] = /session=([\w-]+)/.exec(call.headers.cookie ?? '') ?? [];
        return token === undefined ? right.presented(call, state) : { token };
      },
    }),
  },
  {
    name: 'refresh-token-is-a-token',
    means: 'The answer with a token holds a refresh token too, which authorises for 30 days',
    make: () => ({
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
  },
];

/** Answers contain texts that look like tokens but are not. */
export const renewalVariants: readonly Variant[] = [
  {
    name: 'answers-have-long-ids',
    means: 'Every answer has an id that looks like a token',
    make: () => ({
      finish: (reply, call, state) => ({
        ...reply,
        headers: { ...reply.headers, 'X-Request-Id': right.mint(state, call.now) },
      }),
    }),
  },
  {
    name: 'token-sent-back',
    means: 'Answers repeat the token of their request in a header',
    make: () => ({
      finish: (reply, call) => ({
        ...reply,
        headers: {
          ...reply.headers,
          'X-Access-Token': (call.headers.authorization ?? '').replace('Bearer ', ''),
        },
      }),
    }),
  },
];
