import { type Behaviour, type Call, right } from '../behaviour.ts';
import { count, type Mutant, mixedAtBothEnds, unguardedWhen } from './fault.ts';

/** The router accepts a spelling of the path that the guard does not know. */
const spelt = (authorised: (path: string) => string): Partial<Behaviour> => ({
  route: (call, state) =>
    right.route(call, state) ?? right.route({ ...call, path: authorised(call.path) }, state),
  ...unguardedWhen((call, state) => right.route(call, state) === undefined),
});

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
  {
    name: 'trailing-slash-unguarded',
    means: 'A trailing slash leads past the guard',
    make: () => spelt((path) => path.replace(/\/$/, '')),
  },
  {
    name: 'doubled-slash-unguarded',
    means: 'A doubled slash leads past the guard',
    make: () => spelt((path) => path.replace(/\/\/+/g, '/')),
  },
  {
    name: 'dot-segments-unguarded',
    means: 'Dot segments lead past the guard',
    make: () => spelt(dots),
  },
  {
    name: 'path-parameters-unguarded',
    means: 'Path parameters lead past the guard',
    make: () => spelt((path) => path.replace(/;[^/]*/g, '')),
  },
  {
    name: 'encoded-letters-unguarded',
    means: 'An encoded letter leads past the guard',
    make: () => spelt((path) => path.replace(/%5[A-F]|%[67][0-9A-F]/gi, decodeURIComponent)),
  },
  {
    name: 'capitals-unguarded',
    means: 'Capital letters lead past the guard',
    make: () => spelt((path) => path.toLowerCase()),
  },
  {
    name: 'suffix-unguarded',
    means: 'The suffix .json leads past the guard',
    make: () => spelt((path) => path.replace(/\.json$/, '')),
  },
  {
    name: 'token-path-anywhere-unguarded',
    means: 'An address that holds the path of the token endpoint is not guarded',
    make: () => unguardedWhen(({ url }) => url.includes('?/auth/token')),
  },
  {
    name: 'head-unguarded',
    means: 'HEAD is routed like GET, and not guarded',
    make: () => routedAs(({ method }) => (method === 'HEAD' ? { method: 'GET' } : {})),
  },
  {
    name: 'options-unguarded',
    means: 'OPTIONS is answered by the endpoint, and not guarded',
    make: () => ({
      route: (call, state) =>
        right.route(call, state) ??
        state.resources.find(({ path }) => call.method === 'OPTIONS' && path === call.path),
      ...unguardedWhen(({ method }) => method === 'OPTIONS'),
    }),
  },
  {
    name: 'method-override-unguarded',
    means: 'A header changes the method behind the guard',
    make: () =>
      routedAs(({ headers }) => {
        const method = headers['x-http-method-override'];
        return typeof method === 'string' ? { method } : {};
      }),
  },
  {
    name: 'method-override-fools-the-guard',
    means: 'The guard believes the overridden method, and lets OPTIONS pass',
    make: () => unguardedWhen(({ headers }) => headers['x-http-method'] === 'OPTIONS'),
  },
  {
    name: 'original-url-unguarded',
    means: 'A header changes the path behind the guard',
    make: () =>
      routedAs(({ headers }) => {
        const path = headers['x-original-url'];
        return typeof path === 'string' ? { path } : {};
      }),
  },
  {
    name: 'rewrite-url-fools-the-guard',
    means: 'The guard believes a header about the path',
    make: () =>
      unguardedWhen(({ headers }) => String(headers['x-rewrite-url']).endsWith('/auth/token')),
  },
  {
    name: 'local-address-trusted',
    means: 'Requests that say they come from the machine itself are trusted',
    make: () => unguardedWhen(({ headers }) => headers['x-forwarded-for'] === '127.0.0.1'),
  },
  {
    name: 'forwarded-trusted',
    means: 'Requests that say they were forwarded for the machine itself are trusted',
    make: () => unguardedWhen(({ headers }) => headers.forwarded === 'for=127.0.0.1'),
  },
  {
    name: 'http-1-0-unguarded',
    means: 'Requests over HTTP/1.0 are not guarded',
    make: () => unguardedWhen(({ httpVersion }) => httpVersion === '1.0'),
  },
  {
    name: 'chunked-unguarded',
    means: 'Requests with a chunked body are not guarded',
    make: () => unguardedWhen(({ headers }) => headers['transfer-encoding'] === 'chunked'),
  },
  {
    name: 'connection-remembered',
    means: 'Once a request was authorised its connection is trusted',
    make: () => ({
      guard(call, state, self) {
        if (state.memo.has(call.connection)) return undefined;
        const cause = right.guard(call, state, self);
        if (cause === undefined) state.memo.set(call.connection, 1);
        return cause;
      },
    }),
  },
  {
    name: 'refused-connection-remembered',
    means: 'Once a request was refused its connection is blocked',
    make: () => ({
      guard(call, state, self) {
        if (state.memo.has(call.connection)) return 'invalid';
        const cause = right.guard(call, state, self);
        if (cause !== undefined) state.memo.set(call.connection, 1);
        return cause;
      },
    }),
  },
  {
    name: 'verdict-cached-by-beginning',
    means: 'A positive verdict is cached by the first twenty characters of the token',
    make: () => ({
      ...mixedAtBothEnds,
      ...verdictCachedBy((text) => text.slice(0, 20)),
    }),
  },
  {
    name: 'verdict-cached-by-most-of-it',
    means: 'A positive verdict is cached by all but the last four characters of the token',
    make: () => verdictCachedBy((text) => `${text.slice(0, -4)} ${text.length}`),
  },
  {
    name: 'refusal-cached',
    means: 'After a refused token the next request is refused too',
    make: () => ({
      guard(call, state, self) {
        const cause = right.guard(call, state, self);
        if (cause === undefined && state.memo.delete('refused')) return 'invalid';
        if (cause === 'invalid') state.memo.set('refused', 1);
        return cause;
      },
    }),
  },
  {
    name: 'one-in-fifty',
    means: 'Of the requests without a token at one moment one in fifty is let in',
    make: () => ({
      guard(call, state, self) {
        const cause = right.guard(call, state, self);
        const moment = `${call.path} ${call.now}`;
        return cause === 'missing' && count(state, moment) % 50 === 0 ? undefined : cause;
      },
    }),
  },
  {
    name: 'open-under-load',
    means: 'After fifty requests at one moment the guard gives way',
    make: () => ({
      guard(call, state, self) {
        const cause = right.guard(call, state, self);
        const load = count(state, `${call.path} ${call.now}`);
        return cause === 'missing' && load > 50 ? undefined : cause;
      },
    }),
  },
];
