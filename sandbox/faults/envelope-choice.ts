import type { Behaviour, Call, Reply } from '../behaviour.ts';
import { count, hour, type Mutant, refusal } from './fault.ts';

/** Refuses some requests in another way. */
const refusingAs = (
  right: Behaviour,
  reply: Reply,
  when: (call: Call) => boolean,
): Pick<Behaviour, 'unauthorised'> => ({
  unauthorised: (cause, call, state) =>
    when(call) ? reply : right.unauthorised(cause, call, state),
});

const page: Reply = {
  status: 401,
  body: '<!doctype html><h1>Please sign in</h1>',
  headers: { 'Content-Type': 'text/html' },
};

const saying = (message: string): Reply => ({ status: 401, json: { success: false, message } });

const prefers = ({ headers }: Call, type: string): boolean =>
  headers.accept?.startsWith(type) === true;

/** What follows the scheme. */
const tokenOf = ({ headers }: Call): string =>
  /^Bearer (.*)$/.exec(headers.authorization ?? '')?.[1] ?? '';

const hourOf = ({ now }: Call): number => Math.floor(now / hour) % 24;

const isJwt = (text: string): boolean => /^eyJ[\w-]+\.eyJ[\w-]+\./.test(text);

/** Refuses in another way after the given number of refusals in a row; each use of a valid token starts anew. */
const afterRefusals = (
  right: Behaviour,
  of: 'missing' | 'invalid',
  refusals: number,
  reply: Reply,
): Partial<Behaviour> => ({
  used: (_token, _call, state) => void state.memo.set('refusals in a row', 0),
  unauthorised: (cause, call, state) =>
    cause === of && count(state, 'refusals in a row') >= refusals
      ? reply
      : right.unauthorised(cause, call, state),
});

/** How a request is refused hangs upon what it accepts, who sends it, or what it has seen before. */
const byRequest: readonly Mutant[] = [
  {
    name: 'login-page-for-browsers',
    means: 'A client that prefers HTML gets a login page with the 401',
    make: (right) => refusingAs(right, page, (call) => prefers(call, 'text/html')),
  },
  {
    name: 'browsers-are-redirected',
    means: 'A client that prefers HTML is redirected to a login page, but for scripts',
    make: (right) =>
      refusingAs(
        right,
        { status: 302, headers: { Location: '/login' } },
        (call) => prefers(call, 'text/html') && call.headers['x-requested-with'] === undefined,
      ),
  },
  {
    name: 'xml-for-xml',
    means: 'A client that accepts XML alone gets the 401 as XML',
    make: (right) =>
      refusingAs(
        right,
        { status: 401, body: '<error/>', headers: { 'Content-Type': 'application/xml' } },
        ({ headers }) => headers.accept === 'application/xml',
      ),
  },
  {
    name: 'problem-for-problem-json',
    means: 'A client that accepts problem details gets them instead of the envelope',
    make: (right) =>
      refusingAs(
        right,
        { status: 401, json: { type: 'about:blank', title: 'Unauthorized', status: 401 } },
        ({ headers }) => headers.accept?.includes('problem+json') === true,
      ),
  },
  {
    name: 'text-without-accept',
    means: 'Without Accept the 401 is a word',
    make: (right) =>
      refusingAs(
        right,
        { status: 401, body: 'Unauthorized' },
        ({ headers }) => headers.accept === undefined,
      ),
  },
  {
    name: 'bad-request-without-user-agent',
    means: 'An unauthorised request without User-Agent is answered with 400',
    make: (right) =>
      refusingAs(
        right,
        { status: 400, json: refusal },
        ({ headers }) => headers['user-agent'] === undefined,
      ),
  },
  {
    name: 'curl-is-forbidden',
    means: 'An unauthorised request of curl is answered with 403',
    make: (right) =>
      refusingAs(right, { status: 403, json: refusal }, ({ headers }) =>
        /^curl/.test(headers['user-agent'] ?? ''),
      ),
  },
  {
    name: 'message-in-german',
    means: 'The message of the 401 is translated into German',
    make: (right) =>
      refusingAs(right, saying('Ungültiges oder abgelaufenes Token.'), ({ headers }) =>
        /^de/.test(headers['accept-language'] ?? ''),
      ),
  },
  {
    name: 'message-in-french-for-cookie',
    means: 'The message of the 401 is in the language of a cookie',
    make: (right) =>
      refusingAs(right, saying('Jeton invalide.'), ({ headers }) =>
        /lang=fr/.test(headers.cookie ?? ''),
      ),
  },
  {
    name: 'scripts-are-forbidden',
    means: 'A script of a page that has no token gets 403',
    make: (right) =>
      refusingAs(
        right,
        { status: 403, json: refusal },
        ({ headers }) => headers['x-requested-with'] === 'XMLHttpRequest',
      ),
  },
  {
    name: 'origin-before-token',
    means: 'A page of another origin that has no token gets 403',
    make: (right) =>
      refusingAs(
        right,
        { status: 403, json: refusal },
        ({ headers }) => headers.origin !== undefined,
      ),
  },
  {
    name: 'not-modified-before-token',
    means: 'Who has a copy is told without a token that it is still the same',
    make: (right) =>
      refusingAs(right, { status: 304 }, ({ headers }) => headers['if-none-match'] !== undefined),
  },
  {
    name: 'not-modified-since-before-token',
    means: 'Who names the date of a copy is told without a token that nothing has changed',
    make: (right) =>
      refusingAs(
        right,
        { status: 304 },
        ({ headers }) =>
          headers['if-none-match'] === undefined && headers['if-modified-since'] !== undefined,
      ),
  },
  {
    name: 'precondition-before-token',
    means: 'A precondition that fails is answered with 412 without a token',
    make: (right) =>
      refusingAs(right, { status: 412 }, ({ headers }) => headers['if-match'] !== undefined),
  },
  {
    name: 'range-before-token',
    means: 'A range is answered with 416 without a token',
    make: (right) =>
      refusingAs(right, { status: 416 }, ({ headers }) => headers.range !== undefined),
  },
  {
    name: 'script-around-the-refusal',
    means: 'With a callback in the query the refusal is a script, with status 200',
    make: (right) =>
      refusingAs(right, { status: 200, body: `cb(${JSON.stringify(refusal)})` }, ({ query }) =>
        query.has('callback'),
      ),
  },
  {
    name: 'form-before-token',
    means: 'An unauthorised request with a form in its body is answered with 422',
    make: (right) =>
      refusingAs(
        right,
        { status: 422, json: { success: false, message: 'The form lacks a name.' } },
        ({ headers }) => /form/.test(headers['content-type'] ?? ''),
      ),
  },
  {
    name: 'head-is-forbidden',
    means: 'HEAD is answered as GET is, and without a token with 403',
    make: (right) => ({
      route: (call, state) =>
        right.route(call.method === 'HEAD' ? { ...call, method: 'GET' } : call, state),
      ...refusingAs(right, { status: 403 }, ({ method }) => method === 'HEAD'),
    }),
  },
];

/** How a request is refused hangs upon the form of its bad token. */
const byToken: readonly Mutant[] = [
  {
    name: 'foreign-jwt-says-more',
    means: 'A JWT that was not made here gets the message of a library',
    make: (right) => refusingAs(right, saying('invalid signature'), (call) => isJwt(tokenOf(call))),
  },
  {
    name: 'expired-jwt-says-so',
    means: 'A JWT that claims to have expired is refused as expired, even if it is forged',
    make: (right) =>
      refusingAs(right, saying('jwt expired'), (call) => {
        const [, claims = ''] = tokenOf(call).split('.');
        const exp = /"exp":(\d+)/.exec(Buffer.from(claims, 'base64url').toString())?.[1];
        return exp !== undefined && Number(exp) * 1000 < call.now;
      }),
  },
  {
    name: 'dotted-token-crashes',
    means: 'A token with dots that is not a JWT is answered with 500',
    make: (right) =>
      refusingAs(right, { status: 500, body: 'Internal Server Error' }, (call) => {
        const text = tokenOf(call);
        return text.includes('.') && !isJwt(text);
      }),
  },
  {
    name: 'long-token-crashes',
    means: 'A token of more than 1,024 characters is answered with 500',
    make: (right) => refusingAs(right, { status: 500 }, (call) => tokenOf(call).length > 1024),
  },
  {
    name: 'token-beyond-ascii-crashes',
    means: 'A token that is not ASCII is answered with 500',
    make: (right) => refusingAs(right, { status: 500 }, (call) => /[^\0-\x7f]/.test(tokenOf(call))),
  },
  {
    name: 'blank-in-token-is-explained',
    means: 'A token with a blank in it gets a message of its own',
    make: (right) =>
      refusingAs(right, saying('Malformed Authorization header.'), (call) =>
        tokenOf(call).includes(' '),
      ),
  },
  {
    name: 'uuid-is-of-an-old-version',
    means: 'A UUID is taken for a token of an older version, which is forbidden',
    make: (right) =>
      refusingAs(right, { status: 403, json: refusal }, (call) =>
        /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(tokenOf(call)),
      ),
  },
  {
    name: 'padding-is-malformed',
    means: 'A token with padding is answered with 400',
    make: (right) =>
      refusingAs(right, { status: 400, json: refusal }, (call) => /=$/.test(tokenOf(call))),
  },
];

/** How a request is refused hangs upon when it comes. */
const byMoment: readonly Mutant[] = [
  {
    name: 'no-envelope-at-night',
    means: 'From two to three at night the 401 is a page',
    make: (right) => refusingAs(right, page, (call) => hourOf(call) === 2),
  },
  {
    name: 'forbidden-on-sundays',
    means: 'On Sundays unauthorised requests are answered with 403',
    make: (right) =>
      refusingAs(
        right,
        { status: 403, json: refusal },
        ({ now }) => new Date(now).getUTCDay() === 0,
      ),
  },
  {
    name: 'forbidden-from-the-tenth',
    means: 'From the tenth request without a token in a row on the status is 403',
    oneAtATime: true,
    make: (right) => afterRefusals(right, 'missing', 10, { status: 403, json: refusal }),
  },
  {
    name: 'attempts-are-counted',
    means: 'From the sixteenth bad token in a row on the message is about the attempts',
    oneAtATime: true,
    make: (right) => afterRefusals(right, 'invalid', 16, saying('Too many attempts.')),
  },
];

/** The 401 is not the same for every request. */
export const envelopeChoiceMutants: readonly Mutant[] = [...byRequest, ...byToken, ...byMoment];
