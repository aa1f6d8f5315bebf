import { isEndpointAnswer } from '../contract/admission.ts';
import { otherMethods, pathVariants } from '../contract/attempts/paths.ts';
import { beforeRevivals, revivals } from '../contract/attempts/revivals.ts';
import { inChunks } from '../contract/attempts/variations.ts';
import { bearer, under } from '../contract/http/client.ts';
import type { CallOptions, Endpoint } from '../contract/http/request.ts';
import { orNothing } from '../contract/http/unreachable.ts';
import type { Probe } from '../contract/probe.ts';
import type { Token } from '../contract/secrets/secret.ts';
import { hours, lifetime } from '../contract/time/clock.ts';
import { issueToken, untilAge } from '../contract/time/token-age.ts';
import { madeUp } from '../contract/token-form.ts';

/**
 * Other methods, other spellings of the path and other forms of a request may have a guard that checks the token but
 * not its expiry. All of them an hour after its end; later, when stores and counters were reset, a few.
 */
export const anExpiredTokenIsNoWayIn: Probe = {
  name: 'an-expired-token-is-no-way-in',
  clauses: ['EXPIRY-2'],
  scope: 'deep',
  stage: 'years',
  async run(world) {
    const { service, account, endpoint, contract, clock } = world;
    await clock.until(beforeRevivals(clock.now()));
    const token = await issueToken(world);
    const authorised = await contract.admits(bearer(token), 'BEARER-1');
    const send = ({ scheme = 'Bearer', ...options }: StrayOptions, as: Token = token) =>
      service.call(endpoint, { ...under(scheme, as), ...options, mayFail: true });
    const refused = new Set<string>();
    for (const { ageMs, strays } of [{ ageMs: lifetime + hours(1), strays: all }, ...late]) {
      await untilAge(clock, token, ageMs);
      const sent = strays(endpoint).map(
        async ([how, options]) => [how, options, await orNothing(send(options))] as const,
      );
      for (const [how, options, answer] of await Promise.all(sent)) {
        if (answer === undefined || !isEndpointAnswer(answer, authorised)) {
          refused.add(how);
          continue;
        }
        const control = await orNothing(send(options, await service.issue(account)));
        const unknown = await orNothing(send(options, madeUp(token)));
        // Admission of a made-up token is another fault.
        if (control === undefined || (unknown && isEndpointAnswer(unknown, authorised))) continue;
        const clause = refused.has(how) ? 'EXPIRY-5' : 'EXPIRY-2';
        const contrast = { control, authorised, reason: `the token has expired, and ${how}` };
        await contract.judgeBypass({ answer, again: () => send(options) }, clause, contrast);
      }
    }
  },
};

/** A deviating request, and the name of its deviation. */
type Stray = readonly [how: string, options: StrayOptions];

type StrayOptions = CallOptions & { readonly scheme?: string };

const byMethod = (method: string): Stray => [`the method is ${method}`, { method }];
const byPath = (path: string): Stray => [`the path is spelt ${path}`, { path }];

/** Also requests that a server, a proxy or a framework handles in other code. */
const all = ({ method, path, body }: Endpoint): readonly Stray[] => [
  ...otherMethods(method).map(byMethod),
  ...pathVariants(path).map(byPath),
  ['the request is made over HTTP/1.0', { version: '1.0' }],
  ['the body is sent in chunks', inChunks(body).options],
  ['the scheme is spelt bearer', { scheme: 'bearer' }],
  ['the request has X-Forwarded-For: 127.0.0.1', { headers: { 'X-Forwarded-For': '127.0.0.1' } }],
  ['the request has Accept: text/html', { headers: { Accept: 'text/html' } }],
];

const few = ({ method, path }: Endpoint): readonly Stray[] => [
  ...(method === 'GET' ? ['HEAD', 'OPTIONS'] : ['OPTIONS']).map(byMethod),
  ...pathVariants(path).slice(0, 2).map(byPath),
];

/** Instants at which another probe looks for a revival. */
const late = revivals
  .filter(({ what }) => /about (a week|a year|eleven years) old/.test(what))
  .map(({ ageMs }) => ({ ageMs, strays: few }));
