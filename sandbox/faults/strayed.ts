import { type Behaviour, type Call, right } from '../behaviour.ts';
import { fault, type Mutant, unguardedWhen } from './fault.ts';
import { halfOpen, open } from './waved-through.ts';

/** The router rewrites a request, and the guard does not. */
const routedAs = (seen: (call: Call) => Partial<Call>): Pick<Behaviour, 'route'> => ({
  route: (call, state) =>
    right.route(call, state) ?? right.route({ ...call, ...seen(call) }, state),
});

const pathAs = (authorised: (path: string) => string) =>
  routedAs(({ path }) => ({ path: authorised(path) }));

/** Requests on such a route are not guarded. */
const strayed = (name: string, means: string, routed: Pick<Behaviour, 'route'>): Mutant =>
  fault(name, means, () => ({
    ...routed,
    ...unguardedWhen((call, state) => right.route(call, state) === undefined),
  }));

const spelt = (name: string, means: string, authorised: (path: string) => string): Mutant =>
  strayed(name, means, pathAs(authorised));

const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};

const byMethod: readonly Mutant[] = [
  strayed(
    'method-in-the-query-unguarded',
    'The parameter _method changes the method behind the guard',
    routedAs(({ query, method }) => ({ method: query.get('_method') ?? method })),
  ),
  strayed(
    'method-in-a-form-unguarded',
    'The field _method of a form changes the method behind the guard',
    routedAs(({ body, method }) => ({ method: /^_method=([A-Z]+)$/.exec(body)?.[1] ?? method })),
  ),
  open(
    'method-in-the-query-fools-the-guard',
    'The guard believes _method, and lets OPTIONS pass',
    (call) => call.query.get('_method') === 'OPTIONS',
  ),
  strayed(
    'propfind-unguarded',
    'PROPFIND is routed like GET, and not guarded',
    routedAs(({ method }) => (method === 'PROPFIND' ? { method: 'GET' } : {})),
  ),
  strayed(
    'patch-unguarded',
    'PATCH is sent to the handler of every method, and not guarded',
    routedAs(({ method, path }) =>
      method === 'PATCH' ? { method: path.endsWith('widgets') ? 'GET' : 'POST' } : {},
    ),
  ),
  halfOpen(
    'purge-half-guarded',
    'PURGE is routed like GET, and any token is accepted',
    ({ method }) => method === 'PURGE',
    routedAs(({ method }) => (method === 'PURGE' ? { method: 'GET' } : {})),
  ),
];

const byPath: readonly Mutant[] = [
  spelt('double-encoding-unguarded', 'A letter encoded twice leads past the guard', (path) =>
    path.includes('%25') ? decoded(decoded(path)) : path,
  ),
  spelt('backslash-unguarded', 'A backslash leads past the guard', (path) =>
    path.includes('\\')
      ? new URL(path.replaceAll('\\', '/'), 'http://sandbox').pathname.replace(/\/$/, '')
      : path,
  ),
  spelt('nul-unguarded', 'What follows NUL is cut off behind the guard', (path) =>
    path.replace(/%00.*/, ''),
  ),
  spelt('trailing-dot-unguarded', 'A dot at the end leads past the guard', (path) =>
    path.replace(/\.$/, ''),
  ),
  spelt(
    'blank-at-the-end-unguarded',
    'White space at the end is cut off behind the guard',
    (path) => path.replace(/(%20|%09|%0a)$/i, ''),
  ),
  spelt('fragment-unguarded', 'A fragment in the address leads past the guard', (path) =>
    path.replace(/#.*/, ''),
  ),
  spelt('full-width-letters-unguarded', 'Full-width letters lead past the guard', (path) =>
    path.includes('%EF') ? decoded(path).normalize('NFKC') : path,
  ),
  spelt('absolute-address-unguarded', 'An absolute address leads past the guard', (path) =>
    path.replace(/^https?:\/\/[^/]+/, ''),
  ),
  spelt('style-sheets-unguarded', 'What ends with .css is served without a token', (path) =>
    path.replace(/[/;]?(\w*)\.css$/, ''),
  ),
  open(
    'static-looking-address-unguarded',
    'An address that ends with .js is not guarded',
    ({ url }) => url.endsWith('.js'),
  ),
  spelt('health-suffix-unguarded', 'Whatever ends with /health is not guarded', (path) =>
    path.replace(/\/health$/, ''),
  ),
  spelt('public-part-unguarded', 'What is below /public is not guarded', (path) =>
    path.replace('/v1/public/', '/v1/'),
  ),
  open('debug-parameter-unguarded', 'The parameter debug switches the guard off', ({ query }) =>
    query.has('debug'),
  ),
  halfOpen(
    'trailing-slash-half-guarded',
    'With a slash at the end any token is accepted',
    ({ path }) => path.endsWith('/'),
    pathAs((path) => path.replace(/\/$/, '')),
  ),
];

/** Methods and spellings that router and guard understand differently. */
export const strayedMutants: readonly Mutant[] = [...byMethod, ...byPath];
