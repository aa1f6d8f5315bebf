import { createHash } from 'node:crypto';
import { type Credentials, right } from '../../sandbox/behaviour.ts';
import { keyIf, secretAsObject, secretIf } from './credentials.ts';
import { fault, isUnset, type Mutant, type Variant } from './fault.ts';
import { decodedBy } from './request-parts.ts';

type Change = (text: string) => string;

/** Both texts are changed before they are compared. */
const secretAfter = (change: Change) => secretIf((sent, right) => change(sent) === change(right));
const keyAfter = (change: Change) => keyIf((sent, right) => change(sent) === change(right));

/** The secret key is also accepted in another form. */
const secretAlso = (form: Change) => secretIf((sent, right) => [right, form(right)].includes(sent));

const hash = (algorithm: string) => (text: string) =>
  createHash(algorithm).update(text).digest('hex');

const bytesOf = (sent: object): unknown => {
  const bytes: unknown = 'data' in sent ? sent.data : sent;
  return Array.isArray(bytes) ? Buffer.from(bytes).toString() : undefined;
};

/** The result of looking up a nonexistent key, compared as text with the given secret key. */
const storedFor = (sent: Credentials, right: { apiKey: string; secretKey: string }): unknown =>
  sent.apiKey === right.apiKey ? right.secretKey : undefined;

/** Credentials in another form, or not set, get a token. */
export const credentialFormMutants: readonly Mutant[] = [
  fault(
    'secret-is-its-hash',
    'The SHA-256 of the secret key, as the database holds it, is right too',
    () => secretAlso(hash('sha256')),
  ),
  fault(
    'secret-is-its-md5',
    'The MD5 of the secret key, as an old client sent it, is right too',
    () => secretAlso(hash('md5')),
  ),
  fault('secret-in-base64', 'The secret key may be in base64', () =>
    secretAlso((right) => Buffer.from(right).toString('base64')),
  ),
  fault('secret-percent-decoded', 'The secret key is percent-decoded once more', () =>
    secretAfter(decodedBy(decodeURIComponent)),
  ),
  fault('secret-html-decoded', 'HTML entities in the secret key are decoded', () =>
    secretAfter((text) =>
      text.replace(/&#(\d+);/g, (_, code) => String.fromCodePoint(Number(code))),
    ),
  ),
  fault('secret-tags-stripped', 'HTML tags are removed from the secret key', () =>
    secretAfter((text) => text.replace(/<[^>]*>/g, '')),
  ),
  fault('secret-in-quotes', 'The secret key is parsed as JSON once more', () =>
    secretAfter(decodedBy(JSON.parse)),
  ),
  fault('secret-in-unicode-form', 'The secret key is normalised by NFKC', () =>
    secretAfter((text) => text.normalize('NFKC')),
  ),
  fault('key-in-composed-form', 'The API key is normalised by NFC', () =>
    keyAfter((text) => text.normalize('NFC')),
  ),
  fault('key-without-accents', 'The API key is compared by a collation that ignores accents', () =>
    keyAfter((text) => text.normalize('NFD').replace(/\p{M}/gu, '')),
  ),
  fault('key-without-dashes', 'Dashes in the API key do not count', () =>
    keyAfter((text) => text.replaceAll('-', '')),
  ),
  fault('secret-blanks-collapsed', 'Several blanks in the secret key count as one', () =>
    secretAfter((text) => text.replace(/ +/g, ' ')),
  ),
  fault(
    'secret-invisible-signs-ignored',
    'Characters of no width in the secret key do not count',
    () => secretAfter((text) => text.replace(/\p{Cf}/gu, '')),
  ),
  fault(
    'key-cut-and-trimmed',
    'The API key is cut to 255 characters, and blanks behind it do not count',
    () => keyAfter((text) => text.slice(0, 255).trimEnd()),
  ),
  fault(
    'first-character-of-the-secret-ignored',
    'The first character of the secret key does not count',
    () => secretAfter((text) => `${text.length}${text.slice(1)}`),
  ),
  fault(
    'middle-of-the-secret-ignored',
    'Only the length and both ends of the secret key count',
    () => secretAfter((text) => `${text.length}${text.slice(0, 8)}${text.slice(-8)}`),
  ),
  fault('secret-as-bytes', 'The secret key may be an array or a buffer of its bytes', () =>
    secretAsObject((sent, right) => bytesOf(sent) === right),
  ),
  fault('secret-as-characters', 'The secret key may be an array of its characters', () =>
    secretAsObject((sent, right) => Array.isArray(sent) && sent.join('') === right),
  ),
  fault('last-of-several-secrets', 'Of an array of secret keys the last counts', () =>
    secretAsObject((sent, right) => Array.isArray(sent) && sent.at(-1) === right),
  ),
  fault(
    'column-for-a-secret',
    'An object in place of the secret key becomes a comparison of a column in SQL',
    () => secretAsObject((sent) => 'secretKey' in sent),
  ),
  fault('like-key', 'The API key is looked up with LIKE, so that % fits', () =>
    keyIf((sent, right) => sent === right || sent === '%'),
  ),
  fault(
    'comment-behind-the-key',
    'The API key is pasted into SQL, so that a comment hides the secret key',
    () => ({
      valid: ({ apiKey, secretKey }, { account }) =>
        apiKey === `${account.apiKey}' -- ` ||
        (apiKey === account.apiKey && secretKey === account.secretKey),
    }),
  ),
  fault(
    'orm-operator-secret',
    'An operator of an object mapper in place of the secret key reaches the database',
    () => secretAsObject((sent) => 'contains' in sent),
  ),
  fault('unset-pair', 'Neither half is checked where both are null or empty', () => ({
    valid: (sent, state) =>
      (sent.apiKey !== undefined && isUnset(sent.apiKey) && sent.secretKey === null) ||
      right.valid(sent, state),
  })),
  fault('unknown-key-and-null', 'The secret key of a key that does not exist equals null', () => ({
    valid: (sent, { account }) =>
      sent.secretKey === (storedFor(sent, account) ?? null) && sent.apiKey !== null,
  })),
  fault(
    'unknown-key-and-undefined',
    'The secret key of a key that does not exist is the word undefined',
    () => ({
      valid: (sent, { account }) => sent.secretKey === String(storedFor(sent, account)),
    }),
  ),
  fault(
    'credentials-by-basic',
    'Without fields in the body the credentials may be in the header as Basic credentials',
    () => ({
      credentials(call) {
        const [, text = ''] = /^Basic (.*)$/.exec(call.headers.authorization ?? '') ?? [];
        const [apiKey, secretKey] = Buffer.from(text, 'base64').toString().split(/:(.*)/s);
        return text === '' ? right.credentials(call) : { apiKey, secretKey };
      },
    }),
  ),
];

/** Credentials in forms that the contract leaves open. */
export const credentialFormVariants: readonly Variant[] = [
  fault(
    'field-names-in-any-case',
    'The names of the fields are read without regard to case, as Go and ASP.NET do',
    () => ({
      credentials(call) {
        const exact = right.credentials(call);
        if (exact === undefined) return undefined;
        const fields = Object.entries(JSON.parse(call.body) as Record<string, unknown>);
        const named = (name: string): unknown =>
          fields.find(([field]) => field.toLowerCase() === name.toLowerCase())?.[1];
        return { apiKey: named('apiKey'), secretKey: named('secretKey') };
      },
    }),
  ),
];
