import { right } from '../../sandbox/behaviour.ts';
import { fault, issue, type Mutant, matching, same } from './fault.ts';

type Comparison = (sent: string, right: string) => boolean;

const ifText =
  (compare: Comparison) =>
  (sent: unknown, right: string): boolean =>
    typeof sent === 'string' && compare(sent, right);

/** The secret key is compared in another way. */
export const secretIf = (compare: Comparison) => matching(same, ifText(compare));

/** The API key is compared in another way. */
export const keyIf = (compare: Comparison) => matching(ifText(compare), same);

/** An object in place of the secret key is also accepted if it satisfies a rule. */
export const secretAsObject = (accepted: (sent: object, right: string) => boolean) =>
  matching(
    same,
    (sent, right) =>
      sent === right || (typeof sent === 'object' && sent !== null && accepted(sent, right)),
  );

const zip = (sent: string, right: string): boolean => {
  const length = Math.min(sent.length, right.length);
  return sent.slice(0, length) === right.slice(0, length);
};

const untilNul = (text: string): string => text.split('\0')[0] ?? '';

/** Wrong credentials get a token, because of how they are compared or answered. */
export const credentialMutants: readonly Mutant[] = [
  fault('any-secret', 'The secret key is not checked', () => matching(same, () => true)),
  fault('any-key', 'The API key is not checked', () => matching(() => true, same)),
  fault('secret-begins-right', 'A secret key that begins with the right one is right', () =>
    secretIf((sent, right) => sent.startsWith(right)),
  ),
  fault('secret-is-a-beginning', 'A beginning of the secret key is right', () =>
    secretIf((sent, right) => sent !== '' && right.startsWith(sent)),
  ),
  fault('key-is-a-beginning', 'The API key is looked up by its beginning', () =>
    keyIf((sent, right) => sent !== '' && right.startsWith(sent)),
  ),
  fault('secret-contains-right', 'A secret key that contains the right one is right', () =>
    secretIf((sent, right) => sent.includes(right)),
  ),
  fault(
    'comparison-stops-at-the-shorter',
    'The comparison of secret keys stops at the end of the shorter one',
    () => secretIf(zip),
  ),
  fault('last-character-ignored', 'The last character of the secret key does not count', () =>
    secretIf((sent, right) => sent.slice(0, -1) === right.slice(0, -1)),
  ),
  fault('key-in-any-case', 'The API key is compared without regard to case', () =>
    keyIf((sent, right) => sent.toLowerCase() === right.toLowerCase()),
  ),
  fault('secret-in-any-case', 'The secret key is compared without regard to case', () =>
    secretIf((sent, right) => sent.toLowerCase() === right.toLowerCase()),
  ),
  fault('secret-trimmed', 'White space around the secret key is removed', () =>
    secretIf((sent, right) => sent.trim() === right.trim()),
  ),
  fault('secret-ended-by-nul', 'The secret key ends at a NUL, as texts in C do', () =>
    secretIf((sent, right) => untilNul(sent) === right),
  ),
  fault('either-way-round', 'Key and secret may be swapped', () => ({
    valid: (sent, state) =>
      right.valid(sent, state) ||
      right.valid({ apiKey: sent.secretKey, secretKey: sent.apiKey }, state),
  })),
  fault('key-is-enough', 'The API key in place of the secret key is right', () => ({
    valid: (sent, state) =>
      right.valid(sent, state) ||
      (sent.apiKey === state.account.apiKey && sent.secretKey === state.account.apiKey),
  })),
  fault(
    'halves-joined',
    'Key and secret are joined, and compared with the right ones joined',
    () => ({
      valid: ({ apiKey, secretKey }, { account }) =>
        [apiKey, secretKey].every((half) => typeof half === 'string' && half !== '') &&
        `${apiKey}${secretKey}` === `${account.apiKey}${account.secretKey}`,
    }),
  ),
  fault('secret-is-enough', 'The secret key in place of the API key is right', () => ({
    valid: (sent, { account }) =>
      sent.secretKey === account.secretKey &&
      (sent.apiKey === account.apiKey || sent.apiKey === account.secretKey),
  })),
  fault('wildcard-secret', 'The secret key is matched as a wildcard, so that * fits', () =>
    secretIf((sent, right) => sent === right || sent === '*'),
  ),
  fault('like-secret', 'The secret key is looked up with LIKE, so that % fits', () =>
    secretIf((sent, right) => sent === right || sent === '%'),
  ),
  fault('sql-secret', "The secret key is pasted into SQL, so that ' OR '1'='1 fits", () =>
    secretIf((sent, right) => sent === right || /' OR '?1'?='?1/.test(sent)),
  ),
  fault(
    'operator-secret',
    'An operator object in place of the secret key reaches the database',
    () => secretAsObject((sent) => '$ne' in sent),
  ),
  fault(
    'refusal-holds-a-token',
    'The answer to wrong credentials holds a token in a further field',
    () => ({
      denied(why, call, state) {
        const last = issue(state, call.now).text;
        return { status: 400, json: { success: false, message: why, debug: { last } } };
      },
    }),
  ),
  fault(
    'refusal-sets-a-token-cookie',
    'The answer to wrong credentials sets a cookie with a token',
    () => ({
      denied(why, call, state) {
        const cookie = `t=${issue(state, call.now).text}; Path=/`;
        return { ...right.denied(why, call, state), headers: { 'Set-Cookie': cookie } };
      },
    }),
  ),
];
