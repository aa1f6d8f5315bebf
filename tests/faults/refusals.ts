import { type Behaviour, type Call, type Reply, right } from '../../sandbox/behaviour.ts';
import {
  breaking,
  count,
  type Fault,
  type Faults,
  hour,
  htmlPage,
  refusal,
  refusedAs,
} from './fault.ts';
import { decode, jwt } from './jwt.ts';
import { has, inAuthorization } from './request-parts.ts';

type Cause = Parameters<Behaviour['unauthorised']>[0];

/** Refuses some requests differently. */
export const refusingAs = (reply: Reply, when: (call: Call, cause: Cause) => boolean): Fault => ({
  unauthorised: (cause, call, state) =>
    when(call, cause) ? reply : right.unauthorised(cause, call, state),
});

/** Refuses requests differently that are unauthorised for this reason. */
const refusingFor = (cause: Cause, reply: Reply) =>
  refusingAs(reply, (_call, actual) => actual === cause);

export const answering = (reply: Reply): Fault => ({
  unauthorised: () => reply,
});

/** Every refusal is the right one with these members in its JSON. */
export const withMembers = (members: object) => refusedAs({ json: { ...refusal, ...members } });

/** The 401 has these members too. */
export const refusingWith = (more: (call: Call) => object): Fault => ({
  unauthorised: (_cause, call) => ({ status: 401, json: { ...refusal, ...more(call) } }),
});

const badRequest: Reply = { status: 400, json: refusal };
const forbidden: Reply = { status: 403, json: refusal };
const crash: Reply = { status: 500, body: 'Internal Server Error' };
const login: Reply = { status: 302, headers: { Location: '/login' } };
const text: Reply = { status: 401, body: 'Unauthorized' };
const page = htmlPage(401, '<!doctype html><h1>Please sign in</h1>');
const binary = (body: string): Reply => ({ status: 401, body: Buffer.from(body, 'latin1') });
const saying = (message: string): Reply => ({ status: 401, json: { success: false, message } });

/** A part of a JWT, read without a check of the signature. */
function partOf(call: Call, index: number): Readonly<Record<string, unknown>> | null | undefined {
  const parts = inAuthorization(/^Bearer (.*)$/)(call)?.split('.') ?? [];
  return parts.length === 3 ? (decode(parts[index] ?? '') as ReturnType<typeof partOf>) : undefined;
}

const isForReports = ({ path }: Call): boolean => path.endsWith('/reports');
const prefersHtml = has('accept', /^text\/html/);

/** A refusal has another status than 401. */
export const statusFaults = breaking('ERROR-1', {
  'redirect-to-login': refusedAs(login),
  'ok-with-error-envelope': refusedAs({ status: 200 }),
  'hidden-behind-not-found': refusedAs({ status: 404 }),
  'missing-token-is-a-bad-request': refusingFor('missing', badRequest),
  'other-scheme-is-a-bad-request': refusingFor('scheme', badRequest),
  'expired-token-is-forbidden': refusingFor('expired', forbidden),
  'unknown-token-crashes': refusingFor('invalid', crash),
  'second-endpoint-forbids': refusingAs(forbidden, isForReports),
  'browsers-are-redirected': refusingAs(
    login,
    (call) => prefersHtml(call) && !has('x-requested-with')(call),
  ),
  'not-modified-before-token': refusingAs({ status: 304 }, has('if-none-match')),
  'script-around-the-refusal': refusingAs(
    { status: 200, body: `cb(${JSON.stringify(refusal)})` },
    ({ query }) => query.has('callback'),
  ),
  'head-is-forbidden': {
    route: (call, state) =>
      right.route(call.method === 'HEAD' ? { ...call, method: 'GET' } : call, state),
    ...refusingAs({ status: 403 }, ({ method }) => method === 'HEAD'),
  },
  'forbidden-on-sundays': refusingAs(forbidden, ({ now }) => new Date(now).getUTCDay() === 0),
});

/** The body of a 401 is not the error envelope. */
export const envelopeFaults = breaking('ERROR-2', {
  'refusal-without-body': answering({ status: 401 }),
  'refusal-as-page': answering(page),
  'refusal-as-text': answering(text),
  'refusal-cut': answering({ status: 401, body: JSON.stringify(refusal).slice(0, -1) }),
  'refusal-not-utf8': answering(binary(JSON.stringify({ ...refusal, hint: '\xff\xfe' }))),
  'refusal-in-array': refusedAs({ json: [refusal] }),
  'refusal-wrapped': refusedAs({ json: { error: refusal } }),
  'refusal-success-text': withMembers({ success: 'false' }),
  'refusal-success-zero': withMembers({ success: 0 }),
  'refusal-success-true': withMembers({ success: true }),
  'refusal-success-absent': withMembers({ success: undefined }),
  'refusal-message-absent': withMembers({ message: undefined }),
  'refusal-message-null': withMembers({ message: null }),
  'refusal-message-array': withMembers({ message: [refusal.message] }),
  'login-page-for-browsers': refusingAs(page, prefersHtml),
  'binary-for-message-pack': refusingAs(binary('\x82\xa7success\xc2'), has('accept', /msgpack/)),
  'no-envelope-at-night': refusingAs(page, ({ now }) => Math.floor(now / hour) % 24 === 2),
});

/** A 401 has another message. */
export const messageFaults = breaking('ERROR-3', {
  'message-without-full-stop': withMembers({ message: 'Invalid or expired access token' }),
  'message-in-capitals': withMembers({ message: 'Invalid or Expired Access Token.' }),
  'message-in-german': refusingAs(
    saying('Ungültiges oder abgelaufenes Token.'),
    has('accept-language', /^de/),
  ),
  'expired-jwt-says-so': refusingAs(saying('jwt expired'), (call) => {
    const { exp } = partOf(call, 1) ?? {};
    return typeof exp === 'number' && exp * 1000 < call.now;
  }),
});

/** A guard that reads a JWT before it verifies it fails on some, and so do others on odd tokens. */
export const crashFaults = breaking('ERROR-1', {
  'null-claims-crashes': refusingAs(crash, (call) => partOf(call, 1) === null),
  'long-token-crashes': refusingAs(crash, has('authorization', /.{1032}/)),
});

const coded = (code: unknown): Reply => ({ status: 401, json: { ...refusal, code } });

/** The 401 is not the same for every cause or endpoint. */
export const differenceFaults = breaking('ERROR-4', {
  ...breaking(['ERROR-3', 'ERROR-4'], {
    'missing-token-has-its-message': refusingFor('missing', saying('No token provided.')),
    'expired-token-has-its-message': refusingFor('expired', saying('Token expired.')),
    'second-endpoint-has-its-message': refusingAs(saying('Please sign in.'), isForReports),
  }),
  'cause-in-a-code': { unauthorised: (cause) => coded(cause.replace('expired', 'invalid')) },
  'expiry-in-a-code': { unauthorised: (cause) => coded(cause === 'expired' ? 2 : 1) },
  'second-endpoint-says-more': refusingAs(coded('see the manual'), isForReports),
  'scheme-alone-says-more': refusingAs(coded('malformed'), has('authorization', /^Bearer\s*$/)),
  'token-alone-says-more': refusingAs(coded('malformed'), has('authorization', /^[^ ]{20,}$/)),
  'scheme-token-says-more': refusingAs(coded('malformed'), has('authorization', /^Token /)),
  'wrong-signature-says-more': {
    ...jwt,
    ...refusingAs(
      coded('malformed'),
      (call, cause) => cause === 'invalid' && partOf(call, 1) !== undefined,
    ),
  },
});

/** Refuses differently from this refusal in a row on; each use of a valid token begins anew. */
const afterRefusals = (cause: Cause, refusals: number, reply: Reply): Fault => ({
  used: (_token, _call, state) => void state.memo.set('refusals in a row', 0),
  unauthorised: (actual, call, state) =>
    actual === cause && count(state, 'refusals in a row') >= refusals
      ? reply
      : right.unauthorised(actual, call, state),
});

/** The refusal of unauthorised requests is wrong for all of them, or depends on the request. */
export const refusalFaults: Faults = {
  'forbidden-from-the-tenth': {
    breaks: 'ERROR-1',
    alone: true,
    ...afterRefusals('missing', 10, forbidden),
  },
  'attempts-are-counted': {
    breaks: 'ERROR-3',
    alone: true,
    ...afterRefusals('invalid', 16, saying('Too many attempts.')),
  },
};
