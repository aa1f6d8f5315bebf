import { type Call, right } from '../behaviour.ts';
import { type Mutant, refusal } from './fault.ts';
import { page, refusingAs, saying } from './other-refusals.ts';

const prefers = ({ headers }: Call, type: string): boolean =>
  headers.accept?.startsWith(type) === true;

/** The refusal depends on what the request accepts, on the client, or on earlier requests. */
export const envelopeByRequestMutants: readonly Mutant[] = [
  {
    name: 'login-page-for-browsers',
    means: 'A client that prefers HTML gets a login page with the 401',
    make: () => refusingAs(page, (call) => prefers(call, 'text/html')),
  },
  {
    name: 'browsers-are-redirected',
    means: 'A client that prefers HTML is redirected to a login page, except for scripts',
    make: () =>
      refusingAs(
        { status: 302, headers: { Location: '/login' } },
        (call) => prefers(call, 'text/html') && call.headers['x-requested-with'] === undefined,
      ),
  },
  {
    name: 'xml-for-xml',
    means: 'A client that accepts XML alone gets the 401 as XML',
    make: () =>
      refusingAs(
        { status: 401, body: '<error/>', headers: { 'Content-Type': 'application/xml' } },
        ({ headers }) => headers.accept === 'application/xml',
      ),
  },
  {
    name: 'binary-for-message-pack',
    means: 'A client that accepts MessagePack gets the 401 in it',
    make: () =>
      refusingAs(
        { status: 401, body: Buffer.from('82a773756363657373c2', 'hex') },
        ({ headers }) => headers.accept?.includes('application/msgpack') === true,
      ),
  },
  {
    name: 'xml-for-type-in-the-query',
    means: 'With _type=xml in the query the 401 is XML, as in CXF',
    make: () =>
      refusingAs(
        { status: 401, body: '<error/>', headers: { 'Content-Type': 'application/xml' } },
        ({ query }) => query.get('_type') === 'xml',
      ),
  },
  {
    name: 'problem-for-problem-json',
    means: 'A client that accepts problem details gets them instead of the envelope',
    make: () =>
      refusingAs(
        { status: 401, json: { type: 'about:blank', title: 'Unauthorized', status: 401 } },
        ({ headers }) => headers.accept?.includes('problem+json') === true,
      ),
  },
  {
    name: 'text-without-accept',
    means: 'Without Accept the 401 is a word',
    make: () =>
      refusingAs(
        { status: 401, body: 'Unauthorized' },
        ({ headers }) => headers.accept === undefined,
      ),
  },
  {
    name: 'bad-request-without-user-agent',
    means: 'An unauthorised request without User-Agent is answered with 400',
    make: () =>
      refusingAs(
        { status: 400, json: refusal },
        ({ headers }) => headers['user-agent'] === undefined,
      ),
  },
  {
    name: 'curl-is-forbidden',
    means: 'An unauthorised request of curl is answered with 403',
    make: () =>
      refusingAs({ status: 403, json: refusal }, ({ headers }) =>
        /^curl/.test(headers['user-agent'] ?? ''),
      ),
  },
  {
    name: 'message-in-german',
    means: 'The message of the 401 is translated into German',
    make: () =>
      refusingAs(saying('Ungültiges oder abgelaufenes Token.'), ({ headers }) =>
        /^de/.test(headers['accept-language'] ?? ''),
      ),
  },
  {
    name: 'message-in-french-for-cookie',
    means: 'The message of the 401 is in the language of a cookie',
    make: () =>
      refusingAs(saying('Jeton invalide.'), ({ headers }) => /lang=fr/.test(headers.cookie ?? '')),
  },
  {
    name: 'scripts-are-forbidden',
    means: 'A script of a page that has no token gets 403',
    make: () =>
      refusingAs(
        { status: 403, json: refusal },
        ({ headers }) => headers['x-requested-with'] === 'XMLHttpRequest',
      ),
  },
  {
    name: 'origin-before-token',
    means: 'A page of another origin that has no token gets 403',
    make: () =>
      refusingAs({ status: 403, json: refusal }, ({ headers }) => headers.origin !== undefined),
  },
  {
    name: 'not-modified-before-token',
    means: 'A client with a copy learns without a token that it is still the same',
    make: () =>
      refusingAs({ status: 304 }, ({ headers }) => headers['if-none-match'] !== undefined),
  },
  {
    name: 'not-modified-since-before-token',
    means:
      'A client that sends the date of its copy learns without a token that nothing has changed',
    make: () =>
      refusingAs(
        { status: 304 },
        ({ headers }) =>
          headers['if-none-match'] === undefined && headers['if-modified-since'] !== undefined,
      ),
  },
  {
    name: 'precondition-before-token',
    means: 'A precondition that fails is answered with 412 without a token',
    make: () => refusingAs({ status: 412 }, ({ headers }) => headers['if-match'] !== undefined),
  },
  {
    name: 'range-before-token',
    means: 'A range is answered with 416 without a token',
    make: () => refusingAs({ status: 416 }, ({ headers }) => headers.range !== undefined),
  },
  {
    name: 'script-around-the-refusal',
    means: 'With a callback in the query the refusal is a script, with status 200',
    make: () =>
      refusingAs({ status: 200, body: `cb(${JSON.stringify(refusal)})` }, ({ query }) =>
        query.has('callback'),
      ),
  },
  {
    name: 'form-before-token',
    means: 'An unauthorised request with a form in its body is answered with 422',
    make: () =>
      refusingAs(
        { status: 422, json: { success: false, message: 'The form lacks a name.' } },
        ({ headers }) => /form/.test(headers['content-type'] ?? ''),
      ),
  },
  {
    name: 'head-is-forbidden',
    means: 'HEAD is answered as GET is, and without a token with 403',
    make: () => ({
      route: (call, state) =>
        right.route(call.method === 'HEAD' ? { ...call, method: 'GET' } : call, state),
      ...refusingAs({ status: 403 }, ({ method }) => method === 'HEAD'),
    }),
  },
];
