import { Matchers, Pact } from '@pact-foundation/pact';

/** The pact of this program: all tests add to it, whatever file they are in. */
export const pact = new Pact({
  consumer: 'widget-report',
  provider: 'public-api',
  dir: 'pacts',
  logLevel: 'warn',
});

/** The provider fills in the token of each interaction's state; the pact holds the placeholder. */
export const authorization = Matchers.fromProviderState(
  'Bearer ${accessToken}',
  'Bearer <ACCESS_TOKEN>',
);
