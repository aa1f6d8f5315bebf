import { type Behaviour, type Call, right } from '../../sandbox/behaviour.ts';
import { fault, type Mutant, unguardedWhen } from './fault.ts';
import { decodedBy } from './request-parts.ts';
import { halfOpen } from './waved-through.ts';

/** The router rewrites a request that it does not know, and the guard does not. */
const routedAs = (seen: (call: Call) => Partial<Call>): Pick<Behaviour, 'route'> => ({
  route: (call, state) =>
    right.route(call, state) ?? right.route({ ...call, ...seen(call) }, state),
});

/** Requests on such a route are not guarded. */
const strayed = (seen: (call: Call) => Partial<Call>): Partial<Behaviour> => ({
  ...routedAs(seen),
  ...unguardedWhen((call, state) => right.route(call, state) === undefined),
});

/** The router accepts a spelling of the path that the guard does not know. */
export const spelt = (authorised: (path: string) => string): Partial<Behaviour> =>
  strayed(({ path }) => ({ path: authorised(path) }));

const decoded = decodedBy(decodeURIComponent);

/** Methods and spellings that router and guard understand differently. */
export const strayedMutants: readonly Mutant[] = [
  fault(
    'method-in-the-query-unguarded',
    'The parameter _method changes the method behind the guard',
    () => strayed(({ query, method }) => ({ method: query.get('_method') ?? method })),
  ),
  fault(
    'method-in-a-form-unguarded',
    'The field _method of a form changes the method behind the guard',
    () =>
      strayed(({ body, method }) => ({ method: /^_method=([A-Z]+)$/.exec(body)?.[1] ?? method })),
  ),
  fault(
    'method-in-the-query-fools-the-guard',
    'The guard believes _method, and lets OPTIONS pass',
    () => unguardedWhen((call) => call.query.get('_method') === 'OPTIONS'),
  ),
  fault('propfind-unguarded', 'PROPFIND is routed like GET, and not guarded', () =>
    strayed(({ method }) => (method === 'PROPFIND' ? { method: 'GET' } : {})),
  ),
  fault('patch-unguarded', 'PATCH is sent to the handler of every method, and not guarded', () =>
    strayed(({ method, path }) =>
      method === 'PATCH' ? { method: path.endsWith('widgets') ? 'GET' : 'POST' } : {},
    ),
  ),
  fault('purge-half-guarded', 'PURGE is routed like GET, and any token is accepted', () => ({
    ...routedAs(({ method }) => (method === 'PURGE' ? { method: 'GET' } : {})),
    ...halfOpen(({ method }) => method === 'PURGE'),
  })),
  fault('double-encoding-unguarded', 'A letter encoded twice leads past the guard', () =>
    spelt((path) => (path.includes('%25') ? decoded(decoded(path)) : path)),
  ),
  fault('backslash-unguarded', 'A backslash leads past the guard', () =>
    spelt((path) =>
      path.includes('\\')
        ? new URL(path.replaceAll('\\', '/'), 'http://sandbox').pathname.replace(/\/$/, '')
        : path,
    ),
  ),
  fault('nul-unguarded', 'What follows NUL is cut off behind the guard', () =>
    spelt((path) => path.replace(/%00.*/, '')),
  ),
  fault('trailing-dot-unguarded', 'A dot at the end leads past the guard', () =>
    spelt((path) => path.replace(/\.$/, '')),
  ),
  fault('blank-at-the-end-unguarded', 'White space at the end is cut off behind the guard', () =>
    spelt((path) => path.replace(/(%20|%09|%0a)$/i, '')),
  ),
  fault('fragment-unguarded', 'A fragment in the address leads past the guard', () =>
    spelt((path) => path.replace(/#.*/, '')),
  ),
  fault('full-width-letters-unguarded', 'Full-width letters lead past the guard', () =>
    spelt((path) => (path.includes('%EF') ? decoded(path).normalize('NFKC') : path)),
  ),
  fault('absolute-address-unguarded', 'An absolute address leads past the guard', () =>
    spelt((path) => path.replace(/^https?:\/\/[^/]+/, '')),
  ),
  fault('style-sheets-unguarded', 'What ends with .css is served without a token', () =>
    spelt((path) => path.replace(/[/;]?(\w*)\.css$/, '')),
  ),
  fault('static-looking-address-unguarded', 'An address that ends with .js is not guarded', () =>
    unguardedWhen(({ url }) => url.endsWith('.js')),
  ),
  fault('health-suffix-unguarded', 'Whatever ends with /health is not guarded', () =>
    spelt((path) => path.replace(/\/health$/, '')),
  ),
  fault('public-part-unguarded', 'What is below /public is not guarded', () =>
    spelt((path) => path.replace('/v1/public/', '/v1/')),
  ),
  fault('debug-parameter-unguarded', 'The parameter debug switches the guard off', () =>
    unguardedWhen(({ query }) => query.has('debug')),
  ),
  fault('trailing-slash-half-guarded', 'With a slash at the end any token is accepted', () => ({
    ...routedAs(({ path }) => ({ path: path.replace(/\/$/, '') })),
    ...halfOpen(({ path }) => path.endsWith('/')),
  })),
];
