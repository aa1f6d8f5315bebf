import { type Mutant, refusal, refusedAs } from './fault.ts';
import { everyEnd, everyRefusal, forgeries, without, withoutToken } from './probes.ts';

/** A refusal that is a refusal, but not the one of the contract. */
export const errorMutants: readonly Mutant[] = [
  {
    name: 'forbidden-instead',
    means: 'Every unauthorised request is answered with 403',
    breaks: ['ERROR-1'],
    caughtBy: everyRefusal,
    make: () => refusedAs({ status: 403 }),
  },
  {
    name: 'redirect-to-login',
    means: 'Unauthorised requests are redirected to a login page',
    breaks: ['ERROR-1'],
    caughtBy: everyRefusal,
    make: () => refusedAs({ status: 302, headers: { Location: '/login' } }),
  },
  {
    name: 'ok-with-error-envelope',
    means: 'Unauthorised requests are answered with 200 and the error envelope',
    breaks: ['ERROR-1'],
    caughtBy: everyRefusal,
    make: () => refusedAs({ status: 200 }),
  },
  {
    name: 'hidden-behind-not-found',
    means: 'Unauthorised requests are told that there is nothing',
    breaks: ['ERROR-1'],
    caughtBy: everyRefusal,
    make: () => refusedAs({ status: 404 }),
  },
  {
    name: 'missing-token-is-a-bad-request',
    means: 'A request without a token is answered with 400',
    breaks: ['ERROR-1'],
    caughtBy: [...withoutToken, 'a-made-up-token-is-refused'],
    make: (right) => ({
      unauthorised: (cause, call, state) =>
        cause === 'missing'
          ? { status: 400, json: refusal }
          : right.unauthorised(cause, call, state),
    }),
  },
  {
    name: 'other-scheme-is-a-bad-request',
    means: 'A request under another scheme is answered with 400',
    breaks: ['ERROR-1'],
    caughtBy: [
      'a-token-without-its-scheme-is-refused',
      'another-scheme-is-refused',
      'every-cause-gets-the-same-401',
      'the-credentials-open-no-endpoint',
    ],
    make: (right) => ({
      unauthorised: (cause, call, state) =>
        cause === 'scheme'
          ? { status: 400, json: refusal }
          : right.unauthorised(cause, call, state),
    }),
  },
  {
    name: 'expired-token-is-forbidden',
    means: 'An expired token is answered with 403',
    breaks: ['ERROR-1'],
    caughtBy: everyEnd,
    make: (right) => ({
      unauthorised: (cause, call, state) =>
        cause === 'expired'
          ? { status: 403, json: refusal }
          : right.unauthorised(cause, call, state),
    }),
  },
  {
    name: 'unknown-token-crashes',
    means: 'A token that nobody made is answered with 500',
    breaks: ['ERROR-1'],
    caughtBy: forgeries,
    make: (right) => ({
      unauthorised: (cause, call, state) =>
        cause === 'invalid'
          ? { status: 500, body: 'Internal Server Error' }
          : right.unauthorised(cause, call, state),
    }),
  },
  {
    name: 'second-endpoint-forbids',
    means: 'Another endpoint answers unauthorised requests with 403',
    breaks: ['ERROR-1'],
    caughtBy: without(everyRefusal, '24-hours-on-every-date'),
    make: (right) => ({
      unauthorised: (cause, call, state) =>
        call.path.endsWith('/reports')
          ? { status: 403, json: refusal }
          : right.unauthorised(cause, call, state),
    }),
  },
  {
    name: 'refusal-without-body',
    means: 'The 401 has no body',
    breaks: ['ERROR-2'],
    caughtBy: everyRefusal,
    make: () => ({ unauthorised: () => ({ status: 401 }) }),
  },
  {
    name: 'refusal-as-page',
    means: 'The 401 is a page of the framework',
    breaks: ['ERROR-2'],
    caughtBy: everyRefusal,
    make: () => ({
      unauthorised: () => ({
        status: 401,
        body: '<!doctype html><h1>Unauthorized</h1>',
        headers: { 'Content-Type': 'text/html' },
      }),
    }),
  },
  {
    name: 'refusal-as-text',
    means: 'The 401 is the word Unauthorized',
    breaks: ['ERROR-2'],
    caughtBy: everyRefusal,
    make: () => ({ unauthorised: () => ({ status: 401, body: 'Unauthorized' }) }),
  },
  {
    name: 'refusal-cut',
    means: 'The JSON of the 401 ends before its end',
    breaks: ['ERROR-2'],
    caughtBy: everyRefusal,
    make: () => ({
      unauthorised: () => ({ status: 401, body: JSON.stringify(refusal).slice(0, -1) }),
    }),
  },
  {
    name: 'refusal-not-utf8',
    means: 'The 401 holds bytes that are not UTF-8',
    breaks: ['ERROR-2'],
    caughtBy: everyRefusal,
    make: () => ({
      unauthorised: () => ({
        status: 401,
        body: Buffer.concat([
          Buffer.from('{"success":false,"hint":"\\u00e9'),
          Buffer.from([0xff, 0xfe]),
          Buffer.from(`","message":"${refusal.message}"}`),
        ]),
      }),
    }),
  },
  {
    name: 'refusal-in-array',
    means: 'The 401 is an array around the envelope',
    breaks: ['ERROR-2'],
    caughtBy: everyRefusal,
    make: () => refusedAs({ json: [refusal] }),
  },
  {
    name: 'refusal-wrapped',
    means: 'The envelope of the 401 is inside a further object',
    breaks: ['ERROR-2'],
    caughtBy: everyRefusal,
    make: () => refusedAs({ json: { error: refusal } }),
  },
  {
    name: 'refusal-success-text',
    means: 'success is the text "false", which is true for whoever only asks whether it is there',
    breaks: ['ERROR-2'],
    caughtBy: everyRefusal,
    make: () => refusedAs({ json: { ...refusal, success: 'false' } }),
  },
  {
    name: 'refusal-success-zero',
    means: 'success of the 401 is 0',
    breaks: ['ERROR-2'],
    caughtBy: everyRefusal,
    make: () => refusedAs({ json: { ...refusal, success: 0 } }),
  },
  {
    name: 'refusal-success-true',
    means: 'success of the 401 is true',
    breaks: ['ERROR-2'],
    caughtBy: everyRefusal,
    make: () => refusedAs({ json: { ...refusal, success: true } }),
  },
  {
    name: 'refusal-success-absent',
    means: 'The 401 does not say success',
    breaks: ['ERROR-2'],
    caughtBy: everyRefusal,
    make: () => refusedAs({ json: { message: refusal.message } }),
  },
  {
    name: 'refusal-message-absent',
    means: 'The 401 has no message',
    breaks: ['ERROR-2'],
    caughtBy: everyRefusal,
    make: () => refusedAs({ json: { success: false } }),
  },
  {
    name: 'refusal-message-null',
    means: 'The message of the 401 is null',
    breaks: ['ERROR-2'],
    caughtBy: everyRefusal,
    make: () => refusedAs({ json: { success: false, message: null } }),
  },
  {
    name: 'refusal-message-array',
    means: 'The message of the 401 is an array of one text',
    breaks: ['ERROR-2'],
    caughtBy: everyRefusal,
    make: () => refusedAs({ json: { success: false, message: [refusal.message] } }),
  },
  {
    name: 'other-message',
    means: 'The message of every 401 is Unauthorized',
    breaks: ['ERROR-3'],
    caughtBy: everyRefusal,
    make: () => refusedAs({ json: { success: false, message: 'Unauthorized' } }),
  },
  {
    name: 'message-without-full-stop',
    means: 'The message of every 401 lacks its full stop',
    breaks: ['ERROR-3'],
    caughtBy: everyRefusal,
    make: () => refusedAs({ json: { success: false, message: 'Invalid or expired access token' } }),
  },
  {
    name: 'message-in-capitals',
    means: 'The message of every 401 is spelt Invalid or Expired Access Token.',
    breaks: ['ERROR-3'],
    caughtBy: everyRefusal,
    make: () =>
      refusedAs({ json: { success: false, message: 'Invalid or Expired Access Token.' } }),
  },
  {
    name: 'missing-token-has-its-message',
    means: 'A missing token gets a message of its own',
    breaks: ['ERROR-3', 'ERROR-4'],
    caughtBy: [...withoutToken, 'a-made-up-token-is-refused'],
    make: (right) => ({
      unauthorised: (cause, call, state) =>
        cause === 'missing'
          ? { status: 401, json: { success: false, message: 'No token provided.' } }
          : right.unauthorised(cause, call, state),
    }),
  },
  {
    name: 'expired-token-has-its-message',
    means: 'An expired token gets a message of its own',
    breaks: ['ERROR-3', 'ERROR-4'],
    caughtBy: everyEnd,
    make: (right) => ({
      unauthorised: (cause, call, state) =>
        cause === 'expired'
          ? { status: 401, json: { success: false, message: 'Token expired.' } }
          : right.unauthorised(cause, call, state),
    }),
  },
  {
    name: 'second-endpoint-has-its-message',
    means: 'Another endpoint has a message of its own',
    breaks: ['ERROR-3', 'ERROR-4'],
    caughtBy: [
      ...without(everyRefusal, '24-hours-on-every-date'),
      'every-endpoint-gets-the-same-401',
    ],
    make: (right) => ({
      unauthorised: (cause, call, state) =>
        call.path.endsWith('/reports')
          ? { status: 401, json: { success: false, message: 'Please sign in.' } }
          : right.unauthorised(cause, call, state),
    }),
  },
  {
    name: 'cause-in-a-code',
    means: 'A further field tells a missing token from a wrong one',
    breaks: ['ERROR-4'],
    caughtBy: ['an-expired-token-gets-the-same-401', 'every-cause-gets-the-same-401'],
    make: () => ({
      unauthorised: (cause) => ({
        status: 401,
        json: { ...refusal, code: cause === 'expired' ? 'invalid' : cause },
      }),
    }),
  },
  {
    name: 'expiry-in-a-code',
    means: 'A further field tells an expired token from a wrong one',
    breaks: ['ERROR-4'],
    caughtBy: ['an-expired-token-gets-the-same-401'],
    make: () => ({
      unauthorised: (cause) => ({
        status: 401,
        json: { ...refusal, code: cause === 'expired' ? 2 : 1 },
      }),
    }),
  },
  {
    name: 'second-endpoint-says-more',
    means: 'Another endpoint has a further field in its 401',
    breaks: ['ERROR-4'],
    caughtBy: ['every-endpoint-gets-the-same-401'],
    make: () => ({
      unauthorised: (_cause, call) => ({
        status: 401,
        json: call.path.endsWith('/reports') ? { ...refusal, help: 'see the manual' } : refusal,
      }),
    }),
  },
];
