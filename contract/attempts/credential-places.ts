import { type Account, inBase64, type Secret, seal } from '../secrets/secret.ts';
import type { Guess, Part } from './items.ts';
import { authorizationLike, keyHeaders, keyParameters, smallKeyParameters } from './places.ts';
import { plain } from './token-places.ts';

/** The texts as headers can hold them: percent-encoded, or as in Basic credentials. */
const forHeaders = ({ apiKey, secretKey }: Account) => ({
  key: apiKey.derive(encodeURI),
  secret: secretKey.derive(encodeURI),
  pair: inBase64(seal`${apiKey}:${secretKey}`),
  turned: inBase64(seal`${secretKey}:${apiKey}`),
  user: inBase64(seal`${apiKey}:`),
});

type Row = readonly [reason: string, of: (texts: ReturnType<typeof forHeaders>) => Secret];

const inHeader = ([reason, of]: Row, name = 'Authorization'): Guess<Account> => ({
  reason,
  put: (account) => [{ part: 'header', name, value: of(forHeaders(account)) }],
});

/** Ordinary requests, but for a percent sign. */
const ordinary: readonly Row[] = [
  ['the API key is the token', ({ key }) => seal`Bearer ${key}`],
  ['the secret key is the token', ({ secret }) => seal`Bearer ${secret}`],
  ['the API key has a scheme of its own', ({ key }) => seal`ApiKey ${key}`],
  ['key and secret, as Basic has them, are the token', ({ pair }) => seal`Bearer ${pair}`],
  ['key and secret are Basic credentials', ({ pair }) => seal`Basic ${pair}`],
];

const others: readonly Guess<Account>[] = [
  inHeader(['secret and key are Basic credentials', ({ turned }) => seal`Basic ${turned}`]),
  inHeader(['the API key alone is the Basic user', ({ user }) => seal`Basic ${user}`]),
  inHeader(['the API key stands alone', ({ key }) => key]),
  ...authorizationLike.map((name) => {
    const reason = `key and secret are Basic credentials in the header ${name}`;
    return inHeader([reason, ({ pair }) => seal`Basic ${pair}`], name);
  }),
  ...[...new Set(keyHeaders.flat())].map((name) =>
    inHeader([`the secret key is in the header ${name}`, ({ secret }) => secret], name),
  ),
  ...pairsIn('header', keyHeaders),
  ...(['query', 'cookie', 'json'] as const).flatMap((part) =>
    pairsIn(part, [...keyParameters, ...smallKeyParameters]),
  ),
  ...pairsIn('form', keyParameters),
];

/** All places from which a service may take the API key and the secret key instead of a token. */
export const credentialPlaces = (account: Account): readonly Guess<Account>[] => [
  ...ordinary.map((row) => {
    // A firewall may refuse a percent sign before the service sees it, so with one only an admission counts.
    const isOdd = row[1](forHeaders(account)).is((text) => text.includes('%'));
    return isOdd ? inHeader(row) : plain(inHeader(row));
  }),
  ...others,
];

function pairsIn(part: Part, names: readonly (readonly string[])[]): Guess<Account>[] {
  const kind = part === 'json' ? 'JSON' : part;
  return names.map(([forKey = '', forSecret = '']) => ({
    reason: `the API key and the secret key are in ${kind} ${forKey} and ${forSecret}`,
    put: (account) => {
      const { key, secret } = forHeaders(account);
      const isHeader = part === 'header' || part === 'cookie';
      return [
        { part, name: forKey, value: isHeader ? key : account.apiKey },
        { part, name: forSecret, value: isHeader ? secret : account.secretKey },
      ];
    },
  }));
}
