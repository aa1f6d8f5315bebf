import { randomUUID } from 'node:crypto';
import { right } from '../behaviour.ts';
import { fault, type Mutant, refusal, refusedAs } from './fault.ts';
import { refusingFor, saying, secondEndpointRefusingAs } from './other-refusals.ts';

/** A 401 has another message, or reveals the cause or the endpoint. */
export const messageMutants: readonly Mutant[] = [
  fault('other-message', 'The message of every 401 is Unauthorized', () =>
    refusedAs({ json: { success: false, message: 'Unauthorized' } }),
  ),
  fault('message-without-full-stop', 'The message of every 401 lacks its full stop', () =>
    refusedAs({ json: { success: false, message: 'Invalid or expired access token' } }),
  ),
  fault(
    'message-in-capitals',
    'The message of every 401 is spelt Invalid or Expired Access Token.',
    () => refusedAs({ json: { success: false, message: 'Invalid or Expired Access Token.' } }),
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
