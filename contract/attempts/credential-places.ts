import { basic } from '../http/client.ts';
import { type Account, inBase64, type Secret, seal } from '../secrets/secret.ts';
import type { Guess, Part } from './items.ts';
import { authorizationLike, keyHeaders, keyParameters, smallKeyParameters } from './places.ts';
import { authorization, basicCredentials, plain } from './token-guesses.ts';

/** All places from which a service may take the API key and the secret key instead of a token. */
export const credentialPlaces = (account: Account): readonly Guess<Account>[] => [
  ...alone(account),
  ...others,
];

type Of = (account: Account) => Secret;

const key: Of = ({ apiKey }) => apiKey;
const secret: Of = ({ secretKey }) => secretKey;
const both: Of = ({ apiKey, secretKey }) => seal`${apiKey}:${secretKey}`;
const turned: Of = ({ apiKey, secretKey }) => seal`${secretKey}:${apiKey}`;

/** Percent-encodes a text, because a header cannot hold every text. */
const inHeader =
  (of: Of): Of =>
  (account) =>
    of(account).derive(encodeURI);

const scheme = (name: string, of: Of): Of => {
  const text = inHeader(of);
  return (account) => seal`${name} ${text(account)}`;
};

/** Headers are named only by their names, other parts also by their kind. */
const pairsIn = (part: Part, names: readonly (readonly string[])[]): Guess<Account>[] =>
  names.map(([forKey = '', forSecret = '']) => ({
    reason: `the API key and the secret key are in ${part === 'json' ? 'JSON' : part} ${forKey} and ${forSecret}`,
    put: (account) => {
      const text = part === 'header' || part === 'cookie' ? inHeader : (of: Of) => of;
      return [
        { part, name: forKey, value: text(key)(account) },
        { part, name: forSecret, value: text(secret)(account) },
      ];
    },
  }));

const inHeaders = (names: readonly string[], what: string, of: Of): Guess<Account>[] =>
  names.map((name) => ({
    reason: `${what} in the header ${name}`,
    put: (account) => [{ part: 'header', name, value: of(account) }],
  }));

const keyNames = [...new Set(keyHeaders.flat())];

/** A firewall may refuse a percent sign before the service sees it, so with one only an admission counts. */
const alone = (account: Account): Guess<Account>[] =>
  (
    [
      ['the API key is the token', 'Bearer', key],
      ['the secret key is the token', 'Bearer', secret],
      ['the API key has a scheme of its own', 'ApiKey', key],
    ] as const
  ).map(([reason, name, of]) => {
    const guess = authorization(reason, scheme(name, of));
    return inHeader(of)(account).is((text) => text.includes('%')) ? guess : plain(guess);
  });

const others: readonly Guess<Account>[] = [
  plain(
    authorization(
      'key and secret, as Basic has them, are the token',
      (account: Account) => seal`Bearer ${inBase64(both(account))}`,
    ),
  ),
  plain(basicCredentials('key and secret are Basic credentials', both)),
  basicCredentials('secret and key are Basic credentials', turned),
  basicCredentials(
    'the API key alone is the Basic user',
    ({ apiKey }: Account) => seal`${apiKey}:`,
  ),
  authorization('the API key stands alone', inHeader(key)),
  ...pairsIn('header', keyHeaders),
  ...inHeaders(authorizationLike, 'key and secret are Basic credentials', (account) =>
    basic(both(account)),
  ),
  ...inHeaders(keyNames, 'the secret key is', inHeader(secret)),
  ...pairsIn('query', [...keyParameters, ...smallKeyParameters]),
  ...pairsIn('cookie', [...keyParameters, ...smallKeyParameters]),
  ...pairsIn('json', [...keyParameters, ...smallKeyParameters]),
  ...pairsIn('form', keyParameters),
];
