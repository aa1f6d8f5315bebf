import { type Behaviour, type Call, right } from '../../sandbox/behaviour.ts';
import { count, fault, type Mutant, mixedAtBothEnds, unguardedWhen } from './fault.ts';
import { spelt } from './strayed.ts';

const dots = (path: string): string => new URL(path, 'http://sandbox').pathname;

/** The guard and the router see different methods or paths. */
const routedAs = (seen: (call: Call) => Partial<Call>): Partial<Behaviour> => ({
  route: (call, state) => right.route({ ...call, ...seen(call) }, state),
  ...unguardedWhen((call, state) => right.route(call, state) === undefined),
});

/** Admits every token whose cached part is that of an admitted one. */
const verdictCachedBy = (part: (text: string) => string): Pick<Behaviour, 'find'> => ({
  find(text, state, call) {
    const token = right.find(text, state, call);
    const cached = `cached ${part(text)}`;
    if (token !== undefined) state.memo.set(cached, 1);
    const [first] = state.tokens.values();
    return token ?? (state.memo.has(cached) ? first : undefined);
  },
});

/** The guard can be bypassed. */
export const wayInMutants: readonly Mutant[] = [
  fault('trailing-slash-unguarded', 'A trailing slash leads past the guard', () =>
    spelt((path) => path.replace(/\/$/, '')),
  ),
  fault('doubled-slash-unguarded', 'A doubled slash leads past the guard', () =>
    spelt((path) => path.replace(/\/\/+/g, '/')),
  ),
  fault('dot-segments-unguarded', 'Dot segments lead past the guard', () => spelt(dots)),
  fault('path-parameters-unguarded', 'Path parameters lead past the guard', () =>
    spelt((path) => path.replace(/;[^/]*/g, '')),
  ),
  fault('encoded-letters-unguarded', 'An encoded letter leads past the guard', () =>
    spelt((path) => path.replace(/%5[A-F]|%[67][0-9A-F]/gi, decodeURIComponent)),
  ),
  fault('capitals-unguarded', 'Capital letters lead past the guard', () =>
    spelt((path) => path.toLowerCase()),
  ),
  fault('suffix-unguarded', 'The suffix .json leads past the guard', () =>
    spelt((path) => path.replace(/\.json$/, '')),
  ),
  fault(
    'token-path-anywhere-unguarded',
    'An address that holds the path of the token endpoint is not guarded',
    () => unguardedWhen(({ url }) => url.includes('?/auth/token')),
  ),
  fault('head-unguarded', 'HEAD is routed like GET, and not guarded', () =>
    routedAs(({ method }) => (method === 'HEAD' ? { method: 'GET' } : {})),
  ),
  fault('options-unguarded', 'OPTIONS is answered by the endpoint, and not guarded', () => ({
    route: (call, state) =>
      right.route(call, state) ??
      state.resources.find(({ path }) => call.method === 'OPTIONS' && path === call.path),
    ...unguardedWhen(({ method }) => method === 'OPTIONS'),
  })),
  fault('method-override-unguarded', 'A header changes the method behind the guard', () =>
    routedAs(({ headers }) => {
      const method = headers['x-http-method-override'];
      return typeof method === 'string' ? { method } : {};
    }),
  ),
  fault(
    'method-override-fools-the-guard',
    'The guard believes the overridden method, and lets OPTIONS pass',
    () => unguardedWhen(({ headers }) => headers['x-http-method'] === 'OPTIONS'),
  ),
  fault('original-url-unguarded', 'A header changes the path behind the guard', () =>
    routedAs(({ headers }) => {
      const path = headers['x-original-url'];
      return typeof path === 'string' ? { path } : {};
    }),
  ),
  fault('rewrite-url-fools-the-guard', 'The guard believes a header about the path', () =>
    unguardedWhen(({ headers }) => String(headers['x-rewrite-url']).endsWith('/auth/token')),
  ),
  fault(
    'local-address-trusted',
    'Requests that say they come from the machine itself are trusted',
    () => unguardedWhen(({ headers }) => headers['x-forwarded-for'] === '127.0.0.1'),
  ),
  fault(
    'forwarded-trusted',
    'Requests that say they were forwarded for the machine itself are trusted',
    () => unguardedWhen(({ headers }) => headers.forwarded === 'for=127.0.0.1'),
  ),
  fault('http-1-0-unguarded', 'Requests over HTTP/1.0 are not guarded', () =>
    unguardedWhen(({ httpVersion }) => httpVersion === '1.0'),
  ),
  fault('chunked-unguarded', 'Requests with a chunked body are not guarded', () =>
    unguardedWhen(({ headers }) => headers['transfer-encoding'] === 'chunked'),
  ),
  fault('connection-remembered', 'Once a request was authorised its connection is trusted', () => ({
    guard(call, state, self) {
      if (state.memo.has(call.connection)) return undefined;
      const cause = right.guard(call, state, self);
      if (cause === undefined) state.memo.set(call.connection, 1);
      return cause;
    },
  })),
  fault(
    'refused-connection-remembered',
    'Once a request was refused its connection is blocked',
    () => ({
      guard(call, state, self) {
        if (state.memo.has(call.connection)) return 'invalid';
        const cause = right.guard(call, state, self);
        if (cause !== undefined) state.memo.set(call.connection, 1);
        return cause;
      },
    }),
  ),
  fault(
    'verdict-cached-by-beginning',
    'A positive verdict is cached by the first twenty characters of the token',
    () => ({
      ...mixedAtBothEnds,
      ...verdictCachedBy((text) => text.slice(0, 20)),
    }),
  ),
  fault(
    'verdict-cached-by-most-of-it',
    'A positive verdict is cached by all but the last four characters of the token',
    () => verdictCachedBy((text) => `${text.slice(0, -4)} ${text.length}`),
  ),
  fault('refusal-cached', 'After a refused token the next request is refused too', () => ({
    guard(call, state, self) {
      const cause = right.guard(call, state, self);
      if (cause === undefined && state.memo.delete('refused')) return 'invalid';
      if (cause === 'invalid') state.memo.set('refused', 1);
      return cause;
    },
  })),
  fault(
    'one-in-fifty',
    'Of the requests without a token at one moment one in fifty is let in',
    () => ({
      guard(call, state, self) {
        const cause = right.guard(call, state, self);
        const moment = `${call.path} ${call.now}`;
        return cause === 'missing' && count(state, moment) % 50 === 0 ? undefined : cause;
      },
    }),
  ),
  fault('open-under-load', 'After fifty requests at one moment the guard gives way', () => ({
    guard(call, state, self) {
      const cause = right.guard(call, state, self);
      const load = count(state, `${call.path} ${call.now}`);
      return cause === 'missing' && load > 50 ? undefined : cause;
    },
  })),
];
