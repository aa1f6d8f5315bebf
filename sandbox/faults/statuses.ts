import { type Mutant, refusal, refusedAs } from './fault.ts';

/** A refusal has another status than 401. */
export const statusMutants: readonly Mutant[] = [
  {
    name: 'forbidden-instead',
    means: 'Every unauthorised request is answered with 403',
    make: () => refusedAs({ status: 403 }),
  },
  {
    name: 'redirect-to-login',
    means: 'Unauthorised requests are redirected to a login page',
    make: () => refusedAs({ status: 302, headers: { Location: '/login' } }),
  },
  {
    name: 'ok-with-error-envelope',
    means: 'Unauthorised requests are answered with 200 and the error envelope',
    make: () => refusedAs({ status: 200 }),
  },
  {
    name: 'hidden-behind-not-found',
    means: 'Unauthorised requests get the answer of a missing resource',
    make: () => refusedAs({ status: 404 }),
  },
  {
    name: 'missing-token-is-a-bad-request',
    means: 'A request without a token is answered with 400',
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
    make: (right) => ({
      unauthorised: (cause, call, state) =>
        cause === 'expired'
          ? { status: 403, json: refusal }
          : right.unauthorised(cause, call, state),
    }),
  },
  {
    name: 'unknown-token-crashes',
    means: 'A token that was never issued is answered with 500',
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
    make: (right) => ({
      unauthorised: (cause, call, state) =>
        call.path.endsWith('/reports')
          ? { status: 403, json: refusal }
          : right.unauthorised(cause, call, state),
    }),
  },
];
