import { randomInt } from 'node:crypto';
import { isObject, numberIn, parsedJson } from './json-value.ts';
import type { Secret, Token } from './secrets/secret.ts';

export const randomToken = (token: Token): Token => ({
  ...token,
  secret: randomLike(token.secret),
});

/**
 * A random text of the same form: the same length and separators, letters and digits from the text's own. It differs
 * from the text, which may be short. If that has neither letters nor digits, every character is replaced.
 */
export const randomLike = (secret: Secret): Secret =>
  secret.derive((text) => {
    const letters = listLetters(text);
    const signs = /[A-Za-z0-9]/.test(text) ? /[A-Za-z0-9]/g : /./gs;
    let random = text;
    while (random === text && text !== '')
      random = text.replace(signs, () => letters[randomInt(letters.length)] ?? '');
    return random;
  });

/** The letters and digits of a text, each once. */
export function listLetters(text: string): string {
  const letters = [...new Set(text.match(/[A-Za-z0-9]/g))].join('');
  return letters.length > 1 ? letters : 'abcdef0123456789';
}

/** The alphabet and the length of a token for the observations, which do not reveal it (OPEN-4): `digits, 9 long`. */
export function describeForm(token: Secret): string {
  if (jwtIn(token) !== undefined) return 'JWT';
  const alphabet = alphabets.find(([, pattern]) => token.is((text) => pattern.test(text)));
  return `${alphabet?.[0] ?? 'other characters'}, ${token.length} long`;
}

const alphabets: readonly (readonly [name: string, pattern: RegExp])[] = [
  ['UUID', /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i],
  ['digits', /^\d+$/],
  ['hexadecimal', /^[0-9a-f]+$/i],
  // Many base64url texts contain neither - nor _ by chance, and must not look like another form.
  ['letters, digits, - and _', /^[A-Za-z0-9_-]+$/],
  ['base64', /^[A-Za-z0-9+/]+=*$/],
];

/** The parts of a token between its dots. */
export function splitToken(token: Secret): string[] {
  const parts: string[] = [];
  token.is((text) => parts.push(...text.split('.')) > 0);
  return parts;
}

export type Jwt = NonNullable<ReturnType<typeof jwtIn>>;

/** What a signed JWT says, and its three parts (RFC 7515, compact); undefined if a token is not one. */
export function jwtIn(token: Secret) {
  const [head = '', body = '', signature, ...more] = splitToken(token);
  if (signature === undefined || more.length > 0) return undefined;
  const [header, claims] = [head, body].map((part) =>
    parsedJson(Buffer.from(part, 'base64url').toString()),
  );
  if (!isObject(header) || typeof header.alg !== 'string' || !isObject(claims)) return undefined;
  return { header, claims, head, body, signature };
}

/** When a JWT was issued: its `iat`, here in milliseconds since 1970; undefined if it has none. */
export function issuedAt(token: Secret): number | undefined {
  const iat = numberIn(jwtIn(token)?.claims, 'iat');
  return iat && iat * 1000;
}

export const encode = (value: unknown): string =>
  Buffer.from(JSON.stringify(value)).toString('base64url');
