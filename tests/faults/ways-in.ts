import { type Call, right, type ServiceState } from '../../sandbox/behaviour.ts';
import { breaking, count, type Faults, guarding, unguardedWhen } from './fault.ts';
import { has } from './request-parts.ts';

/** For requests of some kind the guard only checks that there is a token. */
export const halfOpen = (when: (call: Call) => boolean) =>
  guarding((cause, call) => (cause === 'invalid' && when(call) ? undefined : cause));

/** The router rewrites a request that it does not know. */
const routedAs = (seen: (call: Call) => Partial<Call>) => ({
  route: (call: Call, state: ServiceState) =>
    right.route(call, state) ?? right.route({ ...call, ...seen(call) }, state),
});

/** The guard knows only the requests that the router does not rewrite. */
const strayed = (seen: (call: Call) => Partial<Call>) => ({
  ...routedAs(seen),
  ...unguardedWhen((call, state) => right.route(call, state) === undefined),
});

/** The guard trusts what a request claims. */
export const trustFaults = breaking('BEARER-2', {
  'local-address-trusted': unguardedWhen(has('x-forwarded-for', /^127\.0\.0\.1$/)),
  'static-looking-address-unguarded': unguardedWhen(({ url }) => url.endsWith('.js')),
});

/** Methods and spellings that router and guard understand differently. */
export const spellingFaults = breaking('BEARER-2', {
  'trailing-slash-unguarded': strayed(({ path }) => ({ path: path.replace(/\/$/, '') })),
  'dot-segments-unguarded': strayed(({ path }) => ({
    path: new URL(path, 'http://sandbox').pathname,
  })),
  'method-override-unguarded': strayed(({ headers, method }) => ({
    method: String(headers['x-http-method-override'] ?? method),
  })),
  'head-unguarded': strayed(({ method }) => (method === 'HEAD' ? { method: 'GET' } : {})),
});

/** Any token is accepted. */
export const halfGuardedFaults = breaking('BEARER-3', {
  'proxy-user-needs-any-token': halfOpen(has('x-forwarded-user')),
  'trailing-slash-half-guarded': {
    ...routedAs(({ path }) => ({ path: path.replace(/\/$/, '') })),
    ...halfOpen(({ path }) => path.endsWith('/')),
  },
  // Every token is admitted whose cached part is that of an admitted one.
  'verdict-cached-by-most-of-it': {
    find(text, state, call) {
      const token = right.find(text, state, call);
      const cached = `cached ${text.slice(0, -4)} ${text.length}`;
      if (token !== undefined) state.memo.set(cached, 1);
      const [first] = state.tokens.values();
      return token ?? (state.memo.has(cached) ? first : undefined);
    },
  },
});

/** What a guard that is open to all violates, and a lifetime without end. */
const endless = ['EXPIRY-2', 'EXPIRY-4', 'EXPIRY-5', 'EXPIRY-7'] as const;
export const unguarded = ['BEARER-2', 'BEARER-3', 'BEARER-4', 'BEARER-5', ...endless] as const;

/** The verdict depends on earlier requests. */
export const wayInFaults: Faults = {
  ...breaking(unguarded, {
    'first-request-guarded-only': guarding((cause, { connection }, state) =>
      count(state, connection) > 1 ? undefined : cause,
    ),
    'refused-connection-opened': guarding((cause, { connection }, state) =>
      cause !== undefined && count(state, connection) > 2 ? undefined : cause,
    ),
  }),
  'connection-remembered': {
    breaks: ['BEARER-2', 'BEARER-3', 'BEARER-4', 'EXPIRY-3'],
    ...guarding((cause, { connection }, { memo }) => {
      if (cause === undefined) memo.set(connection, 1);
      return memo.has(connection) ? undefined : cause;
    }),
  },
  'connection-half-remembered': {
    breaks: ['BEARER-3', 'BEARER-4'],
    ...guarding((cause, { connection }, { memo }) => {
      if (cause === undefined) memo.set(connection, 1);
      return cause === 'invalid' && memo.has(connection) ? undefined : cause;
    }),
  },
  'refused-connection-remembered': {
    breaks: 'BEARER-1',
    ...guarding((cause, { connection }, { memo }) => {
      if (cause !== undefined) memo.set(connection, 1);
      return memo.has(connection) ? 'invalid' : cause;
    }),
  },
  'refusal-cached': {
    breaks: 'BEARER-6',
    ...guarding((cause, _call, { memo }) => {
      if (cause === undefined && memo.delete('refused')) return 'invalid';
      if (cause === 'invalid') memo.set('refused', 1);
      return cause;
    }),
  },
  ...breaking('BEARER-2', {
    // Of the requests without a token at one moment.
    'one-in-fifty': guarding((cause, { path, now }, state) =>
      cause === 'missing' && count(state, `${path} ${now}`) % 50 === 0 ? undefined : cause,
    ),
    'open-under-load': guarding((cause, { path, now }, state) =>
      count(state, `${path} ${now}`) > 50 && cause === 'missing' ? undefined : cause,
    ),
  }),
  'ranges-unguarded': {
    breaks: ['BEARER-2', 'ERROR-1'],
    ...unguardedWhen(has('range', /^bytes=/)),
    authorised: ({ reply }, { headers }) =>
      headers.range === undefined ? reply : { ...reply, status: 206 },
  },
};
