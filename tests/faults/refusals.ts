import { randomUUID } from 'node:crypto';
import { type Behaviour, type Call, type Reply, right } from '../../sandbox/behaviour.ts';
import { fault, htmlPage, type Mutant, refusal, refusedAs } from './fault.ts';

type Cause = Parameters<Behaviour['unauthorised']>[0];

/** Refuses some requests differently. */
export const refusingAs = (
  reply: Reply,
  when: (call: Call, cause: Cause) => boolean,
): Pick<Behaviour, 'unauthorised'> => ({
  unauthorised: (cause, call, state) =>
    when(call, cause) ? reply : right.unauthorised(cause, call, state),
});

/** Every unauthorised request is refused with something changed. */
const refused = (name: string, means: string, change: Partial<Reply>): Mutant =>
  fault(name, means, () => refusedAs(change));

/** Refuses requests differently that are unauthorised for this reason. */
const refusingFor = (of: Cause, reply: Reply): Pick<Behaviour, 'unauthorised'> =>
  refusingAs(reply, (_call, cause) => cause === of);

/** Another endpoint than the first one refuses differently. */
const secondEndpointRefusingAs = (reply: Reply): Pick<Behaviour, 'unauthorised'> =>
  refusingAs(reply, ({ path }) => path.endsWith('/reports'));

export const page = htmlPage(401, '<!doctype html><h1>Please sign in</h1>');

/** An envelope with a message of its own. */
export const saying = (message: string): Reply => ({
  status: 401,
  json: { success: false, message },
});

/** A refusal has another status than 401. */
const statuses: readonly Mutant[] = [
  refused('forbidden-instead', 'Every unauthorised request is answered with 403', { status: 403 }),
  refused('redirect-to-login', 'Unauthorised requests are redirected to a login page', {
    status: 302,
    headers: { Location: '/login' },
  }),
  refused(
    'ok-with-error-envelope',
    'Unauthorised requests are answered with 200 and the error envelope',
    { status: 200 },
  ),
  refused('hidden-behind-not-found', 'Unauthorised requests get the answer of a missing resource', {
    status: 404,
  }),
  fault('missing-token-is-a-bad-request', 'A request without a token is answered with 400', () =>
    refusingFor('missing', { status: 400, json: refusal }),
  ),
  fault(
    'other-scheme-is-a-bad-request',
    'A request under another scheme is answered with 400',
    () => refusingFor('scheme', { status: 400, json: refusal }),
  ),
  fault('expired-token-is-forbidden', 'An expired token is answered with 403', () =>
    refusingFor('expired', { status: 403, json: refusal }),
  ),
  fault('unknown-token-crashes', 'A token that was never issued is answered with 500', () =>
    refusingFor('invalid', { status: 500, body: 'Internal Server Error' }),
  ),
  fault('second-endpoint-forbids', 'Another endpoint answers unauthorised requests with 403', () =>
    secondEndpointRefusingAs({ status: 403, json: refusal }),
  ),
];

/** The body of a 401 is not the error envelope. */
const envelopes: readonly Mutant[] = [
  fault('refusal-without-body', 'The 401 has no body', () => ({
    unauthorised: () => ({ status: 401 }),
  })),
  fault('refusal-as-page', 'The 401 is a page of the framework', () => ({
    unauthorised: () => htmlPage(401, '<!doctype html><h1>Unauthorized</h1>'),
  })),
  fault('refusal-as-text', 'The 401 is the word Unauthorized', () => ({
    unauthorised: () => ({ status: 401, body: 'Unauthorized' }),
  })),
  fault('refusal-cut', 'The JSON of the 401 ends before its end', () => ({
    unauthorised: () => ({ status: 401, body: JSON.stringify(refusal).slice(0, -1) }),
  })),
  fault('refusal-not-utf8', 'The 401 holds bytes that are not UTF-8', () => ({
    unauthorised: () => ({
      status: 401,
      body: Buffer.concat([
        Buffer.from('{"success":false,"hint":"\\u00e9'),
        Buffer.from([0xff, 0xfe]),
        Buffer.from(`","message":"${refusal.message}"}`),
      ]),
    }),
  })),
  refused('refusal-in-array', 'The 401 is an array around the envelope', { json: [refusal] }),
  refused('refusal-wrapped', 'The envelope of the 401 is inside a further object', {
    json: { error: refusal },
  }),
  refused(
    'refusal-success-text',
    'success is the text "false", which is true for a client that only checks its presence',
    { json: { ...refusal, success: 'false' } },
  ),
  refused('refusal-success-zero', 'success of the 401 is 0', { json: { ...refusal, success: 0 } }),
  refused('refusal-success-true', 'success of the 401 is true', {
    json: { ...refusal, success: true },
  }),
  refused('refusal-success-absent', 'The 401 does not say success', {
    json: { message: refusal.message },
  }),
  refused('refusal-message-absent', 'The 401 has no message', { json: { success: false } }),
  refused('refusal-message-null', 'The message of the 401 is null', {
    json: { success: false, message: null },
  }),
  refused('refusal-message-array', 'The message of the 401 is an array of one text', {
    json: { success: false, message: [refusal.message] },
  }),
];

/** A 401 has another message, or reveals the cause or the endpoint. */
const messages: readonly Mutant[] = [
  refused('other-message', 'The message of every 401 is Unauthorized', {
    json: { success: false, message: 'Unauthorized' },
  }),
  refused('message-without-full-stop', 'The message of every 401 lacks its full stop', {
    json: { success: false, message: 'Invalid or expired access token' },
  }),
  refused(
    'message-in-capitals',
    'The message of every 401 is spelt Invalid or Expired Access Token.',
    { json: { success: false, message: 'Invalid or Expired Access Token.' } },
  ),
  fault('missing-token-has-its-message', 'A missing token gets a message of its own', () =>
    refusingFor('missing', saying('No token provided.')),
  ),
  fault('expired-token-has-its-message', 'An expired token gets a message of its own', () =>
    refusingFor('expired', saying('Token expired.')),
  ),
  fault('second-endpoint-has-its-message', 'Another endpoint has a message of its own', () =>
    secondEndpointRefusingAs(saying('Please sign in.')),
  ),
  fault('cause-in-a-code', 'A further field tells a missing token from a wrong one', () => ({
    unauthorised: (cause) => ({
      status: 401,
      json: { ...refusal, code: cause === 'expired' ? 'invalid' : cause },
    }),
  })),
  fault('expiry-in-a-code', 'A further field tells an expired token from a wrong one', () => ({
    unauthorised: (cause) => ({
      status: 401,
      json: { ...refusal, code: cause === 'expired' ? 2 : 1 },
    }),
  })),
  fault('second-endpoint-says-more', 'Another endpoint has a further field in its 401', () => ({
    unauthorised: (_cause, call) => ({
      status: 401,
      json: call.path.endsWith('/reports') ? { ...refusal, help: 'see the manual' } : refusal,
    }),
  })),
  fault(
    'id-with-a-wrong-token-only',
    'A gateway refuses a missing token, and the service behind it adds an id to its own 401',
    () => ({
      unauthorised: (cause, call, state) =>
        cause === 'missing'
          ? right.unauthorised(cause, call, state)
          : { status: 401, json: { ...refusal, requestId: randomUUID() } },
    }),
  ),
];

/** The refusal of unauthorised requests is wrong for all of them, for a cause, or at an endpoint. */
export const refusalMutants: readonly Mutant[] = [...statuses, ...envelopes, ...messages];
