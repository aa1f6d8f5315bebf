import { type Call, day, right } from '../../sandbox/behaviour.ts';
import { breaking, type Faults, hour, unguardedWhen } from './fault.ts';

const isFile = ({ method, path }: Call): boolean => method === 'GET' && /\.css$/.test(path);

/** An authorised request opens the way for others: by a session, a cache, or an answer that is repeated. */
export const rememberedFaults: Faults = {
  ...breaking('BEARER-2', {
    'session-cookie': {
      authorised: (...request) => ({
        ...right.authorised(...request),
        headers: { 'Set-Cookie': ['sid=welcome; HttpOnly', 'theme=dark'] },
      }),
      ...unguardedWhen(({ headers }) => headers.cookie?.includes('sid=welcome') === true),
    },
    'session-cookie-of-the-login': {
      granted: (...request) => ({
        ...right.granted(...request),
        headers: { 'Set-Cookie': 'connect.sid=s%3Awelcome; Path=/; HttpOnly' },
      }),
      authorised: (...request) => ({
        ...right.authorised(...request),
        headers: { 'Set-Cookie': 'connect.sid=s%3Aanother; Path=/; HttpOnly' },
      }),
      ...unguardedWhen(({ headers }) => headers.cookie === 'connect.sid=s%3Awelcome'),
    },
    // The router ignores what follows a path, and a cache keeps what looks like a static file.
    'static-files-cached-for-all': {
      route: (call, state) =>
        right.route({ ...call, path: call.path.replace(/\/\w+\.css$/, '') }, state),
      guard(call, state, self) {
        const cause = right.guard(call, state, self);
        if (!isFile(call)) return cause;
        if (cause === undefined) state.memo.set(call.url, call.now);
        return call.now - (state.memo.get(call.url) ?? -day) < hour ? undefined : cause;
      },
    },
  }),
  // An answer is repeated to every request with its Idempotency-Key, before the guard.
  'answer-repeated-before-the-guard': {
    breaks: ['BEARER-2', 'BEARER-3'],
    guard(call, state, self) {
      const key = `repeated ${call.headers['idempotency-key']}`;
      if (state.memo.has(key)) return undefined;
      const cause = right.guard(call, state, self);
      if (cause === undefined && call.headers['idempotency-key']) state.memo.set(key, call.now);
      return cause;
    },
  },
};
