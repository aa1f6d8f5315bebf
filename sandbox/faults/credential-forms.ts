import { createHash } from 'node:crypto';
import { type Credentials, right } from '../behaviour.ts';
import { ifText, type Mutant, matching, same, type Variant } from './fault.ts';

/** The secret key is compared after both texts were changed. */
const secretAfter = (change: (text: string) => string): Mutant['make'] => {
  const alike = ifText((sent, right) => sent === right || change(sent) === change(right));
  return () => matching(same, alike);
};

/** The API key is compared after both texts were changed. */
const keyAfter = (change: (text: string) => string): Mutant['make'] => {
  const alike = ifText((sent, right) => sent === right || change(sent) === change(right));
  return () => matching(alike, same);
};

/** The secret key is also accepted in another form. */
const secretAlso = (form: (right: string) => string): Mutant['make'] => {
  const alike = ifText((sent, right) => sent === right || sent === form(right));
  return () => matching(same, alike);
};

/** A secret key of another type is converted before it is compared. */
const converted = (convert: (sent: object) => unknown): Mutant['make'] => {
  const alike = (sent: unknown, right: string): boolean =>
    sent === right || (typeof sent === 'object' && sent !== null && convert(sent) === right);
  return () => matching(same, alike);
};

const hash = (algorithm: string) => (text: string) =>
  createHash(algorithm).update(text).digest('hex');

/** The text decoded, if possible. */
const decodedBy =
  (decode: (text: string) => unknown) =>
  (text: string): string => {
    try {
      return String(decode(text));
    } catch {
      return text;
    }
  };

const bytesOf = (sent: object): unknown => {
  const bytes: unknown = 'data' in sent ? sent.data : sent;
  return Array.isArray(bytes) ? Buffer.from(bytes).toString() : undefined;
};

const isUnset = (value: unknown): boolean => value === undefined || value === null || value === '';

/** The result of looking up a nonexistent key, compared as text with the given secret key. */
const storedFor = (sent: Credentials, right: { apiKey: string; secretKey: string }): unknown =>
  sent.apiKey === right.apiKey ? right.secretKey : undefined;

/** Credentials in another form, or not set, get a token. */
export const credentialFormMutants: readonly Mutant[] = [
  {
    name: 'secret-is-its-hash',
    means: 'The SHA-256 of the secret key, as the database holds it, is right too',
    make: secretAlso(hash('sha256')),
  },
  {
    name: 'secret-is-its-md5',
    means: 'The MD5 of the secret key, as an old client sent it, is right too',
    make: secretAlso(hash('md5')),
  },
  {
    name: 'secret-in-base64',
    means: 'The secret key may be in base64',
    make: secretAlso((right) => Buffer.from(right).toString('base64')),
  },
  {
    name: 'secret-percent-decoded',
    means: 'The secret key is percent-decoded once more',
    make: secretAfter(decodedBy(decodeURIComponent)),
  },
  {
    name: 'secret-html-decoded',
    means: 'HTML entities in the secret key are decoded',
    make: secretAfter((text) =>
      text.replace(/&#(\d+);/g, (_, code) => String.fromCodePoint(Number(code))),
    ),
  },
  {
    name: 'secret-tags-stripped',
    means: 'HTML tags are removed from the secret key',
    make: secretAfter((text) => text.replace(/<[^>]*>/g, '')),
  },
  {
    name: 'secret-in-quotes',
    means: 'The secret key is parsed as JSON once more',
    make: secretAfter(decodedBy(JSON.parse)),
  },
  {
    name: 'secret-in-unicode-form',
    means: 'The secret key is normalised by NFKC',
    make: secretAfter((text) => text.normalize('NFKC')),
  },
  {
    name: 'key-in-composed-form',
    means: 'The API key is normalised by NFC',
    make: keyAfter((text) => text.normalize('NFC')),
  },
  {
    name: 'key-without-accents',
    means: 'The API key is compared by a collation that ignores accents',
    make: keyAfter((text) => text.normalize('NFD').replace(/\p{M}/gu, '')),
  },
  {
    name: 'key-without-dashes',
    means: 'Dashes in the API key do not count',
    make: keyAfter((text) => text.replaceAll('-', '')),
  },
  {
    name: 'secret-blanks-collapsed',
    means: 'Several blanks in the secret key count as one',
    make: secretAfter((text) => text.replace(/ +/g, ' ')),
  },
  {
    name: 'secret-invisible-signs-ignored',
    means: 'Characters of no width in the secret key do not count',
    make: secretAfter((text) => text.replace(/\p{Cf}/gu, '')),
  },
  {
    name: 'key-cut-and-trimmed',
    means: 'The API key is cut to 255 characters, and blanks behind it do not count',
    make: keyAfter((text) => text.slice(0, 255).trimEnd()),
  },
  {
    name: 'first-character-of-the-secret-ignored',
    means: 'The first character of the secret key does not count',
    make: secretAfter((text) => `${text.length}${text.slice(1)}`),
  },
  {
    name: 'middle-of-the-secret-ignored',
    means: 'Only the length and both ends of the secret key count',
    make: secretAfter((text) => `${text.length}${text.slice(0, 8)}${text.slice(-8)}`),
  },
  {
    name: 'secret-as-bytes',
    means: 'The secret key may be an array or a buffer of its bytes',
    make: converted(bytesOf),
  },
  {
    name: 'secret-as-characters',
    means: 'The secret key may be an array of its characters',
    make: converted((sent) => (Array.isArray(sent) ? sent.join('') : undefined)),
  },
  {
    name: 'last-of-several-secrets',
    means: 'Of an array of secret keys the last counts',
    make: converted((sent) => (Array.isArray(sent) ? sent.at(-1) : undefined)),
  },
  {
    name: 'column-for-a-secret',
    means: 'An object in place of the secret key becomes a comparison of a column in SQL',
    make: () =>
      matching(
        same,
        (sent, right) =>
          sent === right || (typeof sent === 'object' && sent !== null && 'secretKey' in sent),
      ),
  },
  {
    name: 'like-key',
    means: 'The API key is looked up with LIKE, so that % fits',
    make: () =>
      matching(
        ifText((sent, right) => sent === right || sent === '%'),
        same,
      ),
  },
  {
    name: 'comment-behind-the-key',
    means: 'The API key is pasted into SQL, so that a comment hides the secret key',
    make: () => ({
      valid: ({ apiKey, secretKey }, { account }) =>
        apiKey === `${account.apiKey}' -- ` ||
        (apiKey === account.apiKey && secretKey === account.secretKey),
    }),
  },
  {
    name: 'orm-operator-secret',
    means: 'An operator of an object mapper in place of the secret key reaches the database',
    make: () =>
      matching(
        same,
        (sent, right) =>
          sent === right || (typeof sent === 'object' && sent !== null && 'contains' in sent),
      ),
  },
  {
    name: 'unset-pair',
    means: 'Neither half is checked where both are null or empty',
    make: () => ({
      valid: (sent, state) =>
        (sent.apiKey !== undefined && isUnset(sent.apiKey) && sent.secretKey === null) ||
        right.valid(sent, state),
    }),
  },
  {
    name: 'unknown-key-and-null',
    means: 'The secret key of a key that does not exist equals null',
    make: () => ({
      valid: (sent, { account }) =>
        sent.secretKey === (storedFor(sent, account) ?? null) && sent.apiKey !== null,
    }),
  },
  {
    name: 'unknown-key-and-undefined',
    means: 'The secret key of a key that does not exist is the word undefined',
    make: () => ({
      valid: (sent, { account }) => sent.secretKey === String(storedFor(sent, account)),
    }),
  },
  {
    name: 'credentials-by-basic',
    means: 'Without fields in the body the credentials may be in the header as Basic credentials',
    make: () => ({
      credentials(call) {
        const [, text = ''] = /^Basic (.*)$/.exec(call.headers.authorization ?? '') ?? [];
        const [apiKey, secretKey] = Buffer.from(text, 'base64').toString().split(/:(.*)/s);
        return text === '' ? right.credentials(call) : { apiKey, secretKey };
      },
    }),
  },
];

/** Credentials in forms that the contract leaves open. */
export const credentialFormVariants: readonly Variant[] = [
  {
    name: 'field-names-in-any-case',
    means: 'The names of the fields are read without regard to case, as Go and ASP.NET do',
    make: () => ({
      credentials(call) {
        const exact = right.credentials(call);
        if (exact === undefined) return undefined;
        const fields = Object.entries(JSON.parse(call.body) as Record<string, unknown>);
        const named = (name: string): unknown =>
          fields.find(([field]) => field.toLowerCase() === name.toLowerCase())?.[1];
        return { apiKey: named('apiKey'), secretKey: named('secretKey') };
      },
    }),
  },
];
