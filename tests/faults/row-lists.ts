import { generateKeyPairSync } from 'node:crypto';
import { credentialPlaces } from '../../contract/attempts/credential-places.ts';
import {
  type CredentialAttempt,
  incompleteCredentials,
  wrongPairs,
} from '../../contract/attempts/credentials.ts';
import { type Deviation, merged } from '../../contract/attempts/deviation.ts';
import { headerWays, wireWays } from '../../contract/attempts/headers.ts';
import { type Guess, optionsOf } from '../../contract/attempts/items.ts';
import { encoded } from '../../contract/attempts/jwt.ts';
import { jwtForgeries } from '../../contract/attempts/jwt-forgeries.ts';
import { methodWays, pathWays, queryWays } from '../../contract/attempts/paths.ts';
import { tokenPlaces, tokenSchemes } from '../../contract/attempts/token-places.ts';
import { type Forgery, otherTokens } from '../../contract/attempts/tokens.ts';
import { badTokens, ordinaryVariations, variationsOf } from '../../contract/attempts/variations.ts';
import { tokenEndpoint } from '../../contract/http/request.ts';
import { type Account, Secret, seal } from '../../contract/secrets/secret.ts';
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
import { guarding, issue, unguardedWhen } from './fault.ts';
import { type Row, type RowList, type WrongFor, widgets } from './rows.ts';

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
    attempts(sealed(account)).map(([name, options]) => ({
      name,
      to: tokenEndpoint,
      token: opaque,
      account,
      options,
    })),
  );

/** The guard admits each request with the row. */
const admitting: WrongFor = (hasRow) => unguardedWhen(hasRow);

/** For requests with the row the guard only checks that there is a token. */
const halfAdmitting: WrongFor = (hasRow) =>
  guarding((cause, call) => (cause === 'invalid' && hasRow(call) ? undefined : cause));

/** The guard refuses each request with the row. */
const refusing: WrongFor = (hasRow) =>
  guarding((cause, call) => (hasRow(call) ? 'invalid' : cause));

/** The 401 to a request with the row has another message. */
const wording: WrongFor = (hasRow) => ({
  authorised: ({ reply }) => ({ ...reply, headers: validators }),
  unauthorised: (cause, call, state) =>
    hasRow(call)
      ? { status: 401, json: { success: false, message: 'Unauthorized' } }
      : right.unauthorised(cause, call, state),
});

/** A request with the row is answered with 403 instead of 401. */
const forbidding: WrongFor = (hasRow) => ({
  ...wording(() => false),
  finish: (reply, call) =>
    reply.status === 401 && hasRow(call) ? { ...reply, status: 403 } : reply,
});

/** The token endpoint answers a request with the row by a token. */
const granting: WrongFor = (hasRow) => ({
  denied: (why, call, state) =>
    hasRow(call)
      ? right.granted(issue(state, call.now), call, state)
      : right.denied(why, call, state),
});

/** Rows for which no fault can be generated. */
export const withoutFault: ReadonlySet<string> = new Set([
  // Node's server refuses methods that it does not know.
  'its method is FOO',
  'its method is get',
  // These tokens are others in each run.
  'the token is random, of the same form',
  'the token is signed again with a random key',
  'the token is signed again with another key (ES256)',
  'the token is signed by the key in its jwk or jku (ES256)',
  'the token is signed again with the HMAC key in its jwk',
]);

const account = sealed(sandboxAccount);
const token = new Secret(opaque);
const otherPaths = deviating(pathWays(widgets));
const otherMethods = deviating(methodWays(widgets.method));
const otherWires = deviating(wireWays(widgets));
const variations = variationsOf(widgets, { headers: Object.entries(validators) });
/** An answer to HEAD has no message. */
const withMessage = ({ options }: Row): boolean => options.method !== 'HEAD';

/** What each probe sends, and the clause that is violated if a row gets through. */
export const lists: readonly RowList[] = [
  [wrongCredentialsGetNoToken, 'TOKEN-2', granting, asking(wrongPairs)],
  [incompleteCredentialsGetNoToken, 'TOKEN-3', granting, asking(incompleteCredentials)],
  [aTokenIsGoodForManyUses, 'BEARER-1', refusing, deviating(ordinaryVariations(widgets))],
  [
    aTokenInQueryCookieHeaderOrBodyIsRefused,
    'BEARER-2',
    admitting,
    guessing(tokenPlaces(widgets), token),
  ],
  ...[opaque, parted, jwt].map(
    (text): RowList => [
      anotherTokenIsRefused,
      'BEARER-3',
      admitting,
      forging(text, otherTokens(new Secret(text))),
    ],
  ),
  [
    aForgedJwtIsRefused,
    'BEARER-3',
    admitting,
    forging(jwt, await jwtForgeries(new Secret(jwt), account)),
  ],
  [anotherSchemeIsRefused, 'BEARER-4', admitting, guessing(tokenSchemes, token)],
  [
    theCredentialsOpenNoEndpoint,
    'BEARER-5',
    admitting,
    guessing(credentialPlaces(account), account),
  ],
  [
    anotherPathOrMethodIsNoWayIn,
    'BEARER-3',
    halfAdmitting,
    // A header that replaces the method is not sent with it alone.
    [...otherPaths, ...otherMethods.filter(({ options }) => options.method !== undefined)],
  ],
  [
    anotherPathOrMethodIsNoWayIn,
    'BEARER-2',
    admitting,
    [...otherPaths, ...deviating(queryWays), ...otherMethods],
  ],
  [
    aTrustedHeaderIsNoWayIn,
    'BEARER-2',
    admitting,
    [...deviating(headerWays(widgets)), ...otherWires],
  ],
  [aTrustedHeaderIsNoWayIn, 'BEARER-3', halfAdmitting, otherWires],
  [
    theEnvelopeDoesNotDependOnTheRequest,
    'ERROR-3',
    wording,
    deviating([...variations, badTokens]).filter(withMessage),
  ],
  [
    theEnvelopeDoesNotDependOnTheRequest,
    'ERROR-1',
    forbidding,
    deviating([...variations, badTokens]),
  ],
];
