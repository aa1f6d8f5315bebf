import { generateKeyPairSync } from 'node:crypto';
import { credentialPlaces } from '../../contract/attempts/credential-places.ts';
import { type CredentialAttempt, wrongPairs } from '../../contract/attempts/credentials.ts';
import { type Deviation, merged } from '../../contract/attempts/deviation.ts';
import { headerWays, wireWays } from '../../contract/attempts/headers.ts';
import { incompleteCredentials } from '../../contract/attempts/incomplete-credentials.ts';
import { type Guess, optionsOf } from '../../contract/attempts/items.ts';
import { encoded } from '../../contract/attempts/jwt.ts';
import { jwtForgeries } from '../../contract/attempts/jwt-forgeries.ts';
import { methodWays, pathWays, queryWays } from '../../contract/attempts/paths.ts';
import { tokenPlaces, tokenSchemes } from '../../contract/attempts/token-places.ts';
import { otherTokens } from '../../contract/attempts/tokens.ts';
import { badTokens, ordinaryVariations, variationsOf } from '../../contract/attempts/variations.ts';
import { tokenEndpoint } from '../../contract/http/request.ts';
import { type Account, Secret, seal } from '../../contract/secrets/secret.ts';
import type { Forgery } from '../../contract/token-form.ts';
import { aForgedJwtIsRefused } from '../../probes/a-forged-jwt-is-refused.ts';
import { aTokenInQueryCookieHeaderOrBodyIsRefused } from '../../probes/a-token-in-query-cookie-header-or-body-is-refused.ts';
import { aTokenIsGoodForManyUses } from '../../probes/a-token-is-good-for-many-uses.ts';
import { aTrustedHeaderIsNoWayIn } from '../../probes/a-trusted-header-is-no-way-in.ts';
import { anotherPathOrMethodIsNoWayIn } from '../../probes/another-path-or-method-is-no-way-in.ts';
import { anotherSchemeIsRefused } from '../../probes/another-scheme-is-refused.ts';
import { anotherTokenIsRefused } from '../../probes/another-token-is-refused.ts';
import { incompleteCredentialsGetNoToken } from '../../probes/incomplete-credentials-get-no-token.ts';
import { theCredentialsOpenNoEndpoint } from '../../probes/the-credentials-open-no-endpoint.ts';
import { theEnvelopeDoesNotDependOnTheRequest } from '../../probes/the-envelope-does-not-depend-on-the-request.ts';
import { wrongCredentialsGetNoToken } from '../../probes/wrong-credentials-get-no-token.ts';
import { right } from '../../sandbox/behaviour.ts';
import { sandboxAccount } from '../../sandbox/provider.ts';
import { issue } from './fault.ts';
import { type Row, type RowList, widgets } from './rows.ts';

const opaque = 'Vb3mKq81-ZtR_0aLw7YxPd5HcGs2NuEo';
/** A token with each sign that separates parts, but for the dot, and with a time. */
const parted = 'v1|aB3d:Ef6g_1795600000-Hi9j~kL|mN:oP_qR-sT~uV';
const { publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
/** A token in the form of a JWT, with its public key. The sandbox compares only its text. */
const jwt = [
  encoded({ alg: 'ES256', typ: 'JWT', jwk: publicKey.export({ format: 'jwk' }) }),
  encoded({ sub: 'client-1', iat: 1_795_600_000, exp: 1_795_686_400, jti: 'aB3dEf6g' }),
  opaque.repeat(2),
].join('.');

const digits = { apiKey: '4711004711', secretKey: '90210090210' };
const sealed = ({ apiKey, secretKey }: typeof digits): Account => ({
  apiKey: new Secret(apiKey),
  secretKey: new Secret(secretKey),
});

/** The sandbox's answers have them, so that preconditions can name them. */
const validators = { ETag: '"1"', 'Last-Modified': 'Wed, 20 May 2026 09:00:00 GMT' };

const deviating = (ways: readonly (readonly Deviation[])[]): Row[] =>
  ways.flat().map((deviation) => ({
    name: deviation.what,
    token: opaque,
    options: merged([deviation], widgets),
  }));

const guessing = <From>(guesses: readonly Guess<From>[], from: From): Row[] =>
  guesses.map((guess) => ({
    name: guess.reason,
    token: opaque,
    options: optionsOf([guess], from, widgets),
  }));

const forging = (token: string, forgeries: readonly Forgery[]): Row[] =>
  forgeries.map(({ how, secret }) => ({
    name: `the token is ${how}`,
    token,
    options: { authorization: seal`Bearer ${secret}` },
  }));

const asking = (attempts: (account: Account) => readonly CredentialAttempt[]): Row[] =>
  [sandboxAccount, digits].flatMap((account) =>
    attempts(sealed(account)).map(({ description: name, options }) => ({
      name,
      token: opaque,
      account,
      options,
    })),
  );

/** The guard admits each request with the row. */
const admitting: RowList['wrongFor'] = (hasRow) => ({
  guard: (call, state, self) => (hasRow(call) ? undefined : right.guard(call, state, self)),
});

/** The guard refuses each request with the row. */
const refusing: RowList['wrongFor'] = (hasRow) => ({
  guard: (call, state, self) => (hasRow(call) ? 'invalid' : right.guard(call, state, self)),
});

/** The 401 to a request with the row has another message. */
const wording: RowList['wrongFor'] = (hasRow) => ({
  authorised: ({ reply }) => ({ ...reply, headers: validators }),
  unauthorised: (cause, call, state) =>
    hasRow(call)
      ? { status: 401, json: { success: false, message: 'Unauthorized' } }
      : right.unauthorised(cause, call, state),
});

/** The token endpoint answers a request with the row by a token. */
const granting: RowList['wrongFor'] = (hasRow) => ({
  denied: (why, call, state) =>
    hasRow(call)
      ? right.granted(issue(state, call.now), call, state)
      : right.denied(why, call, state),
});

export const lists: readonly RowList[] = [
  {
    probe: wrongCredentialsGetNoToken,
    clause: 'TOKEN-2',
    to: tokenEndpoint,
    wrongFor: granting,
    rows: asking(wrongPairs),
  },
  {
    probe: incompleteCredentialsGetNoToken,
    clause: 'TOKEN-3',
    to: tokenEndpoint,
    wrongFor: granting,
    rows: asking(incompleteCredentials),
  },
  {
    probe: aTokenIsGoodForManyUses,
    clause: 'BEARER-1',
    wrongFor: refusing,
    rows: deviating(ordinaryVariations(widgets)),
  },
  {
    probe: aTokenInQueryCookieHeaderOrBodyIsRefused,
    clause: 'BEARER-2',
    wrongFor: admitting,
    rows: guessing(tokenPlaces(widgets), new Secret(opaque)),
  },
  {
    probe: anotherTokenIsRefused,
    clause: 'BEARER-3',
    wrongFor: admitting,
    rows: [opaque, parted, jwt].flatMap((token) => forging(token, otherTokens(new Secret(token)))),
    // It is another one in each run, as are some of the next list.
    without: ['the token is random, of the same form'],
  },
  {
    probe: aForgedJwtIsRefused,
    clause: 'BEARER-3',
    wrongFor: admitting,
    rows: forging(jwt, await jwtForgeries(new Secret(jwt), sealed(sandboxAccount))),
    without: [
      'the token is signed again with a random key',
      'the token is signed again with another key (ES256)',
      'the token is signed by the key in its jwk or jku (ES256)',
      'the token is signed again with the HMAC key in its jwk',
    ],
  },
  {
    probe: anotherSchemeIsRefused,
    clause: 'BEARER-4',
    wrongFor: admitting,
    rows: guessing(tokenSchemes, new Secret(opaque)),
  },
  {
    probe: theCredentialsOpenNoEndpoint,
    clause: 'BEARER-5',
    wrongFor: admitting,
    rows: guessing(credentialPlaces(sealed(sandboxAccount)), sealed(sandboxAccount)),
  },
  {
    probe: anotherPathOrMethodIsNoWayIn,
    clause: 'BEARER-2',
    wrongFor: admitting,
    rows: deviating([...pathWays(widgets), ...queryWays, ...methodWays(widgets.method)]),
    // Node's server refuses methods that it does not know.
    without: ['its method is FOO', 'its method is get'],
  },
  {
    probe: aTrustedHeaderIsNoWayIn,
    clause: 'BEARER-2',
    wrongFor: admitting,
    rows: deviating([...headerWays(widgets), ...wireWays(widgets)]),
  },
  {
    probe: theEnvelopeDoesNotDependOnTheRequest,
    clause: 'ERROR-3',
    wrongFor: wording,
    rows: deviating([...variationsOf(widgets, { headers: Object.entries(validators) }), badTokens]),
    // An answer to HEAD has no message.
    without: ['its method is HEAD'],
  },
];
