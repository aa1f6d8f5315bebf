import type { Probe } from '../contract/probe.ts';
import * as afterTheEnd from './after-the-end.ts';
import * as bearer from './bearer.ts';
import * as dates from './dates.ts';
import * as end from './end.ts';
import * as error from './error.ts';
import * as openFacts from './open-facts.ts';
import * as ownEnd from './own-end.ts';
import * as token from './token.ts';
import * as waysIn from './ways-in.ts';

/** All probes, in reading order: the contract from its first clause to its last, then the open facts. */
export const probes: readonly Probe[] = [
  token.rightCredentialsGetAToken,
  token.anySpellingOfTheJsonGetsAToken,
  token.wrongCredentialsGetNoToken,
  token.incompleteCredentialsGetNoToken,
  bearer.aTokenOpensTheEndpoint,
  bearer.aTokenIsGoodForManyUses,
  bearer.everyEndpointIsGuarded,
  bearer.aRequestWithoutATokenIsRefused,
  bearer.aTokenInQueryCookieHeaderOrBodyIsRefused,
  bearer.anotherTokenIsRefused,
  bearer.aForgedJwtIsRefused,
  bearer.anotherSchemeIsRefused,
  bearer.theCredentialsOpenNoEndpoint,
  waysIn.refusedRequestsChangeNothing,
  waysIn.aStormOfRefusalsLetsNobodyIn,
  waysIn.anotherPathOrMethodIsNoWayIn,
  waysIn.aTrustedHeaderIsNoWayIn,
  waysIn.anEarlierRequestIsNoWayIn,
  error.everyCauseGetsTheSame401,
  error.everyEndpointGetsTheSame401,
  error.theEnvelopeDoesNotDependOnTheRequest,
  error.theEnvelopeDoesNotDependOnTheHour,
  ownEnd.anotherTokenLeavesTheFirstAlive,
  end.aTokenLives24Hours,
  end.theEndIsExact,
  end.anExpiredTokenGetsTheSame401,
  end.anExpiredTokenIsNoWayIn,
  afterTheEnd.expiredIsFinal,
  afterTheEnd.noAnswerRenewsAToken,
  ownEnd.useMovesNothing,
  ownEnd.everyTokenHasItsOwnEnd,
  ownEnd.manyTokensLiveAtOnce,
  afterTheEnd.aNewTokenFollowsTheExpiredOne,
  dates.on24HoursOnEveryDate,
  openFacts.openFactsOfRefusedCredentials,
  openFacts.openFactsOfTheEndpoints,
];
