import { type Call, type Reply, right } from '../../../sandbox/behaviour.ts';
import { count, fault, refusal, type Variant } from '../fault.ts';
import { refusingAs } from '../refusals.ts';
import { before, blocked } from './token-places.ts';

/** Answers some requests alike for all clients, but never at the token endpoint. */
const inFrontOf = (reply: Reply, when: (call: Call) => boolean) =>
  before((call) => (when(call) ? reply : undefined));

/** Whether a client does not accept JSON. */
const refusesJson = ({ headers: { accept = '*/*' } }: Call): boolean => !/\*\/\*|json/.test(accept);

/** Answers of proxies, firewalls and frameworks before the service, or additions to its answers. */
export const proxyVariants: readonly Variant[] = [
  fault('not-acceptable', 'Where JSON is not accepted, every request is answered with 406', () =>
    inFrontOf({ status: 406 }, refusesJson),
  ),
  fault(
    'not-acceptable-without-a-token',
    'Where JSON is not accepted, only unauthorised requests are answered with 406',
    () => refusingAs({ status: 406 }, refusesJson),
  ),
  fault(
    'other-origins-are-blocked',
    'Every request of a page of another origin is answered with 403',
    () => inFrontOf(blocked(403), ({ headers }) => headers.origin !== undefined),
  ),
  fault(
    'robots-are-blocked',
    'Every request of curl, of a robot, and without User-Agent is answered with 403',
    () =>
      inFrontOf(blocked(403), ({ headers }) => /^$|curl|bot/i.test(headers['user-agent'] ?? '')),
  ),
  fault(
    'old-protocols-are-blocked',
    'Every request over HTTP/1.0 is answered with 403, and every chunked body with 411',
    () =>
      before(({ headers, httpVersion }) => {
        if (headers['transfer-encoding'] !== undefined) return { status: 411 };
        return httpVersion === '1.0' ? blocked(403) : undefined;
      }),
  ),
  fault(
    'queries-are-not-found',
    'Every address with a query is answered with 404, and every cookie with 400',
    () =>
      before(({ headers, url }) => {
        if (headers.cookie !== undefined) return { status: 400, json: { title: 'Bad Request' } };
        return url.includes('?') ? { status: 404 } : undefined;
      }),
  ),
  fault(
    'forwarded-requests-are-blocked',
    'Every request with X-Forwarded-For is answered with 403',
    () => inFrontOf(blocked(403), ({ headers }) => headers['x-forwarded-for'] !== undefined),
  ),
  fault(
    'odd-headers-are-blocked',
    'A firewall blocks headers with braces, with a percent sign, and beyond ASCII',
    () =>
      inFrontOf(blocked(403), ({ headers }) =>
        /[{}%]|[^\0-\x7f]/.test(headers.authorization ?? ''),
      ),
  ),
  fault(
    'odd-headers-are-blocked-in-json',
    'A gateway answers JSON and 403 where any header has braces or a sign beyond ASCII',
    () =>
      inFrontOf({ status: 403, json: { message: 'Forbidden' } }, ({ rawHeaders }) =>
        /[{}]|[^\0-\x7f]/.test(rawHeaders.join('\n')),
      ),
  ),
  fault(
    'malformed-credentials-are-bad-requests',
    'An Authorization header of more than two words is answered with 400',
    () =>
      refusingAs(
        { status: 400, json: refusal },
        ({ headers }) => (headers.authorization ?? '').split(' ').length > 3,
      ),
  ),
  fault(
    'preconditions-after-the-guard',
    'Authorised requests are answered with 304, 412 and 206 where their headers say so',
    () => ({
      authorised(resource, call, state) {
        const { headers } = call;
        const reply = right.authorised(resource, call, state);
        if (headers['if-match'] !== undefined) return { status: 412 };
        if (headers['if-none-match'] !== undefined || headers['if-modified-since'] !== undefined)
          return { status: 304 };
        return {
          ...reply,
          headers: { ETag: '"1"', 'Last-Modified': 'Wed, 20 May 2026 09:00:00 GMT' },
        };
      },
    }),
  ),
  fault(
    'language-in-the-401',
    'The 401 has a further field in the language of the request',
    () => ({
      unauthorised: (_cause, { headers }) => ({
        status: 401,
        json: { ...refusal, help: `see the manual in ${headers['accept-language'] ?? 'en'}` },
      }),
    }),
  ),
  fault('refusals-are-slowed-down', 'Every twentieth refusal is answered with 429 first', () => ({
    unauthorised: (cause, call, state) =>
      count(state, 'refusals') % 20 === 0
        ? { status: 429, headers: { 'Retry-After': '0' } }
        : right.unauthorised(cause, call, state),
  })),
];
