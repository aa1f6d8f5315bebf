import { type Behaviour, type Call, type Reply, right } from '../../behaviour.ts';
import { count, refusal, type Variant } from '../fault.ts';
import { refusingAs } from '../other-refusals.ts';

/** Answers some requests alike for all clients, but never at the token endpoint. */
const inFrontOf = (
  reply: Reply,
  when: (call: Call) => boolean,
  otherwise = right.finish,
): Pick<Behaviour, 'finish'> => ({
  finish: (usual, call, state) =>
    !call.path.endsWith('/auth/token') && when(call) ? reply : otherwise(usual, call, state),
});

/** Whether a client does not accept JSON. */
const refusesJson = ({ headers: { accept = '*/*' } }: Call): boolean => !/\*\/\*|json/.test(accept);

const blocked: Reply = {
  status: 403,
  body: '<h1>Request blocked</h1>',
  headers: { 'Content-Type': 'text/html' },
};

/** Answers of proxies, firewalls and frameworks before the service, or additions to its answers. */
export const proxyVariants: readonly Variant[] = [
  {
    name: 'not-acceptable',
    means: 'Where JSON is not accepted, every request is answered with 406',
    make: () => inFrontOf({ status: 406 }, refusesJson),
  },
  {
    name: 'not-acceptable-without-a-token',
    means: 'Where JSON is not accepted, only unauthorised requests are answered with 406',
    make: () => refusingAs({ status: 406 }, refusesJson),
  },
  {
    name: 'other-origins-are-blocked',
    means: 'Every request of a page of another origin is answered with 403',
    make: () => inFrontOf(blocked, ({ headers }) => headers.origin !== undefined),
  },
  {
    name: 'robots-are-blocked',
    means: 'Every request of curl, of a robot, and without User-Agent is answered with 403',
    make: () =>
      inFrontOf(blocked, ({ headers }) => /^$|curl|bot/i.test(headers['user-agent'] ?? '')),
  },
  {
    name: 'old-protocols-are-blocked',
    means: 'Every request over HTTP/1.0 is answered with 403, and every chunked body with 411',
    make: () => {
      const { finish } = inFrontOf(blocked, ({ httpVersion }) => httpVersion === '1.0');
      return inFrontOf(
        { status: 411 },
        ({ headers }) => headers['transfer-encoding'] !== undefined,
        finish,
      );
    },
  },
  {
    name: 'queries-are-not-found',
    means: 'Every address with a query is answered with 404, and every cookie with 400',
    make: () => {
      const { finish } = inFrontOf({ status: 404 }, ({ url }) => url.includes('?'));
      return inFrontOf(
        { status: 400, json: { title: 'Bad Request' } },
        ({ headers }) => headers.cookie !== undefined,
        finish,
      );
    },
  },
  {
    name: 'forwarded-requests-are-blocked',
    means: 'Every request with X-Forwarded-For is answered with 403',
    make: () => inFrontOf(blocked, ({ headers }) => headers['x-forwarded-for'] !== undefined),
  },
  {
    name: 'odd-headers-are-blocked',
    means: 'A firewall blocks headers with braces, with a percent sign, and beyond ASCII',
    make: () =>
      inFrontOf(blocked, ({ headers }) => /[{}%]|[^\0-\x7f]/.test(headers.authorization ?? '')),
  },
  {
    name: 'odd-headers-are-blocked-in-json',
    means: 'A gateway answers JSON and 403 where any header has braces or a sign beyond ASCII',
    make: () =>
      inFrontOf({ status: 403, json: { message: 'Forbidden' } }, ({ rawHeaders }) =>
        /[{}]|[^\0-\x7f]/.test(rawHeaders.join('\n')),
      ),
  },
  {
    name: 'malformed-credentials-are-bad-requests',
    means: 'An Authorization header of more than two words is answered with 400',
    make: () =>
      refusingAs(
        { status: 400, json: refusal },
        ({ headers }) => (headers.authorization ?? '').split(' ').length > 3,
      ),
  },
  {
    name: 'preconditions-after-the-guard',
    means: 'Authorised requests are answered with 304, 412 and 206 where their headers say so',
    make: () => ({
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
  },
  {
    name: 'language-in-the-401',
    means: 'The 401 has a further field in the language of the request',
    make: () => ({
      unauthorised: (_cause, { headers }) => ({
        status: 401,
        json: { ...refusal, help: `see the manual in ${headers['accept-language'] ?? 'en'}` },
      }),
    }),
  },
  {
    name: 'refusals-are-slowed-down',
    means: 'Every twentieth refusal is answered with 429 first',
    make: () => ({
      unauthorised: (cause, call, state) =>
        count(state, 'refusals') % 20 === 0
          ? { status: 429, headers: { 'Retry-After': '0' } }
          : right.unauthorised(cause, call, state),
    }),
  },
];
