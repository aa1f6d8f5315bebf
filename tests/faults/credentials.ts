import { createHash } from 'node:crypto';
import { type Call, day, right, type ServiceState } from '../../sandbox/behaviour.ts';
import { breaking, type Fault, type Faults, family, issue, matching, same } from './fault.ts';
import { behindScheme, memberOf } from './request-parts.ts';

/** The secret key is right if it equals the right one by this comparison. */
const secretIf = (compare: (sent: string, right: string) => boolean) =>
  matching(same, (sent, right) => typeof sent === 'string' && compare(sent, right));

/** These credentials are accepted besides the right ones. */
const alsoValid = (
  accepts: (key: unknown, secret: unknown, account: ServiceState['account']) => boolean,
): Fault => ({
  valid: (sent, state) =>
    right.valid(sent, state) || accepts(sent.apiKey, sent.secretKey, state.account),
});

const comparisons: Readonly<Record<string, (sent: string, right: string) => boolean>> = {
  'secret-begins-right': (sent, right) => sent.startsWith(right),
  'wildcard-secret': (sent, right) => sent === right || sent === '*',
  'secret-in-any-case': (sent, right) => sent.toLowerCase() === right.toLowerCase(),
  'secret-trimmed': (sent, right) => sent.trim() === right,
  'secret-is-its-hash': (sent, right) =>
    sent === right || sent === createHash('sha256').update(right).digest('hex'),
};

/** A pair that is not the right one gets a token. */
export const wrongPairFaults = breaking('TOKEN-2', {
  ...family('*', comparisons, secretIf),
  'key-is-enough': alsoValid((key, secret, { apiKey }) => key === apiKey && secret === apiKey),
  'operator-secret': alsoValid(
    (key, secret, { apiKey }) => key === apiKey && Object(secret).$ne !== undefined,
  ),
});

/** Wrong pairs and incomplete bodies get a token. */
export const uncheckedPairFaults = breaking(['TOKEN-2', 'TOKEN-3'], {
  'any-key': matching(() => true, same),
  'comparison-stops-at-the-shorter': secretIf(
    (sent, right) => sent.startsWith(right) || right.startsWith(sent),
  ),
  'refusal-holds-a-token': {
    denied(why, call, state) {
      const last = issue(state, call.now).text;
      return { status: 400, json: { success: false, message: why, debug: { last } } };
    },
  },
  'refusal-sets-a-token-cookie': {
    denied(why, call, state) {
      const cookie = `t=${issue(state, call.now).text}; Path=/`;
      return { ...right.denied(why, call, state), headers: { 'Set-Cookie': cookie } };
    },
  },
});

type Fields = Readonly<Record<string, unknown>>;

/** Reads the credentials from a JSON value in another way. */
const readAs = (read: (json: Fields) => Fields): Fault => ({
  credentials(call) {
    try {
      const { apiKey, secretKey } = read(JSON.parse(call.body));
      return { apiKey, secretKey };
    } catch {
      return undefined;
    }
  },
});

/** The token endpoint also gives a token for something else than credentials. */
const renewing = (isRight: (call: Call, state: ServiceState) => boolean): Fault => ({
  denied: (why, call, state) =>
    isRight(call, state)
      ? right.granted(issue(state, call.now), call, state)
      : right.denied(why, call, state),
});

/** The age in milliseconds of the token behind Bearer, if it was issued. */
const ageOfBearer = ({ headers, now }: Call, { tokens }: ServiceState): number | undefined => {
  const token = tokens.get(behindScheme(headers.authorization) ?? '');
  return token && now - token.madeAt;
};

/** A body that lacks a field, or has something else than a text in it, gets a token. */
export const bodyFaults = breaking('TOKEN-3', {
  'absent-secret': alsoValid((key, secret, { apiKey }) => key === apiKey && secret === undefined),
  'array-equals-its-text': matching(same, (sent, right) => String(sent) === right),
  'nested-fields': readAs((json) => Object.assign({}, json.data, json)),
  'valid-token-gets-another': renewing((call, state) => (ageOfBearer(call, state) ?? day) < day),
  'expired-token-gets-another': renewing((call, state) => (ageOfBearer(call, state) ?? 0) >= day),
  'refresh-token-gets-a-token': {
    ...renewing((call, state) => state.memo.has(`refresh ${memberOf(call, 'refresh_token')}`)),
    granted({ text }, call, state) {
      const refreshToken = right.mint(state, call.now);
      state.memo.set(`refresh ${refreshToken}`, 1);
      const data = { accessToken: text, refreshToken };
      return { status: 200, json: { success: true, message: 'OK', data } };
    },
  },
});

export const credentialVariants: Faults = {
  // As Go and ASP.NET do.
  'field-names-in-any-case': readAs((json) => {
    const named = (name: string): unknown =>
      Object.entries(json).find(([field]) => field.toLowerCase() === name.toLowerCase())?.[1];
    return { apiKey: named('apiKey'), secretKey: named('secretKey') };
  }),
};
