import { isEndpointAnswer } from '../contract/admission.ts';
import { ahead } from '../contract/ahead.ts';
import { revivals } from '../contract/attacks/revival.ts';
import { otherMethods, pathVariants } from '../contract/attempts/paths.ts';
import { inChunks } from '../contract/attempts/variations.ts';
import { bearer, under } from '../contract/http/client.ts';
import type { CallOptions, Endpoint } from '../contract/http/request.ts';
import { orNothing } from '../contract/http/unreachable.ts';
import type { Probe } from '../contract/probe.ts';
import { reachAge } from '../contract/time/age.ts';
import { days, hours, lifetime } from '../contract/time/clock.ts';
import { madeUpLike } from '../contract/token-form.ts';

/**
 * Other methods, other spellings of the path and other forms of a request may have a guard that checks the token but
 * not its expiry. If an expired token gets the endpoint's own answer, the same request is sent with a valid token and
 * with a made-up one. Admission of the made-up token would be another fault.
 */
export const anExpiredTokenIsNoWayIn: Probe = {
  name: 'an-expired-token-is-no-way-in',
  clauses: ['EXPIRY-2'],
  scope: 'deep',
  stage: 'years',
  async run({ service, account, endpoint, judge, clock }) {
    const token = await service.issue(account);
    const authorised = await service.call(endpoint, bearer(token));
    judge.admitted(authorised, 'BEARER-1');
    const refused = new Set<string>();
    for (const [age, strays] of walk(endpoint, token.madeAt)) {
      if (!(await reachAge(clock, token, age))) continue;
      const send = ({ scheme = 'Bearer', ...options }: StrayOptions, as = token) =>
        orNothing(service.call(endpoint, { ...under(scheme, as), ...options, mayFail: true }));
      for await (const [[how, options], answer] of ahead(strays, ([, options]) => send(options))) {
        if (answer === undefined || !isEndpointAnswer(answer, authorised)) {
          refused.add(how);
          continue;
        }
        const control = await send(options, await service.issue(account));
        const madeUp = await send(options, { ...token, ...madeUpLike(token.secret) });
        if (control === undefined || (madeUp && isEndpointAnswer(madeUp, authorised))) continue;
        const clause = refused.has(how) ? 'EXPIRY-5' : 'EXPIRY-2';
        const reason = `the token has expired, and ${how}`;
        judge.shut(answer, clause, { control, authorised, reason });
      }
    }
  },
};

/** A deviating request, and the name of its deviation. */
type Stray = readonly [how: string, options: StrayOptions];

type StrayOptions = CallOptions & { readonly scheme?: string };

/** Requests that a server, a proxy or a framework handles in other code. */
const byForm = ({ body }: Endpoint): readonly Stray[] => [
  ['the request is made over HTTP/1.0', { version: '1.0' }],
  ['the body is sent in chunks', inChunks(body)],
  ['the scheme is spelt bearer', { scheme: 'bearer' }],
  ['the request has X-Forwarded-For: 127.0.0.1', { headers: { 'X-Forwarded-For': '127.0.0.1' } }],
  ['the request has Accept: text/html', { headers: { Accept: 'text/html' } }],
];

/**
 * Every deviation an hour after the end of a token. Later, when stores and counters were reset, only a few of them,
 * because each costs a request.
 */
function walk(
  endpoint: Endpoint,
  madeAt: number,
): (readonly [ageMs: number, strays: readonly Stray[]])[] {
  const { method, path } = endpoint;
  const byMethod = (other: string): Stray => [`the method is ${other}`, { method: other }];
  const byPath = pathVariants(path).map(
    (spelt): Stray => [`the path is spelt ${spelt}`, { path: spelt }],
  );
  const usual = (method === 'GET' ? ['HEAD', 'OPTIONS'] : ['OPTIONS']).map(byMethod);
  const few = [...usual, ...byPath.slice(0, 2)];
  // At instants at which another probe looks for a revival.
  const ages = revivals(madeAt).map(({ ageMs }) => ageMs);
  const late = [7.2, 365.2, 4018].map(
    (count) => [ages.find((age) => age >= days(count)) ?? days(count), few] as const,
  );
  const every = [...otherMethods(method).map(byMethod), ...byPath, ...byForm(endpoint)];
  return [[lifetime + hours(1), every], ...late];
}
