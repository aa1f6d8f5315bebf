import { type Behaviour, type Call, type Reply, right } from '../../sandbox/behaviour.ts';
import { envelopeByRequestMutants } from './envelope-by-request.ts';
import { count, fault, hour, type Mutant, refusal } from './fault.ts';
import { decode } from './jwt.ts';
import { page, refusingAs, saying } from './refusals.ts';
import { inAuthorization } from './request-parts.ts';
import { jwt } from './variants/tokens.ts';

/** What follows the scheme. */
const tokenOf = (call: Call): string => inAuthorization(/^Bearer (.*)$/)(call) ?? '';

const hourOf = ({ now }: Call): number => Math.floor(now / hour) % 24;

const isJwt = (text: string): boolean => /^eyJ[\w-]+\.eyJ[\w-]+\./.test(text);

/**
 * Refuses differently after the given number of consecutive refusals; each use of a valid token resets the count.
 */
const afterRefusals = (
  of: 'missing' | 'invalid',
  refusals: number,
  reply: Reply,
): Partial<Behaviour> => ({
  used: (_token, _call, state) => void state.memo.set('refusals in a row', 0),
  unauthorised: (cause, call, state) =>
    cause === of && count(state, 'refusals in a row') >= refusals
      ? reply
      : right.unauthorised(cause, call, state),
});

/** A part of a JWT, read without a check of the signature: a JSON value, or undefined. */
const partOf = (call: Call, index: number): unknown => {
  const parts = tokenOf(call).split('.');
  return parts.length === 3 ? decode(parts[index] ?? '') : undefined;
};

/** A field of the header of a JWT. */
const headerOf = (call: Call, name: string): unknown =>
  (partOf(call, 0) as Partial<Record<string, unknown>> | null | undefined)?.[name];

const levels = (call: Call): number =>
  /^\[*/.exec(Buffer.from(tokenOf(call).split('.')[0] ?? '', 'base64url').toString())?.[0].length ??
  0;

/** A guard that reads a JWT before it verifies it fails on some. */
const crashing = (name: string, what: string, when: (call: Call) => boolean): Mutant =>
  fault(`${name}-crashes`, `${what} is answered with 500`, () =>
    refusingAs({ status: 500, body: 'Internal Server Error' }, when),
  );

/** The refusal depends on the form of the bad token. */
const byToken: readonly Mutant[] = [
  fault('foreign-jwt-says-more', 'A JWT that was not made here gets the message of a library', () =>
    refusingAs(saying('invalid signature'), (call) => isJwt(tokenOf(call))),
  ),
  fault(
    'expired-jwt-says-so',
    'A JWT that claims to have expired is refused as expired, even if it is forged',
    () =>
      refusingAs(saying('jwt expired'), (call) => {
        const [, claims = ''] = tokenOf(call).split('.');
        const exp = /"exp":(\d+)/.exec(Buffer.from(claims, 'base64url').toString())?.[1];
        return exp !== undefined && Number(exp) * 1000 < call.now;
      }),
  ),
  fault('dotted-token-crashes', 'A token with dots that is not a JWT is answered with 500', () =>
    refusingAs({ status: 500, body: 'Internal Server Error' }, (call) => {
      const text = tokenOf(call);
      return text.includes('.') && !isJwt(text);
    }),
  ),
  fault('long-token-crashes', 'A token of more than 1,024 characters is answered with 500', () =>
    refusingAs({ status: 500 }, (call) => tokenOf(call).length > 1024),
  ),
  fault('token-beyond-ascii-crashes', 'A token that is not ASCII is answered with 500', () =>
    refusingAs({ status: 500 }, (call) => /[^\0-\x7f]/.test(tokenOf(call))),
  ),
  crashing('null-header', 'A JWT whose header is null', (call) => partOf(call, 0) === null),
  crashing('null-claims', 'A JWT whose claims are null', (call) => partOf(call, 1) === null),
  crashing(
    'claims-without-json',
    'A JWT whose claims are not JSON',
    (call) => headerOf(call, 'typ') === 'JWT' && partOf(call, 1) === undefined,
  ),
  crashing(
    'odd-kid',
    'A JWT whose kid is not a text',
    (call) => typeof headerOf(call, 'kid') === 'object',
  ),
  crashing(
    'compressed-jwt',
    'A JWT with zip in its header',
    (call) => headerOf(call, 'zip') !== undefined,
  ),
  crashing('base64-jwt', 'A JWT with + or / in it', (call) => /^eyJ.*[+/]/.test(tokenOf(call))),
  crashing(
    'nested-header',
    'A JWT whose header has more than 900 levels',
    (call) => levels(call) > 900,
  ),
  fault('blank-in-token-is-explained', 'A token with a blank in it gets a message of its own', () =>
    refusingAs(saying('Malformed Authorization header.'), (call) => tokenOf(call).includes(' ')),
  ),
  fault(
    'uuid-is-of-an-old-version',
    'A UUID counts as a token of an older version, which is forbidden',
    () =>
      refusingAs({ status: 403, json: refusal }, (call) =>
        /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(tokenOf(call)),
      ),
  ),
  fault('padding-is-malformed', 'A token with padding is answered with 400', () =>
    refusingAs({ status: 400, json: refusal }, (call) => /=$/.test(tokenOf(call))),
  ),
];

const explained: Reply = { status: 401, json: { ...refusal, code: 'malformed' } };

const isSignedWrongly = (call: Call, cause: string): boolean =>
  cause === 'invalid' && partOf(call, 1) !== undefined;

/** A further field of the 401 depends on the form of the header, and the message does not. */
const byHeader: readonly Mutant[] = [
  fault('scheme-alone-says-more', 'A scheme without a token gets a further field in its 401', () =>
    refusingAs(explained, ({ headers }) => /^Bearer\s*$/.test(headers.authorization ?? '')),
  ),
  fault('token-alone-says-more', 'A token without a scheme gets a further field in its 401', () =>
    refusingAs(explained, ({ headers }) => /^[^ ]{20,}$/.test(headers.authorization ?? '')),
  ),
  fault(
    'scheme-token-says-more',
    'A token under the scheme Token gets a further field in its 401',
    () => refusingAs(explained, (call) => inAuthorization(/^Token (.*)$/)(call) !== undefined),
  ),
  fault(
    'wrong-signature-says-more',
    'A JWT with a wrong signature gets a further field in its 401',
    () => ({ ...jwt, ...refusingAs(explained, isSignedWrongly) }),
  ),
];

/** The refusal depends on the time of the request. */
const byMoment: readonly Mutant[] = [
  fault('no-envelope-at-night', 'From two to three at night the 401 is a page', () =>
    refusingAs(page, (call) => hourOf(call) === 2),
  ),
  fault('forbidden-on-sundays', 'On Sundays unauthorised requests are answered with 403', () =>
    refusingAs({ status: 403, json: refusal }, ({ now }) => new Date(now).getUTCDay() === 0),
  ),
  {
    name: 'forbidden-from-the-tenth',
    means: 'From the tenth request without a token in a row on the status is 403',
    oneAtATime: true,
    make: () => afterRefusals('missing', 10, { status: 403, json: refusal }),
  },
  {
    name: 'attempts-are-counted',
    means: 'From the sixteenth bad token in a row on the message is about the attempts',
    oneAtATime: true,
    make: () => afterRefusals('invalid', 16, saying('Too many attempts.')),
  },
];

/** The 401 is not the same for every request. */
export const envelopeChoiceMutants: readonly Mutant[] = [
  ...envelopeByRequestMutants,
  ...byToken,
  ...byHeader,
  ...byMoment,
];
