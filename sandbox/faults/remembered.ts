import { type Call, day, right } from '../behaviour.ts';
import { hour, type Mutant, unguardedWhen } from './fault.ts';

/** An authorised request opens the way for others: by a session, a cache, or an answer that is repeated. */
export const rememberedMutants: readonly Mutant[] = [
  {
    name: 'session-cookie',
    means: 'An authorised answer sets a cookie that opens everything',
    make: () => ({
      authorised: (resource, call, state) => ({
        ...right.authorised(resource, call, state),
        headers: { 'Set-Cookie': ['sid=welcome; HttpOnly', 'theme=dark'] },
      }),
      ...unguardedWhen(({ headers }) => headers.cookie?.includes('sid=welcome') === true),
    }),
  },
  {
    name: 'session-cookie-of-the-login',
    means: 'A session begins with each token, and its cookie opens everything',
    make: () => ({
      granted: (...of) => ({
        ...right.granted(...of),
        headers: { 'Set-Cookie': 'connect.sid=s%3Awelcome; Path=/; HttpOnly' },
      }),
      authorised: (...of) => ({
        ...right.authorised(...of),
        headers: { 'Set-Cookie': 'connect.sid=s%3Aanother; Path=/; HttpOnly' },
      }),
      ...unguardedWhen(({ headers }) => headers.cookie === 'connect.sid=s%3Awelcome'),
    }),
  },
  {
    name: 'static-files-cached-for-all',
    means:
      'The router ignores what follows a path, and a cache keeps what looks like a static file',
    make: () => {
      const isFile = ({ method, path }: Call): boolean => method === 'GET' && /\.css$/.test(path);
      return {
        route: (call, state) =>
          right.route({ ...call, path: call.path.replace(/\/\w+\.css$/, '') }, state),
        guard(call, state, self) {
          const cause = right.guard(call, state, self);
          if (!isFile(call)) return cause;
          if (cause === undefined) state.memo.set(call.url, call.now);
          return call.now - (state.memo.get(call.url) ?? -day) < hour ? undefined : cause;
        },
      };
    },
  },
  {
    name: 'answer-repeated-before-the-guard',
    means: 'An answer is repeated to every request with its Idempotency-Key, before the guard',
    make: () => ({
      guard(call, state, self) {
        const key = `repeated ${call.headers['idempotency-key']}`;
        if (state.memo.has(key)) return undefined;
        const cause = right.guard(call, state, self);
        if (cause === undefined && call.headers['idempotency-key']) state.memo.set(key, call.now);
        return cause;
      },
    }),
  },
];
