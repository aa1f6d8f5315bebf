import type { Probe } from '../contract/probe.ts';
import { on24HoursOnEveryDate } from './24-hours-on-every-date.ts';
import { aForgedJwtIsRefused } from './a-forged-jwt-is-refused.ts';
import { aNewTokenFollowsTheExpiredOne } from './a-new-token-follows-the-expired-one.ts';
import { aRequestWithoutATokenIsRefused } from './a-request-without-a-token-is-refused.ts';
import { aStormOfRefusalsLetsNobodyIn } from './a-storm-of-refusals-lets-nobody-in.ts';
import { aTokenInQueryCookieHeaderOrBodyIsRefused } from './a-token-in-query-cookie-header-or-body-is-refused.ts';
import { aTokenIsGoodForManyUses } from './a-token-is-good-for-many-uses.ts';
import { aTokenLives24Hours } from './a-token-lives-24-hours.ts';
import { aTokenOpensTheEndpoint } from './a-token-opens-the-endpoint.ts';
import { aTrustedHeaderIsNoWayIn } from './a-trusted-header-is-no-way-in.ts';
import { anEarlierRequestIsNoWayIn } from './an-earlier-request-is-no-way-in.ts';
import { anExpiredTokenGetsTheSame401 } from './an-expired-token-gets-the-same-401.ts';
import { anExpiredTokenIsNoWayIn } from './an-expired-token-is-no-way-in.ts';
import { anotherPathOrMethodIsNoWayIn } from './another-path-or-method-is-no-way-in.ts';
import { anotherSchemeIsRefused } from './another-scheme-is-refused.ts';
import { anotherTokenIsRefused } from './another-token-is-refused.ts';
import { anotherTokenLeavesTheFirstAlive } from './another-token-leaves-the-first-alive.ts';
import { anySpellingOfTheJsonGetsAToken } from './any-spelling-of-the-json-gets-a-token.ts';
import { everyCauseGetsTheSame401 } from './every-cause-gets-the-same-401.ts';
import { everyEndpointGetsTheSame401 } from './every-endpoint-gets-the-same-401.ts';
import { everyEndpointIsGuarded } from './every-endpoint-is-guarded.ts';
import { everyTokenHasItsOwnEnd } from './every-token-has-its-own-end.ts';
import { expiredIsFinal } from './expired-is-final.ts';
import { incompleteCredentialsGetNoToken } from './incomplete-credentials-get-no-token.ts';
import { manyTokensLiveAtOnce } from './many-tokens-live-at-once.ts';
import { noAnswerRenewsAToken } from './no-answer-renews-a-token.ts';
import { openFactsOfRefusedCredentials } from './open-facts-of-refused-credentials.ts';
import { openFactsOfTheEndpoints } from './open-facts-of-the-endpoints.ts';
import { refusedRequestsChangeNothing } from './refused-requests-change-nothing.ts';
import { rightCredentialsGetAToken } from './right-credentials-get-a-token.ts';
import { theCredentialsOpenNoEndpoint } from './the-credentials-open-no-endpoint.ts';
import { theEndIsExact } from './the-end-is-exact.ts';
import { theEnvelopeDoesNotDependOnTheHour } from './the-envelope-does-not-depend-on-the-hour.ts';
import { theEnvelopeDoesNotDependOnTheRequest } from './the-envelope-does-not-depend-on-the-request.ts';
import { useMovesNothing } from './use-moves-nothing.ts';
import { wrongCredentialsGetNoToken } from './wrong-credentials-get-no-token.ts';

/** All probes, in reading order: the contract from its first clause to its last, then the open facts. */
export const probes: readonly Probe[] = [
  rightCredentialsGetAToken,
  anySpellingOfTheJsonGetsAToken,
  wrongCredentialsGetNoToken,
  incompleteCredentialsGetNoToken,
  aTokenOpensTheEndpoint,
  aTokenIsGoodForManyUses,
  everyEndpointIsGuarded,
  aRequestWithoutATokenIsRefused,
  aTokenInQueryCookieHeaderOrBodyIsRefused,
  anotherTokenIsRefused,
  aForgedJwtIsRefused,
  anotherSchemeIsRefused,
  theCredentialsOpenNoEndpoint,
  refusedRequestsChangeNothing,
  aStormOfRefusalsLetsNobodyIn,
  anotherPathOrMethodIsNoWayIn,
  aTrustedHeaderIsNoWayIn,
  anEarlierRequestIsNoWayIn,
  everyCauseGetsTheSame401,
  everyEndpointGetsTheSame401,
  theEnvelopeDoesNotDependOnTheRequest,
  theEnvelopeDoesNotDependOnTheHour,
  anotherTokenLeavesTheFirstAlive,
  aTokenLives24Hours,
  theEndIsExact,
  anExpiredTokenGetsTheSame401,
  anExpiredTokenIsNoWayIn,
  expiredIsFinal,
  noAnswerRenewsAToken,
  useMovesNothing,
  everyTokenHasItsOwnEnd,
  manyTokensLiveAtOnce,
  aNewTokenFollowsTheExpiredOne,
  on24HoursOnEveryDate,
  openFactsOfRefusedCredentials,
  openFactsOfTheEndpoints,
];
