/*
 * The register of the contract: every clause once, in the sentence that test titles, reports, metrics, the status page
 * and contract/README.md all print; behind it, the sections of contract/README.md that it comes from. Ids are fixed:
 * people quote them.
 */

/** The provider violates the contract when one of these does not hold. Checked by probes. */
const must = {
  'TOKEN-1': `Valid credentials, POSTed as JSON to the token endpoint, are answered by the success envelope with an
    access token | Endpoints; Success response envelope`,
  'TOKEN-2': `Only a valid pair of API key and secret key gets a token | Authentication 4; States and transitions`,
  'TOKEN-3': `Both fields are required strings: a body in which one is absent, empty, null or another type gets no
    token | Token request body`,
  'TOKEN-4': 'A token is valid from the moment it is generated | States and transitions',
  'BEARER-1': `A request with a valid Bearer token is authorised, on every protected endpoint and as often as it is
    sent | Protected endpoints; Authentication 5`,
  'BEARER-2': `Without the token in the Authorization header a request is refused, wherever else a token travels |
    Errors`,
  'BEARER-3': 'A token that the service did not generate is refused | Errors',
  'BEARER-4': 'A valid token under another scheme, or under none, is refused | Errors',
  'BEARER-5': `The API key and the secret key open nothing but the token endpoint | Authentication 6`,
  'BEARER-6': `A refused request changes nothing: tokens that were valid before it still are | States and transitions`,
  'ERROR-1': 'A refused request is answered with status 401 | Errors',
  'ERROR-2': `The body of a 401 is a JSON object with success false and a message that is a string | Error response
    body`,
  'ERROR-3': 'The message of a 401 is exactly "Invalid or expired access token." | Errors',
  'ERROR-4': 'The 401 has the same status and body for every cause, endpoint and method | Errors',
  'EXPIRY-1': `A token is valid until 24 hours have elapsed since it was generated | Limits; States and transitions`,
  'EXPIRY-2': `Once 24 hours have elapsed a token is expired, at that very instant and after it | States and
    transitions`,
  'EXPIRY-3': 'Using a token does not move its expiry | States and transitions',
  'EXPIRY-4': `Every token has its own 24 hours: generating another one changes nothing for it | Limits`,
  'EXPIRY-5': `Expired is final: hours, days and a year later the token is still expired | States and transitions`,
  'EXPIRY-6': `After expiry the same credentials generate a new token, and calls go on with it | What the service
    does; Authentication 7`,
  'EXPIRY-7': `24 hours are elapsed time on every date: across daylight saving, leap days, ends of months and years,
    and 2038 | Limits`,
};

/** What a caller owes the provider, and so this project's own client. Checked by its tests. */
const duties = {
  'CALLER-1': `The API key and the secret key are sent to the token endpoint only | Authentication 6`,
  'CALLER-2': `Keys, secrets and tokens appear in nothing that is printed, stored, reported, exported or committed |
    Authentication 8`,
  'CALLER-3': `When a token expires or a 401 arrives, a new token is generated and calling goes on | What the service
    does; Errors`,
  'VERSION-1': 'Every path called begins with /public-api/v1/ under the base address | Versioning',
};

/** The contract says nothing. Observed, never judged. */
const open = {
  'OPEN-1': 'The status code of a successful token response | Generate access token',
  'OPEN-2': 'The status and body of the answer to invalid or incomplete credentials | Errors',
  'OPEN-3': `The text of the success message, and further fields in either envelope | Success response envelope`,
  'OPEN-4': `The form of the token, and whether two tokens of the same second differ | Success response envelope`,
  'OPEN-5': `Headers: content type beyond being JSON, WWW-Authenticate, caching, rate limits | Errors`,
  'OPEN-6': `Whether the case of the scheme matters, and whether extra spaces are forgiven | Authentication 5`,
  'OPEN-7': 'The protected endpoints, their methods, parameters and payloads | Protected endpoints',
  'OPEN-8': 'Rate limits, size limits and pagination | Limits',
  'OPEN-9': 'Other status and error codes, and other methods on the token endpoint | Errors',
  'OPEN-10': `Events, version policy, the lifecycle of accounts, subscriptions and keys | Events; Versioning`,
};

export type MustId = keyof typeof must;
export type OpenId = keyof typeof open;
export type ClauseId = MustId | keyof typeof duties | OpenId;

export interface Clause<Id extends ClauseId = ClauseId> {
  readonly id: Id;
  readonly text: string;
  readonly source: string;
}

const clausesOf = <Id extends ClauseId>(texts: Readonly<Record<Id, string>>): Clause<Id>[] =>
  (Object.keys(texts) as Id[]).map((id) => {
    const [text = '', source = ''] = texts[id].replace(/\s+/g, ' ').split(' | ');
    return { id, text, source };
  });

/** The clauses that a provider must keep, in the order of the contract. */
export const mustHold: readonly Clause<MustId>[] = clausesOf(must);

/** What the contract leaves open, in its order. */
export const leftOpen: readonly Clause<OpenId>[] = clausesOf(open);

/** All clauses, in the order of the contract. */
export const clauses: readonly Clause[] = [...mustHold, ...clausesOf(duties), ...leftOpen];
