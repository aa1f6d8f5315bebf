import { header, httpDate, type Received } from './answer.ts';

const limitNames = /^(x-)?rate-?limit|^retry-after$/i;

/**
 * The names of headers on limits, and the milliseconds until the provider admits requests again if it has just admitted
 * the last one: `RateLimit: "name";r=0;t=30`, `RateLimit: limit=10, remaining=0, reset=30`, `RateLimit-Remaining: 0`.
 */
export function limitIn(received: Received, now: number): { names: string[]; resetMs?: number } {
  const names = received.headers
    .map(([name]) => name.toLowerCase())
    .filter((name) => limitNames.test(name));
  if (names.length === 0) return { names };
  const joined = header(received, 'ratelimit') ?? '';
  const value = (short: string, long: string): number =>
    Number(
      new RegExp(`\\b(?:${short}|${long})=(\\d+)`).exec(joined)?.[1] ??
        header(received, `ratelimit-${long}`) ??
        header(received, `x-ratelimit-${long}`) ??
        Number.NaN,
    );
  const seconds = value('t', 'reset');
  if (value('r', 'remaining') !== 0 || Number.isNaN(seconds)) return { names };
  // A large number is an instant, in the provider's time.
  const reset = seconds * 1000;
  const from = seconds > 1e9 ? (httpDate(header(received, 'date')) ?? now) : 0;
  return { names, resetMs: reset - from };
}

/** `Retry-After` (RFC 9110 10.2.3) is a number of seconds, or a date. */
export function retryAfterMs(received: Received, now: number): number | undefined {
  const value = header(received, 'retry-after') ?? '';
  if (/^\d+$/.test(value)) return Number(value) * 1000;
  const date = httpDate(value);
  // The date is in the provider's time, which may be simulated, so the `Date` of the answer is subtracted.
  return date && date - (httpDate(header(received, 'date')) ?? now);
}
