import { STATUS_CODES } from 'node:http';
import path from 'node:path';
import { MatchersV3, PactV4 } from '@pact-foundation/pact';
import { test as base, expect } from '@playwright/test';
import { refusalMessage } from '../../../contract/admission.ts';
import type { ClauseId } from '../../../contract/clauses.ts';
import { openClient } from '../../../contract/http/client.ts';
import { Pace } from '../../../contract/http/pace.ts';
import { tokenPath } from '../../../contract/http/request.ts';
import { Secret } from '../../../contract/secrets/secret.ts';
import { placeholders, type ValueName } from '../../../pacts/states.ts';

/** Pact reports its usage unless this is set. */
process.env.PACT_DO_NOT_TRACK = 'true';

/** Tests get the `pact` of the monitor. It is written below the folder that Playwright empties at its start. */
export const test = base.extend<{ pact: PactV4 }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of the fixtures from it.
  pact: async ({}, use, { project }) => {
    await use(
      new PactV4({
        consumer: 'public-api-monitor',
        provider: 'public-api',
        dir: path.join(project.outputDir, 'pacts'),
        logLevel: 'error',
      }),
    );
  },
});

/** The monitor's own client, connected to the mock server of a pact. All values that it knows are placeholders. */
export function clientOf({ url }: { readonly url: string }) {
  const account = {
    apiKey: new Secret(placeholders.apiKey),
    secretKey: new Secret(placeholders.secretKey),
  };
  const connection = { origin: new URL(url), timeoutMs: 5000, maxBodyBytes: 1_000_000 };
  const pace = new Pace({ maxRetryAfterMs: 0 });
  return { client: openClient({ connection, account, pace, now: () => 0 }), account };
}

const { fromProviderState, matchStatus, regex, string } = MatchersV3;

/** A value from the provider's state, with a scheme if one is given. The pact contains its placeholder. */
export function given(name: ValueName, scheme?: string) {
  const before = scheme === undefined ? '' : `${scheme} `;
  return fromProviderState(`${before}\${${name}}`, `${before}${placeholders[name]}`);
}

/** With these three a gateway reports that the service is unavailable: they are not answers of the service. */
const gateway = [502, 503, 504];

/** Any registered status except those: the document does not specify it (OPEN-1, OPEN-2, OPEN-7). */
export const anyStatus = (example: number, but: readonly number[] = []) =>
  matchStatus(
    example,
    Object.keys(STATUS_CODES)
      .map(Number)
      .filter((status) => status >= 200 && ![...gateway, ...but].includes(status)),
  );

export const about = (...clauses: readonly ClauseId[]) =>
  ['spec', 'clause', JSON.stringify(clauses)] as const;

export const tokenRequest = ['POST', tokenPath] as const;
export const credentials = { apiKey: given('apiKey'), secretKey: given('secretKey') };

/** The request to a protected endpoint, and the one answer to all unauthorised requests. */
export const endpointRequest = ['GET', given('path')] as const;
export const errorEnvelope = { success: false, message: refusalMessage };

/** An answer with a token. Nothing else is known about the token. */
export const successEnvelope = {
  success: true,
  message: string('Access token generated.'),
  data: { accessToken: regex('.+', placeholders.accessToken) },
};

/** The interaction in which a caller gets its token. */
export const tokenIssued = (pact: PactV4) =>
  pact
    .addInteraction()
    .uponReceiving('the credentials of an account')
    .given('an account')
    .reference(...about('TOKEN-1'))
    .withRequest(...tokenRequest, (request) => request.jsonBody(credentials))
    .willRespondWith(anyStatus(200), (response) => response.jsonBody(successEnvelope));

export { expect };
