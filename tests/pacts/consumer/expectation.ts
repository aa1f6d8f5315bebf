import { STATUS_CODES } from 'node:http';
import { MatchersV3, type PactV4 } from '@pact-foundation/pact';
import { refusalMessage } from '../../../contract/admission.ts';
import type { ClauseId } from '../../../contract/clauses.ts';
import { tokenPath } from '../../../contract/http/request.ts';
import { placeholders, type ValueName } from '../../../pacts/states.ts';

const { fromProviderState, matchStatus, regex, string } = MatchersV3;

/** A value that the provider's state gives, under a scheme where one is named; the pact holds its placeholder. */
export function given(name: ValueName, scheme?: string) {
  const before = scheme === undefined ? '' : `${scheme} `;
  return fromProviderState(`${before}\${${name}}`, `${before}${placeholders[name]}`);
}

/** By these three a gateway says that the service is unavailable: they are no answer of its own. */
const gateway = [502, 503, 504];

/** Any status that is registered, but for those: the document leaves it open (OPEN-1, OPEN-2, OPEN-7). */
export const anyStatus = (example: number, but: readonly number[] = []) =>
  matchStatus(
    example,
    Object.keys(STATUS_CODES)
      .map(Number)
      .filter((status) => status >= 200 && ![...gateway, ...but].includes(status)),
  );

/** What an interaction is about: the clauses that its expectations stand for. */
export const about = (...clauses: readonly ClauseId[]) =>
  ['spec', 'clause', JSON.stringify(clauses)] as const;

/** What asks for a token. */
export const tokenRequest = ['POST', tokenPath] as const;
export const credentials = { apiKey: given('apiKey'), secretKey: given('secretKey') };

/** What asks for a protected endpoint, and the one answer to all who are unauthorised. */
export const endpointRequest = ['GET', given('path')] as const;
export const errorEnvelope = { success: false, message: refusalMessage };

/** An answer with a token, of which no more is known than that it is there. */
export const successEnvelope = {
  success: true,
  message: string('Access token generated.'),
  data: { accessToken: regex('.+', placeholders.accessToken) },
};

/** The interaction by which a caller comes to its token. */
export const tokenIssued = (pact: PactV4) =>
  pact
    .addInteraction()
    .uponReceiving('the credentials of an account')
    .given('an account')
    .reference(...about('TOKEN-1'))
    .withRequest(...tokenRequest, (request) => request.jsonBody(credentials))
    .willRespondWith(anyStatus(200), (response) => response.jsonBody(successEnvelope));
