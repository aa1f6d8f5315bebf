import { type Mutant, refusal, refusedAs } from './fault.ts';
import { refusingFor, secondEndpointRefusingAs } from './other-refusals.ts';

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
    make: () => refusingFor('missing', { status: 400, json: refusal }),
  },
  {
    name: 'other-scheme-is-a-bad-request',
    means: 'A request under another scheme is answered with 400',
    make: () => refusingFor('scheme', { status: 400, json: refusal }),
  },
  {
    name: 'expired-token-is-forbidden',
    means: 'An expired token is answered with 403',
    make: () => refusingFor('expired', { status: 403, json: refusal }),
  },
  {
    name: 'unknown-token-crashes',
    means: 'A token that was never issued is answered with 500',
    make: () => refusingFor('invalid', { status: 500, body: 'Internal Server Error' }),
  },
  {
    name: 'second-endpoint-forbids',
    means: 'Another endpoint answers unauthorised requests with 403',
    make: () => secondEndpointRefusingAs({ status: 403, json: refusal }),
  },
];
