import { createHash } from 'node:crypto';
import { type Call, day, right, type ServiceState } from '../../sandbox/behaviour.ts';
import {
  breaking,
  type Fault,
  type Faults,
  family,
  issue,
  isUnset,
  matching,
  same,
} from './fault.ts';
import { basicOf, behindScheme, decodedBy, memberOf } from './request-parts.ts';

type Comparison = (sent: string, right: string) => boolean;
type Change = (text: string) => string;

const ifText =
  (compare: Comparison) =>
  (sent: unknown, right: string): boolean =>
    typeof sent === 'string' && compare(sent, right);

const secretIf = (compare: Comparison) => matching(same, ifText(compare));
const keyIf = (compare: Comparison) => matching(ifText(compare), same);

/** Both texts are changed before they are compared. */
const secretAfter = (change: Change) => secretIf((sent, right) => change(sent) === change(right));
const keyAfter = (change: Change) => keyIf((sent, right) => change(sent) === change(right));

/** The secret key is also accepted in another form, or in addition to some texts. */
const secretAlso = (form: Change) => secretIf((sent, right) => [right, form(right)].includes(sent));

/** The secret key may also be an object. */
const secretAsObject = (accepts: (sent: object, right: string) => boolean) =>
  matching(
    same,
    (sent, right) =>
      sent === right || (typeof sent === 'object' && sent !== null && accepts(sent, right)),
  );

/** These credentials are accepted besides the right ones. */
const alsoValid = (
  accepts: (key: unknown, secret: unknown, account: ServiceState['account']) => boolean,
): Fault => ({
  valid: (sent, state) =>
    right.valid(sent, state) || accepts(sent.apiKey, sent.secretKey, state.account),
});

const hash = (algorithm: string) => (text: string) =>
  createHash(algorithm).update(text).digest('hex');

const bytesOf = (sent: object): unknown => {
  const bytes: unknown = 'data' in sent ? sent.data : sent;
  return Array.isArray(bytes) ? Buffer.from(bytes).toString() : undefined;
};

const comparedSecrets: Readonly<Record<string, Comparison>> = {
  'secret-begins-right': (sent, right) => sent.startsWith(right),
  'secret-is-a-beginning': (sent, right) => sent !== '' && right.startsWith(sent),
  'secret-contains-right': (sent, right) => sent.includes(right),
  'last-character-ignored': (sent, right) => sent.slice(0, -1) === right.slice(0, -1),
  'secret-ended-by-nul': (sent, right) => sent.split('\0')[0] === right,
  'wildcard-secret': (sent, right) => sent === right || sent === '*',
  'like-secret': (sent, right) => sent === right || sent === '%',
  'sql-secret': (sent, right) => sent === right || /' OR '?1'?='?1/.test(sent),
};

const changedSecrets: Readonly<Record<string, Change>> = {
  'secret-in-any-case': (text) => text.toLowerCase(),
  'secret-trimmed': (text) => text.trim(),
  'secret-percent-decoded': decodedBy(decodeURIComponent),
  'secret-html-decoded': (text) =>
    text.replace(/&#(\d+);/g, (_, code) => String.fromCodePoint(Number(code))),
  'secret-tags-stripped': (text) => text.replace(/<[^>]*>/g, ''),
  'secret-in-quotes': decodedBy(JSON.parse),
  'secret-in-unicode-form': (text) => text.normalize('NFKC'),
  'secret-blanks-collapsed': (text) => text.replace(/ +/g, ' '),
  'secret-invisible-signs-ignored': (text) => text.replace(/\p{Cf}/gu, ''),
  'first-character-of-the-secret-ignored': (text) => `${text.length}${text.slice(1)}`,
  'middle-of-the-secret-ignored': (text) => `${text.length}${text.slice(0, 8)}${text.slice(-8)}`,
};

const changedKeys: Readonly<Record<string, Change>> = {
  'key-in-any-case': (text) => text.toLowerCase(),
  'key-in-composed-form': (text) => text.normalize('NFC'),
  'key-without-accents': (text) => text.normalize('NFD').replace(/\p{M}/gu, ''),
  'key-without-dashes': (text) => text.replaceAll('-', ''),
  'key-cut-and-trimmed': (text) => text.slice(0, 255).trimEnd(),
};

const furtherSecrets: Readonly<Record<string, Change>> = {
  'secret-is-its-hash': hash('sha256'),
  'secret-is-its-md5': hash('md5'),
  'secret-in-base64': (right) => Buffer.from(right).toString('base64'),
};

/** A pair that is not the right one gets a token. */
export const wrongPairFaults = breaking('TOKEN-2', {
  ...family('*', comparedSecrets, secretIf),
  ...family('*', changedSecrets, secretAfter),
  ...family('*', changedKeys, keyAfter),
  ...family('*', furtherSecrets, secretAlso),
  'key-is-a-beginning': keyIf((sent, right) => sent !== '' && right.startsWith(sent)),
  'like-key': keyIf((sent, right) => sent === right || sent === '%'),
  'either-way-round': alsoValid(
    (key, secret, account) => key === account.secretKey && secret === account.apiKey,
  ),
  'key-is-enough': alsoValid((key, secret, { apiKey }) => key === apiKey && secret === apiKey),
  'secret-is-enough': alsoValid(
    (key, secret, { secretKey }) => key === secretKey && secret === secretKey,
  ),
  'halves-joined': alsoValid(
    (key, secret, { apiKey, secretKey }) =>
      [key, secret].every((half) => typeof half === 'string' && half !== '') &&
      `${key}${secret}` === `${apiKey}${secretKey}`,
  ),
  // Pasted into SQL, where a comment hides the secret key.
  'comment-behind-the-key': alsoValid((key, _secret, { apiKey }) => key === `${apiKey}' -- `),
  'operator-secret': secretAsObject((sent) => '$ne' in sent),
  'orm-operator-secret': secretAsObject((sent) => 'contains' in sent),
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

/** What the secret key may be instead. */
const otherSecrets = {
  'true-equals-anything': true,
  'null-secret': null,
  'zero-secret': 0,
  'empty-secret': '',
  'absent-secret': undefined,
};

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
  ...family<unknown>('*', otherSecrets, (value) =>
    alsoValid((key, secret, { apiKey }) => key === apiKey && secret === value),
  ),
  'absent-key': matching((sent, right) => sent === right || sent === undefined, same),
  'absent-secret-of-nobody': alsoValid(
    (key, secret, { apiKey }) => typeof key === 'string' && key !== apiKey && secret === undefined,
  ),
  'unset-pair': alsoValid((key, secret) => key !== undefined && isUnset(key) && secret === null),
  'unknown-key-and-null': alsoValid(
    (key, secret, { apiKey }) => key !== apiKey && key !== null && secret === null,
  ),
  'unknown-key-and-undefined': alsoValid(
    (key, secret, { apiKey }) => key !== apiKey && secret === 'undefined',
  ),
  'empty-object-gets-a-token': alsoValid(
    (key, secret) => key === undefined && secret === undefined,
  ),
  'no-body-is-a-guest': {
    credentials: (call) =>
      call.body === '' ? { apiKey: null, secretKey: null } : right.credentials(call),
    valid: (sent, state) => sent.apiKey === null || right.valid(sent, state),
  },
  'array-equals-its-text': matching(same, (sent, right) => String(sent) === right),
  'secret-as-bytes': secretAsObject((sent, right) => bytesOf(sent) === right),
  'secret-as-characters': secretAsObject(
    (sent, right) => Array.isArray(sent) && sent.join('') === right,
  ),
  'last-of-several-secrets': secretAsObject(
    (sent, right) => Array.isArray(sent) && sent.at(-1) === right,
  ),
  'column-for-a-secret': secretAsObject((sent) => 'secretKey' in sent),
  'snake-case-fields': readAs((json) => ({
    apiKey: json.api_key,
    secretKey: json.secret_key,
    ...json,
  })),
  'nested-fields': readAs((json) => Object.assign({}, json.data, json)),
  'array-body': readAs((json) => [json].flat()[0] ?? {}),
  'json-in-json': readAs((json) => (typeof json === 'string' ? JSON.parse(json) : json)),
  'credentials-by-basic': {
    credentials(call) {
      const [apiKey, secretKey] = basicOf(call.headers.authorization);
      return secretKey === undefined ? right.credentials(call) : { apiKey, secretKey };
    },
  },
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
