import { randomUUID } from 'node:crypto';
import { type Behaviour, type Call, type Reply, right } from '../../sandbox/behaviour.ts';
import {
  bearerOf,
  breaking,
  count,
  type Fault,
  type Faults,
  family,
  has,
  htmlPage,
  refusal,
  refusalWith,
  refusingAs,
  routingHead,
} from './fault.ts';
import { jwt, parse } from './token-forms.ts';

const badRequest: Reply = { status: 400, json: refusal };
const forbidden: Reply = { status: 403, json: refusal };
const crash: Reply = { status: 500, body: 'Internal Server Error' };
const login: Reply = { status: 302, json: refusal, headers: { Location: '/login' } };
const page = htmlPage(401, '<!doctype html><h1>Please sign in</h1>');
const binary = (body: string): Reply => ({ status: 401, body: Buffer.from(body, 'latin1') });
const saying = (message: string): Reply => ({ status: 401, json: { success: false, message } });
const coded = (code: unknown): Reply => refusalWith({ code });

const isForReports = ({ path }: Call): boolean => path.endsWith('/reports');

/** A refusal has another status than 401. */
export const statusFaults = breaking('ERROR-1', {
  'redirect-to-login': refusingAs(login),
  'ok-with-error-envelope': refusingAs({ status: 200, json: refusal }),
  'hidden-behind-not-found': refusingAs({ status: 404, json: refusal }),
  'missing-token-is-a-bad-request': refusingAs(badRequest, 'missing'),
  'other-scheme-is-a-bad-request': refusingAs(badRequest, 'scheme'),
  'expired-token-is-forbidden': refusingAs(forbidden, 'expired'),
  'unknown-token-crashes': refusingAs(crash, 'invalid'),
  'second-endpoint-forbids': refusingAs(forbidden, isForReports),
  'not-modified-before-token': refusingAs({ status: 304 }, has('if-none-match')),
  'head-is-forbidden': {
    ...routingHead,
    ...refusingAs({ status: 403 }, ({ method }) => method === 'HEAD'),
  },
});

/** Members of the error envelope that are wrong. */
const wrongMembers: Readonly<Record<string, object>> = {
  'success-text': { success: 'false' },
  'success-true': { success: true },
  'message-absent': { message: undefined },
  'message-array': { message: [refusal.message] },
};

/** The body of a 401 is not the error envelope. */
export const envelopeFaults = breaking('ERROR-2', {
  'refusal-without-body': refusingAs({ status: 401 }),
  'refusal-as-page': refusingAs(page),
  'refusal-cut': refusingAs({ status: 401, body: JSON.stringify(refusal).slice(0, -1) }),
  'refusal-not-utf8': refusingAs(binary(JSON.stringify({ ...refusal, hint: '\xff\xfe' }))),
  'refusal-in-array': refusingAs({ status: 401, json: [refusal] }),
  ...family('refusal-*', wrongMembers, (wrong) => refusingAs(refusalWith(wrong))),
  'login-page-for-browsers': refusingAs(page, has('accept', /^text\/html/)),
  'binary-for-message-pack': refusingAs(binary('\x82\xa7success\xc2'), has('accept', /msgpack/)),
});

/** A 401 has another message. */
export const messageFaults = breaking('ERROR-3', {
  'message-without-full-stop': refusingAs(saying('Invalid or expired access token')),
  'message-in-capitals': refusingAs(saying('Invalid or Expired Access Token.')),
  'expired-jwt-says-so': refusingAs(saying('jwt expired'), (call) => {
    const { exp } = parse(bearerOf(call))?.claims ?? {};
    return typeof exp === 'number' && exp * 1000 < call.now;
  }),
});

/** The 401 is not the same for every cause or endpoint. */
export const differenceFaults: Faults = {
  ...breaking(['ERROR-3', 'ERROR-4'], {
    'missing-token-has-its-message': refusingAs(saying('No token provided.'), 'missing'),
    'expired-token-has-its-message': refusingAs(saying('Token expired.'), 'expired'),
    'second-endpoint-has-its-message': refusingAs(saying('Please sign in.'), isForReports),
  }),
  ...breaking('ERROR-4', {
    'cause-in-a-code': refusingAs((_call, cause) => coded(cause.replace('expired', 'invalid'))),
    'expiry-in-a-code': refusingAs((_call, cause) => coded(cause === 'expired' ? 2 : 1)),
    'second-endpoint-says-more': refusingAs(coded('see the manual'), isForReports),
    'scheme-alone-says-more': refusingAs(coded('malformed'), has('authorization', /^Bearer\s*$/)),
    'token-alone-says-more': refusingAs(coded('malformed'), has('authorization', /^[^ ]{20,}$/)),
    'scheme-token-says-more': refusingAs(coded('malformed'), has('authorization', /^Token /)),
    'wrong-signature-says-more': {
      ...jwt,
      ...refusingAs(
        coded('malformed'),
        (call, cause) => cause === 'invalid' && parse(bearerOf(call)) !== undefined,
      ),
    },
  }),
};

/** Refuses differently from this refusal in a row on; each use of a valid token begins anew. */
const afterRefusals = (
  cause: Parameters<Behaviour['unauthorised']>[0],
  refusals: number,
  reply: Reply,
): Fault => ({
  alone: true,
  used: (_token, _call, { memo }) => void memo.set('refusals in a row', 0),
  unauthorised: (actual, call, state) =>
    actual === cause && count(state, 'refusals in a row') >= refusals
      ? reply
      : right.unauthorised(actual, call, state),
});

/** The refusal depends on those before it. */
export const refusalFaults: Faults = {
  'forbidden-from-the-tenth': { breaks: 'ERROR-1', ...afterRefusals('missing', 10, forbidden) },
  'attempts-are-counted': {
    breaks: 'ERROR-3',
    ...afterRefusals('invalid', 16, saying('Too many attempts.')),
  },
};

/** Further members of the 401. */
const furtherMembers: Readonly<Record<string, (call: Call) => object>> = {
  'further-fields-in-the-401': ({ path, now }) => ({ path, id: randomUUID(), now, data: null }),
  'language-in-the-401': ({ headers: { 'accept-language': language = 'en' } }) => ({
    help: `see the manual in ${language}`,
  }),
};

/** Answers of the endpoints that the contract leaves open. */
export const answerVariants: Faults = {
  ...family('*', furtherMembers, (more) => refusingAs((call) => refusalWith(more(call)))),
  'www-authenticate': refusingAs((_call, cause) => ({
    ...refusalWith({}),
    headers: { 'WWW-Authenticate': `Bearer realm="api", error="${cause}"` },
  })),
  'a-member-deeper-than-the-stack': refusingAs({
    status: 401,
    body: `${JSON.stringify(refusal).slice(0, -1)},"deep":${'['.repeat(2e4)}${']'.repeat(2e4)}}`,
    headers: { 'Content-Type': 'application/json' },
  }),
  'refusal-as-plain-text-type': refusingAs({
    status: 401,
    body: `\uFEFF${JSON.stringify(refusal, undefined, 2)}\n`,
    headers: { 'Content-Type': 'application/vnd.api+json; charset=UTF-8' },
  }),
  'endpoints-without-success': {
    authorised: ({ method }) =>
      method === 'GET'
        ? { status: 422, json: { success: false, message: 'A parameter is missing.' } }
        : { status: 409, body: '' },
  },
  // An endpoint answers 404 with and without a token.
  'nothing-there': {
    authorised: () => ({ status: 404, json: { success: false, message: 'No such widget.' } }),
    ...refusingAs({ status: 404 }, ({ method }) => method === 'GET'),
  },
  'empty-payload': { authorised: () => ({ status: 204 }) },
  'large-payload': { authorised: () => ({ status: 200, json: { text: 'x'.repeat(200_000) } }) },
};
