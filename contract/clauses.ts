/**
 * The register of the contract: every clause once, in the sentence that test titles, reports, metrics,
 * the status page and contract/README.md all print. Ids are fixed: people quote them.
 *
 * - `must`: the provider violates the contract when it does not hold. Checked by probes.
 * - `duty`: what a caller owes the provider, and so this project's own client. Checked by its tests.
 * - `open`: the contract says nothing. Observed, never judged.
 */
type Level = 'must' | 'duty' | 'open';

const register = [
  [
    'TOKEN-1',
    'must',
    'Valid credentials, POSTed as JSON to the token endpoint, are answered by the success envelope with an access token',
    'Endpoints; Success response envelope',
  ],
  [
    'TOKEN-2',
    'must',
    'Only a valid pair of API key and secret key gets a token',
    'Authentication 4; States and transitions',
  ],
  [
    'TOKEN-3',
    'must',
    'Both fields are required strings: a body in which one is absent, empty, null or another type gets no token',
    'Token request body',
  ],
  ['TOKEN-4', 'must', 'A token is valid from the moment it is generated', 'States and transitions'],
  [
    'BEARER-1',
    'must',
    'A request with a valid Bearer token is authorised, on every protected endpoint and as often as it is sent',
    'Protected endpoints; Authentication 5',
  ],
  [
    'BEARER-2',
    'must',
    'Without the token in the Authorization header a request is refused, wherever else a token travels',
    'Errors',
  ],
  ['BEARER-3', 'must', 'A token that the service did not generate is refused', 'Errors'],
  ['BEARER-4', 'must', 'A valid token under another scheme, or under none, is refused', 'Errors'],
  [
    'BEARER-5',
    'must',
    'The API key and the secret key open nothing but the token endpoint',
    'Authentication 6',
  ],
  [
    'BEARER-6',
    'must',
    'A refused request changes nothing: tokens that were valid before it still are',
    'States and transitions',
  ],
  ['ERROR-1', 'must', 'A refused request is answered with status 401', 'Errors'],
  [
    'ERROR-2',
    'must',
    'The body of a 401 is a JSON object with success false and a message that is a string',
    'Error response body',
  ],
  [
    'ERROR-3',
    'must',
    'The message of a 401 is exactly "Invalid or expired access token."',
    'Errors',
  ],
  [
    'ERROR-4',
    'must',
    'The 401 has the same status and body for every cause, endpoint and method',
    'Errors',
  ],
  [
    'EXPIRY-1',
    'must',
    'A token is valid until 24 hours have elapsed since it was generated',
    'Limits; States and transitions',
  ],
  [
    'EXPIRY-2',
    'must',
    'Once 24 hours have elapsed a token is expired, at that very instant and after it',
    'States and transitions',
  ],
  ['EXPIRY-3', 'must', 'Using a token does not move its expiry', 'States and transitions'],
  [
    'EXPIRY-4',
    'must',
    'Every token has its own 24 hours: generating another one changes nothing for it',
    'Limits',
  ],
  [
    'EXPIRY-5',
    'must',
    'Expired is final: hours, days and a year later the token is still expired',
    'States and transitions',
  ],
  [
    'EXPIRY-6',
    'must',
    'After expiry the same credentials generate a new token, and calls go on with it',
    'What the service does; Authentication 7',
  ],
  [
    'EXPIRY-7',
    'must',
    '24 hours are elapsed time on every date: across daylight saving, leap days, ends of months and years, and 2038',
    'Limits',
  ],
  [
    'CALLER-1',
    'duty',
    'The API key and the secret key are sent to the token endpoint only',
    'Authentication 6',
  ],
  [
    'CALLER-2',
    'duty',
    'Keys, secrets and tokens appear in nothing that is printed, stored, reported, exported or committed',
    'Authentication 8',
  ],
  [
    'CALLER-3',
    'duty',
    'When a token expires or a 401 arrives, a new token is generated and calling goes on',
    'What the service does; Errors',
  ],
  [
    'VERSION-1',
    'duty',
    'Every path called begins with /public-api/v1/ under the base address',
    'Versioning',
  ],
  ['OPEN-1', 'open', 'The status code of a successful token response', 'Generate access token'],
  [
    'OPEN-2',
    'open',
    'The status and body of the answer to invalid or incomplete credentials',
    'Errors',
  ],
  [
    'OPEN-3',
    'open',
    'The text of the success message, and further fields in either envelope',
    'Success response envelope',
  ],
  [
    'OPEN-4',
    'open',
    'The form of the token, and whether two tokens of the same second differ',
    'Success response envelope',
  ],
  [
    'OPEN-5',
    'open',
    'Headers: content type beyond being JSON, WWW-Authenticate, caching, rate limits',
    'Errors',
  ],
  [
    'OPEN-6',
    'open',
    'Whether the case of the scheme matters, and whether extra spaces are forgiven',
    'Authentication 5',
  ],
  [
    'OPEN-7',
    'open',
    'The protected endpoints, their methods, parameters and payloads',
    'Protected endpoints',
  ],
  ['OPEN-8', 'open', 'Rate limits, size limits and pagination', 'Limits'],
  [
    'OPEN-9',
    'open',
    'Other status and error codes, and other methods on the token endpoint',
    'Errors',
  ],
  [
    'OPEN-10',
    'open',
    'Events, version policy, the lifecycle of accounts, subscriptions and keys',
    'Events; Versioning',
  ],
] as const satisfies readonly (readonly [string, Level, string, string])[];

type Row = (typeof register)[number];
/** An id of any clause. */
export type ClauseId = Row[0];
/** An id of a clause that a provider must keep. */
export type MustId = Extract<Row, readonly [string, 'must', ...string[]]>[0];
/** An id of a point that the contract leaves open. */
export type OpenId = Extract<Row, readonly [string, 'open', ...string[]]>[0];

/** One clause: its sentence, and the section of contract/README.md that it comes from. */
export interface Clause<Id extends ClauseId = ClauseId> {
  readonly id: Id;
  readonly level: Level;
  readonly text: string;
  readonly source: string;
}

/** All clauses, in the order of the contract. */
export const clauses: readonly Clause[] = register.map(([id, level, text, source]) => ({
  id,
  level,
  text,
  source,
}));

/** The clauses that a provider must keep, in the order of the contract. */
export const mustHold = clauses.filter(
  (clause): clause is Clause<MustId> => clause.level === 'must',
);

const byId = new Map(clauses.map((clause) => [clause.id, clause]));

/** The clause of that id. */
export function clauseOf(id: ClauseId): Clause {
  const clause = byId.get(id);
  if (clause === undefined) throw new Error(`no clause ${id}`);
  return clause;
}
