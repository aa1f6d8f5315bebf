import { randomUUID } from 'node:crypto';
import { right } from '../behaviour.ts';
import { type Mutant, refusal, refusedAs } from './fault.ts';
import { refusingFor, saying, secondEndpointRefusingAs } from './other-refusals.ts';

/** A 401 has another message, or reveals the cause or the endpoint. */
export const messageMutants: readonly Mutant[] = [
  {
    name: 'other-message',
    means: 'The message of every 401 is Unauthorized',
    make: () => refusedAs({ json: { success: false, message: 'Unauthorized' } }),
  },
  {
    name: 'message-without-full-stop',
    means: 'The message of every 401 lacks its full stop',
    make: () => refusedAs({ json: { success: false, message: 'Invalid or expired access token' } }),
  },
  {
    name: 'message-in-capitals',
    means: 'The message of every 401 is spelt Invalid or Expired Access Token.',
    make: () =>
      refusedAs({ json: { success: false, message: 'Invalid or Expired Access Token.' } }),
  },
  {
    name: 'missing-token-has-its-message',
    means: 'A missing token gets a message of its own',
    make: () => refusingFor('missing', saying('No token provided.')),
  },
  {
    name: 'expired-token-has-its-message',
    means: 'An expired token gets a message of its own',
    make: () => refusingFor('expired', saying('Token expired.')),
  },
  {
    name: 'second-endpoint-has-its-message',
    means: 'Another endpoint has a message of its own',
    make: () => secondEndpointRefusingAs(saying('Please sign in.')),
  },
  {
    name: 'cause-in-a-code',
    means: 'A further field tells a missing token from a wrong one',
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
    make: () => ({
      unauthorised: (_cause, call) => ({
        status: 401,
        json: call.path.endsWith('/reports') ? { ...refusal, help: 'see the manual' } : refusal,
      }),
    }),
  },
  {
    name: 'id-with-a-wrong-token-only',
    means: 'A gateway refuses a missing token, and the service behind it adds an id to its own 401',
    make: () => ({
      unauthorised: (cause, call, state) =>
        cause === 'missing'
          ? right.unauthorised(cause, call, state)
          : { status: 401, json: { ...refusal, requestId: randomUUID() } },
    }),
  },
];
