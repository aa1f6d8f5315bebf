import {
  type CredentialAttempt,
  incompleteCredentials,
  wrongPairs,
} from '../../contract/attempts/credentials.ts';
import { type Deviation, mergeWay, type Secrets } from '../../contract/attempts/deviation.ts';
import { headerWays } from '../../contract/attempts/headers.ts';
import { jwtForgeries } from '../../contract/attempts/jwt-forgeries.ts';
import { methodWays, pathWays, queryWays } from '../../contract/attempts/paths.ts';
import { credentialPlaces, tokenPlaces, tokenSchemes } from '../../contract/attempts/places.ts';
import { type Forgery, forgeTokens } from '../../contract/attempts/tokens.ts';
import { badTokens, listVariations, wireWays } from '../../contract/attempts/variations.ts';
import { tokenEndpoint } from '../../contract/http/request.ts';
import { type Account, Secret, seal } from '../../contract/secrets/secret.ts';
import { encode } from '../../contract/token-form.ts';
import type { Reply } from '../../sandbox/behaviour.ts';
import { sandboxAccount } from '../../sandbox/provider.ts';
import { halfOpen, refusal, refusingAs, unguardedWhen } from './fault.ts';
import { refusingWhen } from './guard.ts';
import { type Row, type RowList, widgets } from './rows.ts';
import { renewing } from './token.ts';

const opaque = 'Vb3mKq81-ZtR_0aLw7YxPd5HcGs2NuEo';
/** A token with each sign that separates parts, but for the dot, and with a time. */
const parted = 'v1|aB3d:Ef6g_1795600000-Hi9j~kL|mN:oP_qR-sT~uV';
/** A token in the form of a JWT. The sandbox compares only its text. */
const jwt = [
  encode({ alg: 'ES256', typ: 'JWT' }),
  encode({ sub: 'client-1', iat: 1_795_600_000, exp: 1_795_686_400, jti: 'aB3dEf6g' }),
  opaque.repeat(2),
].join('.');

const sealed = ({ apiKey, secretKey }: typeof sandboxAccount): Account => ({
  apiKey: new Secret(apiKey),
  secretKey: new Secret(secretKey),
});

/** The sandbox's answers have them, so that preconditions can name them. */
const validators = { ETag: '"1"', 'Last-Modified': 'Wed, 20 May 2026 09:00:00 GMT' };

const validated: ReturnType<RowList[2]> = {
  authorised: ({ reply }) => ({ ...reply, headers: validators }),
};

const refusingValid: RowList[2] = (hasRow) => ({ ...validated, ...refusingWhen(hasRow) });

const deviating = (ways: readonly (readonly Deviation[])[], secrets?: Secrets): Row[] =>
  ways.flat().map((deviation) => ({
    name: deviation.what,
    token: opaque,
    options: mergeWay([deviation], widgets, secrets),
  }));

const forging = (token: string, forgeries: readonly Forgery[]): Row[] =>
  forgeries.map(({ how, secret }) => ({
    name: `the token is ${how}`,
    token,
    options: { authorization: seal`Bearer ${secret}` },
  }));

const asking = (attempts: (account: Account) => readonly CredentialAttempt[]): Row[] =>
  attempts(sealed(sandboxAccount)).map(([name, options]) => ({
    name,
    to: tokenEndpoint,
    token: opaque,
    options,
  }));

/** The 401 to a request with the row is another answer. */
const refusingBy =
  (reply: Reply): RowList[2] =>
  (hasRow) => ({
    ...validated,
    ...refusingAs(reply, hasRow),
  });

const unlike: Reply = { status: 401, json: { success: false, message: 'Unauthorized' } };
const forbidden: Reply = { status: 403, json: refusal };

/** Rows for which no fault can be generated. */
export const withoutFault: ReadonlySet<string> = new Set([
  // Node's server refuses methods that it does not know.
  'its method is FOO',
  'its method is get',
  // These tokens are others in each run.
  'the token is random, of the same form',
  'the token is signed again with the HMAC key in its jwk',
]);

const account = sealed(sandboxAccount);
const token = new Secret(opaque);
const places = deviating([tokenPlaces(widgets)], { TOKEN: token });
const schemes = deviating([tokenSchemes], { TOKEN: token });
const pair = { KEY: account.apiKey, SECRET: account.secretKey };
const ownPlaces = deviating([credentialPlaces], pair);
const forgeries = forging(jwt, jwtForgeries(new Secret(jwt), account));
const paths = deviating(pathWays(widgets));
const queries = deviating(queryWays);
const methods = deviating(methodWays(widgets.method));
/** A header that replaces the method is not sent with any token. */
const ownMethods = methods.filter(({ options }) => options.method !== undefined);
const headers = deviating(headerWays(widgets));
const wires = deviating(wireWays(widgets));
const ordinary = deviating(listVariations(widgets, { headers: Object.entries(validators) }));
const variations = [...ordinary, ...deviating([badTokens])];
/** An answer to HEAD has no message. */
const withMessage = variations.filter(({ options }) => options.method !== 'HEAD');
/** A firewall may answer an odd text with another status. */
const usual = [...ordinary, ...deviating([badTokens.filter(({ odd }) => !odd)])];

/** What each probe sends, the clause that is violated if a row gets through, and how it gets through. */
export const lists: readonly RowList[] = [
  ['wrong-credentials-get-no-token', 'TOKEN-2', renewing, asking(wrongPairs)],
  ['incomplete-credentials-get-no-token', 'TOKEN-3', renewing, asking(incompleteCredentials)],
  ['a-token-is-good-for-many-uses', 'BEARER-1', refusingValid, ordinary],
  ['a-token-in-query-cookie-header-or-body-is-refused', 'BEARER-2', unguardedWhen, places],
  ...[opaque, parted, jwt].map((text): RowList => {
    const others = forging(text, forgeTokens(new Secret(text)));
    return ['another-token-is-refused', 'BEARER-3', unguardedWhen, others];
  }),
  ['another-token-is-refused', 'BEARER-3', unguardedWhen, forgeries],
  ['another-scheme-is-refused', 'BEARER-4', unguardedWhen, schemes],
  ['the-credentials-open-no-endpoint', 'BEARER-5', unguardedWhen, ownPlaces],
  ['another-path-or-method-is-no-way-in', 'BEARER-3', halfOpen, [...paths, ...ownMethods]],
  [
    'another-path-or-method-is-no-way-in',
    'BEARER-2',
    unguardedWhen,
    [...paths, ...queries, ...methods],
  ],
  ['a-trusted-header-is-no-way-in', 'BEARER-2', unguardedWhen, [...headers, ...wires]],
  ['a-trusted-header-is-no-way-in', 'BEARER-3', halfOpen, wires],
  ['the-envelope-does-not-depend-on-the-request', 'ERROR-3', refusingBy(unlike), withMessage],
  ['the-envelope-does-not-depend-on-the-request', 'ERROR-1', refusingBy(forbidden), usual],
];
