import { brokerAddress, line, plainAddress } from './accepted.ts';
import { credential, credentialFile } from './files.ts';
import { recommendedSelectors, versionSelectors } from './selectors.ts';
import { setting } from './setting.ts';

/** Settings of the pact commands only. */
export const pactTable = {
  brokerUrl: setting(
    'PACT_BROKER_BASE_URL',
    'Address of the Pact Broker; this and the following settings are read by the pact commands only',
    brokerAddress,
  ),
  brokerToken: setting(
    'PACT_BROKER_TOKEN',
    'Token for the Pact Broker, or use a user name and a password',
    credential,
  ),
  brokerTokenFile: setting(
    'PACT_BROKER_TOKEN_FILE',
    'File to read that token from instead',
    credentialFile,
  ),
  brokerUsername: setting('PACT_BROKER_USERNAME', 'User name at the Pact Broker', line),
  brokerPassword: setting('PACT_BROKER_PASSWORD', 'Password of that user', credential),
  brokerPasswordFile: setting(
    'PACT_BROKER_PASSWORD_FILE',
    'File to read that password from instead',
    credentialFile,
  ),
  pactUrl: setting(
    'PACT_URL',
    'The one pact to verify, as a webhook of the Pact Broker names it',
    plainAddress,
  ),
  selectors: setting(
    'PACT_CONSUMER_VERSION_SELECTORS',
    'Consumer versions whose pacts are verified, as the Pact Broker selects them',
    versionSelectors,
    recommendedSelectors,
  ),
  providerName: setting(
    'PACT_PROVIDER_NAME',
    'Name of the provider in pacts and at the Pact Broker',
    line,
    'public-api',
  ),
  statesUrl: setting(
    'PACT_STATES_URL',
    "Address of the provider team's own state handler, for provider states that this project does not know",
    plainAddress,
  ),
  commit: setting(
    'GIT_COMMIT',
    'Version of the provider at the Pact Broker',
    line,
    'the commit that is built or checked out',
  ),
  branch: setting('GIT_BRANCH', 'Branch of that version', line, 'the branch of that commit'),
};
