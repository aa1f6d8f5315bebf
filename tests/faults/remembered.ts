import { type Call, day, right } from '../../sandbox/behaviour.ts';
import { fault, hour, type Mutant, unguardedWhen } from './fault.ts';

/** An authorised request opens the way for others: by a session, a cache, or an answer that is repeated. */
export const rememberedMutants: readonly Mutant[] = [
  fault('session-cookie', 'An authorised answer sets a cookie that opens everything', () => ({
    authorised: (resource, call, state) => ({
      ...right.authorised(resource, call, state),
      headers: { 'Set-Cookie': ['sid=welcome; HttpOnly', 'theme=dark'] },
    }),
    ...unguardedWhen(({ headers }) => headers.cookie?.includes('sid=welcome') === true),
  })),
  fault(
    'session-cookie-of-the-login',
    'A session begins with each token, and its cookie opens everything',
    () => ({
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
  ),
  fault(
    'static-files-cached-for-all',
    'The router ignores what follows a path, and a cache keeps what looks like a static file',
    () => {
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
  ),
  fault(
    'answer-repeated-before-the-guard',
    'An answer is repeated to every request with its Idempotency-Key, before the guard',
    () => ({
      guard(call, state, self) {
        const key = `repeated ${call.headers['idempotency-key']}`;
        if (state.memo.has(key)) return undefined;
        const cause = right.guard(call, state, self);
        if (cause === undefined && call.headers['idempotency-key']) state.memo.set(key, call.now);
        return cause;
      },
    }),
  ),
];
