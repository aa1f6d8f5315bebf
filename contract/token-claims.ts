import type { Doubts } from './finding.ts';
import { type Answer, header, httpDate } from './http/answer.ts';
import { isObject, numberIn } from './json-value.ts';
import { inBody, tokenOf } from './schema.ts';
import { hours, lifetime, minutes, timeText } from './time/clock.ts';
import { jwtIn } from './token-form.ts';

/*
 * What a provider says of the life of its tokens, in a JWT or beside the token. A claim is evidence, never a proof: the
 * guard may look at something else (OPEN-4).
 */

/** A life in milliseconds, infinite without an end, and where it is claimed. */
interface Claim {
  readonly where: string;
  readonly lifeMs: number;
}

/** The lives that an answer with a token claims. */
export function claimsIn(answer: Answer): readonly Claim[] {
  const token = tokenOf(answer);
  if (token === undefined) return [];
  const claims = jwtIn(token)?.claims;
  const [exp, iat] = ['exp', 'iat'].map((name) => numberIn(claims, name));
  const answeredAt = httpDate(header(answer, 'date'));
  const madeAt = iat === undefined ? answeredAt : iat * 1000;
  const found: Claim[] = [];
  if (claims !== undefined && !('exp' in claims))
    found.push({ where: 'its JWT has no exp', lifeMs: Number.POSITIVE_INFINITY });
  else if (exp !== undefined && madeAt !== undefined) {
    const where = iat === undefined ? 'exp of its JWT' : 'exp − iat of its JWT';
    found.push({ where, lifeMs: exp * 1000 - madeAt });
  }
  // A token that is given again says how much of its life is left.
  const goneMs = answeredAt === undefined || madeAt === undefined ? 0 : answeredAt - madeAt;
  const parts = [inBody(answer), inBody(answer, 'data')].filter(isObject);
  for (const [where, value] of parts.flatMap((part) => Object.entries(part))) {
    const lengthMs = /^expires_?in$/i.test(where) ? lengthOf(value) : undefined;
    const endsAt = /^expires_?at$/i.test(where) ? instantOf(value) : undefined;
    if (lengthMs !== undefined)
      found.push({ where, lifeMs: lengthMs + (isADay(lengthMs) ? 0 : Math.max(0, goneMs)) });
    if (endsAt !== undefined && madeAt !== undefined)
      found.push({ where, lifeMs: endsAt - madeAt });
  }
  return found;
}

const toleranceMs = minutes(1);

const isADay = (ms: number): boolean => Math.abs(ms - lifetime) <= toleranceMs;

/** `86400`, `"86400"`, `"24h"` or `"1 day"`: seconds, but 24 hours in any unit are 24 hours. */
function lengthOf(value: unknown): number | undefined {
  const form = /^(\d{1,15})(?:\.0+)? ?(?:([hd])[a-z]*|m|min|minutes|ms|s|sec|seconds)?$/i;
  const [, digits, unit] = form.exec(String(value)) ?? [];
  if (digits === undefined) return undefined;
  const count = Number(digits);
  if (unit !== undefined) return count * hours(unit.toLowerCase() === 'd' ? 24 : 1);
  return [1, minutes(1), hours(1)].map((each) => count * each).find(isADay) ?? count * 1000;
}

/** ISO 8601 with a zone, or seconds or milliseconds since 1970. */
function instantOf(value: unknown): number | undefined {
  const text = String(value);
  if (/^\d{10}(\d{3})?$/.test(text)) return Number(text.padEnd(13, '0'));
  return /^\d{4}-.*T.*(Z|[+-]\d\d:?\d\d)$/.test(text) ? Date.parse(text) || undefined : undefined;
}

/** The fact that is observed of claims. */
export const claimedLife = 'claimed life of a token, no proof';

export const forEver = 'for ever';

/** What the claims say, for an observation: `24 h (expiresIn)`. */
export const claimText = (claims: readonly Claim[]): string =>
  claims.map(({ where, lifeMs }) => `${lifeText(lifeMs)} (${where})`).join(', ');

/** The clauses that contradict claims. */
export function doubtsIn(claims: readonly Claim[]): Doubts {
  const other = claims.filter(({ lifeMs }) => !isADay(lifeMs));
  const short = other.filter(({ lifeMs }) => lifeMs < lifetime);
  const long = other.filter(({ lifeMs }) => lifeMs > lifetime);
  return {
    ...(short.length === 0 ? {} : { 'EXPIRY-1': doubtOf(short) }),
    ...(long.length === 0 ? {} : { 'EXPIRY-2': doubtOf(long) }),
  };
}

const doubtOf = (claims: readonly Claim[]): string =>
  `the provider says that its tokens live ${claimText(claims)}, not 24 hours, which is no proof`;

/** `24 h`, `30 d` or `for ever`. */
function lifeText(ms: number): string {
  if (isADay(ms)) return '24 h';
  return ms === Number.POSITIVE_INFINITY ? forEver : timeText(ms);
}
