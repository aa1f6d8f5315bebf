import type { Secret } from '../contract/secrets/secret.ts';
import { brokerAddress, line, plainAddress } from './accepted.ts';
import { credential, credentialFile } from './files.ts';
import { recommendedSelectors, type Selector, versionSelectors } from './selectors.ts';
import { setting } from './setting.ts';

/** Settings of the pact commands only. */
export const pactTable = {
  brokerUrl: setting<URL>(
    'PACT_BROKER_BASE_URL',
    'Address of the Pact Broker; this and the following settings are read by the pact commands only',
    'none',
    brokerAddress,
  ),
  brokerToken: setting<Secret>(
    'PACT_BROKER_TOKEN',
    'Token for the Pact Broker, or use a user name and a password',
    'none',
    credential,
  ),
  brokerTokenFile: setting<Secret>(
    'PACT_BROKER_TOKEN_FILE',
    'File to read that token from instead',
    'none',
    credentialFile,
  ),
  brokerUsername: setting<string>(
    'PACT_BROKER_USERNAME',
    'User name at the Pact Broker',
    'none',
    line,
  ),
  brokerPassword: setting<Secret>(
    'PACT_BROKER_PASSWORD',
    'Password of that user',
    'none',
    credential,
  ),
  brokerPasswordFile: setting<Secret>(
    'PACT_BROKER_PASSWORD_FILE',
    'File to read that password from instead',
    'none',
    credentialFile,
  ),
  pactUrl: setting<URL>(
    'PACT_URL',
    'The one pact to verify, as a webhook of the Pact Broker names it',
    'none',
    plainAddress,
  ),
  selectors: setting<readonly Selector[]>(
    'PACT_CONSUMER_VERSION_SELECTORS',
    'Consumer versions whose pacts are verified, as the Pact Broker selects them',
    recommendedSelectors,
    versionSelectors,
  ),
  providerName: setting<string>(
    'PACT_PROVIDER_NAME',
    'Name of the provider in pacts and at the Pact Broker',
    'public-api',
    line,
  ),
  statesUrl: setting<URL>(
    'PACT_STATES_URL',
    "Address of the provider team's own state handler, for provider states that this project does not know",
    'none',
    plainAddress,
  ),
  commit: setting<string>(
    'GIT_COMMIT',
    'Version of the consumer or provider at the Pact Broker',
    'the commit that is built or checked out',
    line,
  ),
  branch: setting<string>(
    'GIT_BRANCH',
    'Branch of that version',
    'the branch of that commit',
    line,
  ),
};
