import { generateKeyPairSync } from 'node:crypto';
import { credentialPlaces } from '../../contract/attempts/credential-places.ts';
import { type Deviation, merged } from '../../contract/attempts/deviation.ts';
import { headerWays, wireWays } from '../../contract/attempts/headers.ts';
import { type Guess, optionsOf } from '../../contract/attempts/items.ts';
import { encoded } from '../../contract/attempts/jwt.ts';
import { jwtForgeries } from '../../contract/attempts/jwt-forgeries.ts';
import { methodWays, pathWays, queryWays } from '../../contract/attempts/paths.ts';
import { tokenPlaces, tokenSchemes } from '../../contract/attempts/token-places.ts';
import { otherTokens } from '../../contract/attempts/tokens.ts';
import { badTokens, variationsOf } from '../../contract/attempts/variations.ts';
import type { MustId } from '../../contract/clauses.ts';
import { outgoingRequest } from '../../contract/http/http-request.ts';
import { type CallOptions, called, type Endpoint } from '../../contract/http/request.ts';
import type { Probe } from '../../contract/probe.ts';
import { judgeProvider } from '../../contract/round/round.ts';
import { Secret, seal } from '../../contract/secrets/secret.ts';
import type { Forgery } from '../../contract/token-form.ts';
import { aForgedJwtIsRefused } from '../../probes/a-forged-jwt-is-refused.ts';
import { aTokenInQueryCookieHeaderOrBodyIsRefused } from '../../probes/a-token-in-query-cookie-header-or-body-is-refused.ts';
import { aTrustedHeaderIsNoWayIn } from '../../probes/a-trusted-header-is-no-way-in.ts';
import { anotherPathOrMethodIsNoWayIn } from '../../probes/another-path-or-method-is-no-way-in.ts';
import { anotherSchemeIsRefused } from '../../probes/another-scheme-is-refused.ts';
import { anotherTokenIsRefused } from '../../probes/another-token-is-refused.ts';
import { theCredentialsOpenNoEndpoint } from '../../probes/the-credentials-open-no-endpoint.ts';
import { theEnvelopeDoesNotDependOnTheRequest } from '../../probes/the-envelope-does-not-depend-on-the-request.ts';
import { type Behaviour, type Call, right } from '../../sandbox/behaviour.ts';
import { sandboxAccount, sandboxEndpoints } from '../../sandbox/provider.ts';
import { callOf, sandboxInMemory } from './in-memory.ts';

/*
 * Some probes send lists of deviating requests. For each row of a list there is a sandbox that is wrong for this row
 * alone: it admits a request, or refuses it with another message, if the request has all that a request with this row
 * has and a plain one has not. The probe must report the clause of the list, and name the row.
 */

/** A deviating request. */
interface Row {
  /** As a finding names it. */
  readonly name: string;
  readonly options: CallOptions;
  /** The text of all tokens, if it is not `opaque`. */
  readonly token?: string;
}

/** The rows that one probe sends. */
export interface RowList {
  readonly probe: Probe;
  /** It is violated if a row gets through. */
  readonly clause: MustId;
  readonly rows: readonly Row[];
  /** The names of rows that no fault can be generated for. */
  readonly without?: readonly string[];
  /** A guard that is wrong for some requests. */
  readonly wrongFor?: (hasRow: (call: Call) => boolean) => Partial<Behaviour>;
}

const [widgets = { method: '', path: '' }] = sandboxEndpoints;
const account = {
  apiKey: new Secret(sandboxAccount.apiKey),
  secretKey: new Secret(sandboxAccount.secretKey),
};

const opaque = 'Vb3mKq81-ZtR_0aLw7YxPd5HcGs2NuEoJ4fTiXr6kQM';
/** With each sign that separates parts, but for the dot, and with a time. */
const parted = 'v1|aB3d:Ef6g_1795600000-Hi9j~kL|mN:oP_qR-sT~uV';
const { publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
/** In the form of a JWT, with its public key. The sandbox compares only its text. */
const jwt = [
  encoded({ alg: 'ES256', typ: 'JWT', jwk: publicKey.export({ format: 'jwk' }) }),
  encoded({ sub: 'client-1', iat: 1_795_600_000, exp: 1_795_686_400, jti: 'aB3dEf6g' }),
  opaque.repeat(2),
].join('.');

/** The sandbox's answers have them, so that preconditions name them. */
const validators = { ETag: '"1"', 'Last-Modified': 'Wed, 20 May 2026 09:00:00 GMT' };

const deviating = (ways: readonly (readonly Deviation[])[]): Row[] =>
  ways.flat().map((deviation) => ({ name: deviation.what, options: merged([deviation], widgets) }));

const guessing = <From>(guesses: readonly Guess<From>[], from: From): Row[] =>
  guesses.map((guess) => ({ name: guess.reason, options: optionsOf([guess], from, widgets) }));

const forging = (token: string, forgeries: readonly Forgery[]): Row[] =>
  forgeries.map(({ how, secret }) => ({
    token,
    name: `the token is ${how}`,
    options: { authorization: seal`Bearer ${secret}` },
  }));

export const lists: readonly RowList[] = [
  {
    probe: aTokenInQueryCookieHeaderOrBodyIsRefused,
    clause: 'BEARER-2',
    rows: guessing(tokenPlaces(widgets), new Secret(opaque)),
  },
  {
    probe: anotherSchemeIsRefused,
    clause: 'BEARER-4',
    rows: guessing(tokenSchemes, new Secret(opaque)),
  },
  {
    probe: theCredentialsOpenNoEndpoint,
    clause: 'BEARER-5',
    rows: guessing(credentialPlaces(account), account),
  },
  {
    probe: anotherPathOrMethodIsNoWayIn,
    clause: 'BEARER-2',
    rows: deviating([...pathWays(widgets), ...queryWays, ...methodWays(widgets.method)]),
    // Node's server refuses methods that it does not know.
    without: ['its method is FOO', 'its method is get'],
  },
  {
    probe: aTrustedHeaderIsNoWayIn,
    clause: 'BEARER-2',
    rows: deviating([...headerWays(widgets), ...wireWays(widgets)]),
  },
  {
    probe: anotherTokenIsRefused,
    clause: 'BEARER-3',
    rows: [opaque, parted, jwt].flatMap((token) => forging(token, otherTokens(new Secret(token)))),
    // It is another one in each run, as are some of the next list.
    without: ['the token is random, of the same form'],
  },
  {
    probe: aForgedJwtIsRefused,
    clause: 'BEARER-3',
    rows: forging(jwt, await jwtForgeries(new Secret(jwt), account)),
    without: [
      'the token is signed again with a random key',
      'the token is signed again with another key (ES256)',
      'the token is signed by the key in its jwk or jku (ES256)',
      'the token is signed again with the HMAC key in its jwk',
    ],
  },
  {
    probe: theEnvelopeDoesNotDependOnTheRequest,
    clause: 'ERROR-3',
    rows: deviating([...variationsOf(widgets, { headers: Object.entries(validators) }), badTokens]),
    // An answer to HEAD has no message.
    without: ['its method is HEAD'],
    wrongFor: (hasRow) => ({
      authorised: ({ reply }) => ({ ...reply, headers: validators }),
      unauthorised: (cause, call, state) =>
        hasRow(call)
          ? { status: 401, json: { success: false, message: 'Unauthorized' } }
          : right.unauthorised(cause, call, state),
    }),
  },
];

/** What a request has: a text for each part, and for each usual header that it lacks. */
function traits({ method, url, httpVersion, headers, body }: Call): Set<string> {
  const [path, ...parameters] = url.split(/[?&]/);
  return new Set([
    `method ${method}`,
    `path ${path}`,
    `version ${httpVersion}`,
    ...parameters.map((parameter) => `parameter ${parameter}`),
    ...Object.entries(headers).flatMap(([name, value]) =>
      name === 'content-length'
        ? []
        : String(value)
            .split(name === 'cookie' ? '; ' : '\0')
            .map((text) => `${name}: ${text}`),
    ),
    ...['accept', 'host', 'user-agent'].filter((name) => !(name in headers)),
    ...fieldsOf(body).map((field) => `field ${field}`),
  ]);
}

/** The members of JSON by their path, or the fields of a form. */
function fieldsOf(body: string): readonly string[] {
  if (body === '') return [];
  try {
    return leavesOf(JSON.parse(body));
  } catch {
    return body.split(/&|--public-api-contract-part\S*\r\n/);
  }
}

const leavesOf = (value: unknown): string[] =>
  typeof value === 'object' && value !== null
    ? Object.entries(value).flatMap(([name, inner]) =>
        leavesOf(inner).map((leaf) => `${name}.${leaf}`),
      )
    : [JSON.stringify(value)];

/** The traits of a request to the endpoint. */
const requested = (options: CallOptions): Set<string> => {
  const to: Endpoint = called(widgets, options);
  const request = outgoingRequest({ origin: new URL('http://sandbox') }, to, options);
  return traits(callOf(request, '', 0));
};

const plainTraits = requested({});

/** The sandbox that is wrong for one row, and routes its requests to the endpoint. */
function behaviourFor(
  { wrongFor = admitting }: RowList,
  { options, token = opaque }: Row,
): Behaviour {
  const own = [...requested(options)].filter((trait) => !plainTraits.has(trait));
  const hasRow = (call: Call): boolean => {
    const all = traits(call);
    return own.every((trait) => all.has(trait));
  };
  const isRewritten = (part: string): boolean => own.some((trait) => trait.startsWith(part));
  const meant = {
    ...(isRewritten('method ') ? { method: widgets.method } : {}),
    ...(isRewritten('path ') ? { path: widgets.path } : {}),
  };
  return {
    ...right,
    mint: () => token,
    route: (call, state) =>
      right.route(call, state) ??
      (hasRow(call) ? right.route({ ...call, ...meant }, state) : undefined),
    ...wrongFor(hasRow),
  };
}

const admitting = (hasRow: (call: Call) => boolean): Partial<Behaviour> => ({
  guard: (call, state, self) => (hasRow(call) ? undefined : right.guard(call, state, self)),
});

/** What is wrong with the probe's judgement of the sandbox: one line for each row. */
export async function complaintAbout(list: RowList, row: Row): Promise<string[]> {
  const target = sandboxInMemory(behaviourFor(list, row));
  const { results, unjudged } = await judgeProvider(target, [list.probe]);
  const findings = results.flatMap((result) => result.findings);
  const names = findings.map(({ when }) => when);
  const isNamed = names.some((when) =>
    [`${row.name}, `, `${row.name} and `].some((text) => `${when}, `.includes(text)),
  );
  const isRight = findings.every(({ clause }) => clause === list.clause);
  if (isNamed && isRight && unjudged === undefined) return [];
  const clauses = new Set(findings.map(({ clause }) => clause));
  const details = results.flatMap(({ detail = [] }) => detail);
  return [[row.name, ...clauses, ...names, ...details, unjudged ?? ''].join('; ')];
}
