import { Matchers, Pact } from '@pact-foundation/pact';

/** The pact of this program. The tests of all files add to it. */
export const pact = new Pact({
  consumer: 'widget-report',
  provider: 'public-api',
  dir: 'pacts',
  logLevel: 'warn',
});

/** The pact holds the placeholder. During verification the token of the interaction's state replaces it. */
export const authorization = Matchers.fromProviderState(
  'Bearer ${accessToken}',
  'Bearer <ACCESS_TOKEN>',
);
