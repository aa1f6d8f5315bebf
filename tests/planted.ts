import { sandboxAccount } from '../sandbox/provider.ts';

/** An account whose values are easy to find in any encoding. */
export const account = {
  apiKey: 'Kestrel+planted/KEY=x9Zr2Lm?',
  secretKey: 'Umbra "planted" <SECRET> &55\\f0é b2qW7%',
};

/** If a text has this many characters of a secret, in any form, it counts as a leak. */
const revealing = 12;

/** The forms in which a text may be written. Comparisons use lower case. */
export const forms: Readonly<Record<string, (secret: string) => readonly string[]>> = {
  raw: (secret) => [secret],
  'URL-encoded': (secret) => [
    encodeURIComponent(secret),
    encodeURI(secret),
    secret.replaceAll(' ', '+'),
    Buffer.from(secret).toString('hex').replace(/../g, '%$&'),
  ],
  base64: (secret) => ['', 'x', 'xx'].map((before) => inside(before, secret, 'base64')),
  base64url: (secret) => ['', 'x', 'xx'].map((before) => inside(before, secret, 'base64url')),
  hex: (secret) => [Buffer.from(secret).toString('hex')],
  'JSON-escaped': (secret) => [
    JSON.stringify(secret).slice(1, -1),
    secret.replace(/./gs, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`),
  ],
  'HTML-escaped': (secret) => [
    secret.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`),
    secret.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;'),
  ],
};

/** The encoded characters that depend only on the secret, whatever comes before and after it. */
function inside(before: string, secret: string, encoding: 'base64' | 'base64url'): string {
  const whole = Buffer.from(before + secret);
  const bytes = whole.length - (whole.length % 3);
  return whole
    .subarray(0, bytes)
    .toString(encoding)
    .slice(Math.ceil((before.length * 4) / 3));
}

/** The secret as it is, in a JSON body, and in a JSON body inside another one. */
function inJson(secret: string): string[] {
  const escaped = (text: string): string => JSON.stringify(text).slice(1, -1);
  return [...new Set([secret, escaped(secret), escaped(escaped(secret))])];
}

/** A number for four letters from a position, for speed: megabytes are searched. */
const beginning = (text: string, at: number): number =>
  (text.charCodeAt(at) ^
    (text.charCodeAt(at + 1) << 5) ^
    (text.charCodeAt(at + 2) << 10) ^
    (text.charCodeAt(at + 3) << 15)) &
  0xfffff;

/**
 * Searches a text for secrets, in every form, in any case, whole or from either end.
 * @returns the number of each secret found, and its form; never the secret
 */
export function leaksOf(secrets: readonly string[]): (text: string) => string[] {
  const windows = new Map<number, Map<string, string>>();
  const begins = new Uint8Array(2 ** 20);
  for (const [number, secret] of secrets.entries())
    for (const [form, write] of Object.entries(forms))
      for (const written of inJson(secret)
        .flatMap(write)
        .map((word) => word.toLowerCase())) {
        const size = Math.round((revealing * written.length) / secret.length);
        const parts = windows.get(size) ?? new Map<string, string>();
        windows.set(size, parts);
        for (const part of [written.slice(0, size), written.slice(-size)]) {
          parts.set(part, `secret ${number}, ${form}`);
          begins[beginning(part, 0)] = 1;
        }
      }
  return (text) => {
    const folded = text.toLowerCase();
    const found = new Set<string>();
    for (let at = 0; at < folded.length; at++) {
      if (begins[beginning(folded, at)] === 0) continue;
      for (const [size, parts] of windows) {
        const what = parts.get(folded.slice(at, at + size));
        if (what !== undefined) found.add(what);
      }
    }
    return [...found];
  };
}

/** What no program may print, besides the secrets of its own environment. Tests add what they plant elsewhere. */
export const planted = new Set([...Object.values(sandboxAccount), ...Object.values(account)]);
