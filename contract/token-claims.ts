import { days, hours, lifetime, minutes, seconds, timeText } from './durations.ts';
import type { Doubts } from './finding.ts';
import { type Answer, header, httpDate } from './http/answer.ts';
import { isObject, numberIn } from './json-value.ts';
import { inBody, readToken } from './schema.ts';
import { jwtIn } from './token-form.ts';

// A claim is evidence, never a proof: the guard may look at something else (OPEN-4).

/** A life in milliseconds, infinite without an end, and where it is claimed. */
interface Claim {
  readonly where: string;
  readonly lifeMs: number;
}

/** The lives that an answer with a token claims. */
export function claimsIn(answer: Answer): readonly Claim[] {
  const token = readToken(answer);
  if (token === undefined) return [];
  const claims = jwtIn(token)?.claims;
  const [exp, iat] = ['exp', 'iat'].map((name) => numberIn(claims, name));
  const answeredAt = httpDate(header(answer, 'date'));
  const madeAt = iat === undefined ? answeredAt : seconds(iat);
  const since = (instant = Number.NaN): number => instant - (madeAt ?? Number.NaN);
  // A token that is given again says how much of its life is left.
  const goneMs = Math.max(0, since(answeredAt) || 0);
  const lifeIn = (name: string, value: unknown): number => {
    if (/^expires_?at$/i.test(name)) return since(parseInstant(value));
    const lengthMs = /^expires_?in$/i.test(name) ? lengthOf(value) : Number.NaN;
    return isADay(lengthMs) ? lengthMs : lengthMs + goneMs;
  };
  const fields = [inBody(answer), inBody(answer, 'data')].filter(isObject).flatMap(Object.entries);
  const lives: Claim[] = fields.map(([where, value]) => ({ where, lifeMs: lifeIn(where, value) }));
  const ofJwt = iat === undefined ? 'exp of its JWT' : 'exp − iat of its JWT';
  lives.unshift({ where: ofJwt, lifeMs: since(exp && seconds(exp)) });
  if (claims && !('exp' in claims))
    lives.unshift({ where: 'its JWT has no exp', lifeMs: Number.POSITIVE_INFINITY });
  return lives.filter(({ lifeMs }) => !Number.isNaN(lifeMs));
}

const isADay = (ms: number): boolean => Math.abs(ms - lifetime) <= minutes(1);

/** `86400` or `"86400"`: seconds, but 24 hours in any unit are 24 hours. */
function lengthOf(value: unknown): number {
  const count = /^\d{1,15}$/.test(String(value)) ? Number(value) : Number.NaN;
  const inUnits = [count, seconds(count), minutes(count), hours(count), days(count)];
  return inUnits.find(isADay) ?? seconds(count);
}

/** ISO 8601 with a zone, or seconds or milliseconds since 1970. */
function parseInstant(value: unknown): number | undefined {
  const text = String(value);
  if (/^\d{10}(\d{3})?$/.test(text)) return Number(text.padEnd(13, '0'));
  return /^\d{4}-.*T.*(Z|[+-]\d\d:?\d\d)$/.test(text) ? Date.parse(text) || undefined : undefined;
}

/** What the claims say, for an observation: `24 h (expiresIn)`. */
export const claimText = (claims: readonly Claim[]): string =>
  claims.map(({ where, lifeMs }) => `${lifeText(lifeMs)} (${where})`).join(', ');

/** The clauses that contradict claims. */
export function doubtsIn(claims: readonly Claim[]): Doubts {
  const others = claims.filter(({ lifeMs }) => !isADay(lifeMs));
  const doubts = Map.groupBy(others, ({ lifeMs }) => (lifeMs < lifetime ? 'EXPIRY-1' : 'EXPIRY-2'));
  const why = (those: readonly Claim[]) =>
    `the provider says that its tokens live ${claimText(those)}, not 24 hours, which is no proof`;
  return Object.fromEntries([...doubts].map(([clause, those]) => [clause, why(those)]));
}

function lifeText(ms: number): string {
  if (isADay(ms)) return '24 h';
  return ms === Number.POSITIVE_INFINITY ? 'for ever' : timeText(ms);
}
