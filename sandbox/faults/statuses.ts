import { fault, type Mutant, refusal, refusedAs } from './fault.ts';
import { refusingFor, secondEndpointRefusingAs } from './other-refusals.ts';

/** A refusal has another status than 401. */
export const statusMutants: readonly Mutant[] = [
  fault('forbidden-instead', 'Every unauthorised request is answered with 403', () =>
    refusedAs({ status: 403 }),
  ),
  fault('redirect-to-login', 'Unauthorised requests are redirected to a login page', () =>
    refusedAs({ status: 302, headers: { Location: '/login' } }),
  ),
  fault(
    'ok-with-error-envelope',
    'Unauthorised requests are answered with 200 and the error envelope',
    () => refusedAs({ status: 200 }),
  ),
  fault(
    'hidden-behind-not-found',
    'Unauthorised requests get the answer of a missing resource',
    () => refusedAs({ status: 404 }),
  ),
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
