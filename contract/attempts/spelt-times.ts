import { unpadded } from '../secrets/masked.ts';

/*
 * A service that stores no tokens reads the end of a token from the token itself. If it does not sign what it reads,
 * anyone who reads it can write another token. A single altered character makes such a text unreadable, so it is
 * refused all the same.
 */

const same = (text: string): string => text;

/** The encodings of a text, and how they are written: also without padding, or with the signs of base64url. */
const codings: readonly (readonly [BufferEncoding, (encoded: string) => string])[] = [
  ['utf8', same],
  ['hex', same],
  ['base64', same],
  ['base64url', same],
  ['base64', unpadded],
  ['base64', (encoded) => encoded.replaceAll('+', '-').replaceAll('/', '_')],
];

/** The token with later times in it; the same if it does not spell a time. */
export function withLaterTime(token: string): string {
  for (const [encoding, written] of codings) {
    const spelt = Buffer.from(token, encoding).toString();
    const changed = spelt.replace(times, laterTime);
    const write = (text: string): string => written(Buffer.from(text).toString(encoding));
    if (changed !== spelt && write(spelt) === token) return write(changed);
  }
  return token;
}

/** Seconds or milliseconds since 1970, and the year of a date with a time. */
const times = /(?<!\d)[12]\d{9}(?:\d{3})?(?!\d)|\d{4}(?=-\d\d-\d\d[T ]\d\d:\d\d)/g;

/** A year later, or an hour later: no other probe was given a token of that time. */
function laterTime(time: string): string {
  const more = { 4: 1, 10: 3600 }[time.length] ?? 3_600_000;
  return String(Number(time) + more);
}
