import { right } from '../behaviour.ts';
import { ifText, type Mutant, matching, same } from './fault.ts';

type Comparison = (sent: string, right: string) => boolean;

/** The secret key is compared in another way. */
const secretIf = (compare: Comparison) => () => matching(same, ifText(compare));

/** The API key is compared in another way. */
const keyIf = (compare: Comparison) => () => matching(ifText(compare), same);

const zip = (sent: string, right: string): boolean => {
  const length = Math.min(sent.length, right.length);
  return sent.slice(0, length) === right.slice(0, length);
};

const untilNul = (text: string): string => text.split('\0')[0] ?? '';

/** Wrong credentials get a token, because of how they are compared or answered. */
export const credentialMutants: readonly Mutant[] = [
  {
    name: 'any-secret',
    means: 'The secret key is not checked',
    make: () => matching(same, () => true),
  },
  {
    name: 'any-key',
    means: 'The API key is not checked',
    make: () => matching(() => true, same),
  },
  {
    name: 'secret-begins-right',
    means: 'A secret key that begins with the right one is right',
    make: secretIf((sent, right) => sent.startsWith(right)),
  },
  {
    name: 'secret-is-a-beginning',
    means: 'A beginning of the secret key is right',
    make: secretIf((sent, right) => sent !== '' && right.startsWith(sent)),
  },
  {
    name: 'key-is-a-beginning',
    means: 'The API key is looked up by its beginning',
    make: keyIf((sent, right) => sent !== '' && right.startsWith(sent)),
  },
  {
    name: 'secret-contains-right',
    means: 'A secret key that contains the right one is right',
    make: secretIf((sent, right) => sent.includes(right)),
  },
  {
    name: 'comparison-stops-at-the-shorter',
    means: 'The comparison of secret keys stops at the end of the shorter one',
    make: secretIf(zip),
  },
  {
    name: 'last-character-ignored',
    means: 'The last character of the secret key does not count',
    make: secretIf((sent, right) => sent.slice(0, -1) === right.slice(0, -1)),
  },
  {
    name: 'key-in-any-case',
    means: 'The API key is compared without regard to case',
    make: keyIf((sent, right) => sent.toLowerCase() === right.toLowerCase()),
  },
  {
    name: 'secret-in-any-case',
    means: 'The secret key is compared without regard to case',
    make: secretIf((sent, right) => sent.toLowerCase() === right.toLowerCase()),
  },
  {
    name: 'secret-trimmed',
    means: 'White space around the secret key is removed',
    make: secretIf((sent, right) => sent.trim() === right.trim()),
  },
  {
    name: 'secret-ended-by-nul',
    means: 'The secret key ends at a NUL, as texts in C do',
    make: secretIf((sent, right) => untilNul(sent) === right),
  },
  {
    name: 'either-way-round',
    means: 'Key and secret may be swapped',
    make: () => ({
      valid: (sent, state) =>
        right.valid(sent, state) ||
        right.valid({ apiKey: sent.secretKey, secretKey: sent.apiKey }, state),
    }),
  },
  {
    name: 'key-is-enough',
    means: 'The API key in place of the secret key is right',
    make: () => ({
      valid: (sent, state) =>
        right.valid(sent, state) ||
        (sent.apiKey === state.account.apiKey && sent.secretKey === state.account.apiKey),
    }),
  },
  {
    name: 'halves-joined',
    means: 'Key and secret are joined, and compared with the right ones joined',
    make: () => ({
      valid: ({ apiKey, secretKey }, { account }) =>
        [apiKey, secretKey].every((half) => typeof half === 'string' && half !== '') &&
        `${apiKey}${secretKey}` === `${account.apiKey}${account.secretKey}`,
    }),
  },
  {
    name: 'secret-is-enough',
    means: 'The secret key in place of the API key is right',
    make: () => ({
      valid: (sent, { account }) =>
        sent.secretKey === account.secretKey &&
        (sent.apiKey === account.apiKey || sent.apiKey === account.secretKey),
    }),
  },
  {
    name: 'wildcard-secret',
    means: 'The secret key is matched as a wildcard, so that * fits',
    make: secretIf((sent, right) => sent === right || sent === '*'),
  },
  {
    name: 'like-secret',
    means: 'The secret key is looked up with LIKE, so that % fits',
    make: secretIf((sent, right) => sent === right || sent === '%'),
  },
  {
    name: 'sql-secret',
    means: "The secret key is pasted into SQL, so that ' OR '1'='1 fits",
    make: secretIf((sent, right) => sent === right || /' OR '?1'?='?1/.test(sent)),
  },
  {
    name: 'operator-secret',
    means: 'An operator object in place of the secret key reaches the database',
    make: () =>
      matching(
        same,
        (sent, right) =>
          sent === right || (typeof sent === 'object' && sent !== null && '$ne' in sent),
      ),
  },
  {
    name: 'refusal-holds-a-token',
    means: 'The answer to wrong credentials holds a token in a further field',
    make: () => ({
      denied(why, call, state) {
        const token = { text: right.mint(state, call.now), madeAt: call.now, memo: new Map() };
        right.keep(token, state);
        return { status: 400, json: { success: false, message: why, debug: { last: token.text } } };
      },
    }),
  },
  {
    name: 'refusal-sets-a-token-cookie',
    means: 'The answer to wrong credentials sets a cookie with a token',
    make: () => ({
      denied(why, call, state) {
        const token = { text: right.mint(state, call.now), madeAt: call.now, memo: new Map() };
        right.keep(token, state);
        return {
          ...right.denied(why, call, state),
          headers: { 'Set-Cookie': `t=${token.text}; Path=/` },
        };
      },
    }),
  },
];
