import { header, httpDate, type Received } from './answer.ts';

interface Limit {
  /** `Retry-After` (RFC 9110 10.2.3), a number of seconds or a date. */
  readonly retryAfterMs?: number;
  /** When the provider admits requests again, if it has just admitted the last one. */
  readonly resetMs?: number;
}

/**
 * What an answer says about limits: also `RateLimit: "name";r=0;t=30`, `RateLimit: limit=10, remaining=0, reset=30`,
 * `RateLimit-Remaining: 0`.
 */
export function limitIn(received: Received): Limit {
  const joined = header(received, 'ratelimit') ?? '';
  const value = (short: string, long: string): string | undefined =>
    new RegExp(`\\b(?:${short}|${long})=(\\d+)`).exec(joined)?.[1] ??
    header(received, `ratelimit-${long}`) ??
    header(received, `x-ratelimit-${long}`);
  // Instants are in the provider's time, which may be simulated, so the `Date` of the answer is subtracted.
  const from = httpDate(header(received, 'date')) ?? Date.now();
  /** A number of seconds, or a large one as an instant. */
  const msOf = (text = ''): number | undefined =>
    /^\d+$/.test(text) ? Number(text) * 1000 - (Number(text) > 1e9 ? from : 0) : undefined;
  const retryAfter = header(received, 'retry-after');
  const date = httpDate(retryAfter);
  return {
    retryAfterMs: date === undefined ? msOf(retryAfter) : date - from,
    resetMs: value('r', 'remaining') === '0' ? msOf(value('t', 'reset')) : undefined,
  };
}
