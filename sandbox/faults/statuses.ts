import { type Mutant, refusal, refusedAs } from './fault.ts';
import { everyEnd, everyRefusal, forgeries, without, withoutToken } from './probes.ts';

/** A refusal has another status than 401. */
export const statusMutants: readonly Mutant[] = [
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
];
