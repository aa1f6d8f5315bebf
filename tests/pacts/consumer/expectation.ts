import { STATUS_CODES } from 'node:http';
import { MatchersV3, type PactV4 } from '@pact-foundation/pact';
import { refusalMessage } from '../../../contract/admission.ts';
import type { ClauseId } from '../../../contract/clauses.ts';
import { tokenPath } from '../../../contract/http/request.ts';
import { placeholders, type ValueName } from '../../../pacts/states.ts';

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
