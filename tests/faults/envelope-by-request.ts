import { type Call, right } from '../../sandbox/behaviour.ts';
import { fault, type Mutant, refusal } from './fault.ts';
import { page, refusingAs, saying } from './refusals.ts';

const prefers = ({ headers }: Call, type: string): boolean =>
  headers.accept?.startsWith(type) === true;

/** The refusal depends on what the request accepts, on the client, or on earlier requests. */
export const envelopeByRequestMutants: readonly Mutant[] = [
  fault(
    'login-page-for-browsers',
    'A client that prefers HTML gets a login page with the 401',
    () => refusingAs(page, (call) => prefers(call, 'text/html')),
  ),
  fault(
    'browsers-are-redirected',
    'A client that prefers HTML is redirected to a login page, except for scripts',
    () =>
      refusingAs(
        { status: 302, headers: { Location: '/login' } },
        (call) => prefers(call, 'text/html') && call.headers['x-requested-with'] === undefined,
      ),
  ),
  fault('xml-for-xml', 'A client that accepts XML alone gets the 401 as XML', () =>
    refusingAs(
      { status: 401, body: '<error/>', headers: { 'Content-Type': 'application/xml' } },
      ({ headers }) => headers.accept === 'application/xml',
    ),
  ),
  fault('binary-for-message-pack', 'A client that accepts MessagePack gets the 401 in it', () =>
    refusingAs(
      { status: 401, body: Buffer.from('82a773756363657373c2', 'hex') },
      ({ headers }) => headers.accept?.includes('application/msgpack') === true,
    ),
  ),
  fault('xml-for-type-in-the-query', 'With _type=xml in the query the 401 is XML, as in CXF', () =>
    refusingAs(
      { status: 401, body: '<error/>', headers: { 'Content-Type': 'application/xml' } },
      ({ query }) => query.get('_type') === 'xml',
    ),
  ),
  fault(
    'problem-for-problem-json',
    'A client that accepts problem details gets them instead of the envelope',
    () =>
      refusingAs(
        { status: 401, json: { type: 'about:blank', title: 'Unauthorized', status: 401 } },
        ({ headers }) => headers.accept?.includes('problem+json') === true,
      ),
  ),
  fault('text-without-accept', 'Without Accept the 401 is a word', () =>
    refusingAs(
      { status: 401, body: 'Unauthorized' },
      ({ headers }) => headers.accept === undefined,
    ),
  ),
  fault(
    'bad-request-without-user-agent',
    'An unauthorised request without User-Agent is answered with 400',
    () =>
      refusingAs(
        { status: 400, json: refusal },
        ({ headers }) => headers['user-agent'] === undefined,
      ),
  ),
  fault('curl-is-forbidden', 'An unauthorised request of curl is answered with 403', () =>
    refusingAs({ status: 403, json: refusal }, ({ headers }) =>
      /^curl/.test(headers['user-agent'] ?? ''),
    ),
  ),
  fault('message-in-german', 'The message of the 401 is translated into German', () =>
    refusingAs(saying('Ungültiges oder abgelaufenes Token.'), ({ headers }) =>
      /^de/.test(headers['accept-language'] ?? ''),
    ),
  ),
  fault(
    'message-in-french-for-cookie',
    'The message of the 401 is in the language of a cookie',
    () =>
      refusingAs(saying('Jeton invalide.'), ({ headers }) => /lang=fr/.test(headers.cookie ?? '')),
  ),
  fault('scripts-are-forbidden', 'A script of a page that has no token gets 403', () =>
    refusingAs(
      { status: 403, json: refusal },
      ({ headers }) => headers['x-requested-with'] === 'XMLHttpRequest',
    ),
  ),
  fault('origin-before-token', 'A page of another origin that has no token gets 403', () =>
    refusingAs({ status: 403, json: refusal }, ({ headers }) => headers.origin !== undefined),
  ),
  fault(
    'not-modified-before-token',
    'A client with a copy learns without a token that it is still the same',
    () => refusingAs({ status: 304 }, ({ headers }) => headers['if-none-match'] !== undefined),
  ),
  fault(
    'not-modified-since-before-token',
    'A client that sends the date of its copy learns without a token that nothing has changed',
    () =>
      refusingAs(
        { status: 304 },
        ({ headers }) =>
          headers['if-none-match'] === undefined && headers['if-modified-since'] !== undefined,
      ),
  ),
  fault(
    'precondition-before-token',
    'A precondition that fails is answered with 412 without a token',
    () => refusingAs({ status: 412 }, ({ headers }) => headers['if-match'] !== undefined),
  ),
  fault('range-before-token', 'A range is answered with 416 without a token', () =>
    refusingAs({ status: 416 }, ({ headers }) => headers.range !== undefined),
  ),
  fault(
    'script-around-the-refusal',
    'With a callback in the query the refusal is a script, with status 200',
    () =>
      refusingAs({ status: 200, body: `cb(${JSON.stringify(refusal)})` }, ({ query }) =>
        query.has('callback'),
      ),
  ),
  fault(
    'form-before-token',
    'An unauthorised request with a form in its body is answered with 422',
    () =>
      refusingAs(
        { status: 422, json: { success: false, message: 'The form lacks a name.' } },
        ({ headers }) => /form/.test(headers['content-type'] ?? ''),
      ),
  ),
  fault('head-is-forbidden', 'HEAD is answered as GET is, and without a token with 403', () => ({
    route: (call, state) =>
      right.route(call.method === 'HEAD' ? { ...call, method: 'GET' } : call, state),
    ...refusingAs({ status: 403 }, ({ method }) => method === 'HEAD'),
  })),
];
