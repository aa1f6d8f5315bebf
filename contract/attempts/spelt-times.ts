/*
 * A service that stores no tokens reads the end of a token from the token itself. If it does not sign what it reads,
 * anyone who reads it can write another token. A single altered character makes such a text unreadable, so it is
 * refused all the same.
 */

/** A text in an encoding: how it is read, and how it is written again. */
interface Coding {
  read(text: string): string;
  write(text: string): string;
}

const coding = (encoding: BufferEncoding, change = (text: string) => text): Coding => ({
  read: (text) => Buffer.from(text, encoding).toString(),
  write: (text) => change(Buffer.from(text).toString(encoding)),
});

const codings: readonly Coding[] = [
  coding('utf8'),
  coding('hex'),
  coding('base64'),
  coding('base64url'),
  coding('base64', (text) => text.replace(/=+$/, '')),
  coding('base64', (text) => text.replaceAll('+', '-').replaceAll('/', '_')),
];

/** The token with later times in it; the same if it does not spell a time. */
export function withLaterTime(token: string): string {
  for (const { read, write } of codings) {
    const spelt = read(token);
    const changed = spelt.replace(times, laterTime);
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
