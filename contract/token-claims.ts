import type { Doubts } from './finding.ts';
import { type Answer, header, httpDate } from './http/answer.ts';
import { isObject, numberIn } from './json-value.ts';
import { inBody, tokenOf } from './schema.ts';
import { days, hours, lifetime, minutes, seconds, timeText } from './time/clock.ts';
import { jwtIn } from './token-form.ts';

// A claim is evidence, never a proof: the guard may look at something else (OPEN-4).

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
  const madeAt = iat === undefined ? answeredAt : seconds(iat);
  const since = (instant = Number.NaN): number => instant - (madeAt ?? Number.NaN);
  // A token that is given again says how much of its life is left.
  const goneMs = Math.max(0, since(answeredAt) || 0);
  const lifeIn = (name: string, value: unknown): number | undefined => {
    if (/^expires_?at$/i.test(name)) return since(instantOf(value));
    const lengthMs = /^expires_?in$/i.test(name) ? lengthOf(value) : undefined;
    return lengthMs && (isADay(lengthMs) ? lengthMs : lengthMs + goneMs);
  };
  const fields = [inBody(answer), inBody(answer, 'data')].filter(isObject).flatMap(Object.entries);
  const lives: readonly (readonly [where: string, lifeMs: number | undefined])[] = [
    ['its JWT has no exp', claims && !('exp' in claims) ? Number.POSITIVE_INFINITY : undefined],
    [iat === undefined ? 'exp of its JWT' : 'exp − iat of its JWT', since(exp && seconds(exp))],
    ...fields.map(([name, value]) => [name, lifeIn(name, value)] as const),
  ];
  return lives.flatMap(([where, lifeMs]) =>
    lifeMs === undefined || Number.isNaN(lifeMs) ? [] : [{ where, lifeMs }],
  );
}

const toleranceMs = minutes(1);

const isADay = (ms: number): boolean => Math.abs(ms - lifetime) <= toleranceMs;

/** `86400` or `"86400"`: seconds, but 24 hours in any unit are 24 hours. */
function lengthOf(value: unknown): number | undefined {
  if (!/^\d{1,15}$/.test(String(value))) return undefined;
  const inUnits = [1, seconds(1), minutes(1), hours(1), days(1)].map(
    (unit) => Number(value) * unit,
  );
  return inUnits.find(isADay) ?? seconds(Number(value));
}

/** ISO 8601 with a zone, or seconds or milliseconds since 1970. */
function instantOf(value: unknown): number | undefined {
  const text = String(value);
  if (/^\d{10}(\d{3})?$/.test(text)) return Number(text.padEnd(13, '0'));
  return /^\d{4}-.*T.*(Z|[+-]\d\d:?\d\d)$/.test(text) ? Date.parse(text) || undefined : undefined;
}

/** The fact that is observed of claims. */
export const claimedLife = 'claimed life of a token, no proof';

/** What the claims say, for an observation: `24 h (expiresIn)`. */
export const claimText = (claims: readonly Claim[]): string =>
  claims.map(({ where, lifeMs }) => `${lifeText(lifeMs)} (${where})`).join(', ');

/** The clauses that contradict claims. */
export function doubtsIn(claims: readonly Claim[]): Doubts {
  const doubts: { 'EXPIRY-1'?: string; 'EXPIRY-2'?: string } = {};
  const other = claims.filter(({ lifeMs }) => !isADay(lifeMs));
  for (const [clause, those] of Map.groupBy(other, ({ lifeMs }) =>
    lifeMs < lifetime ? 'EXPIRY-1' : 'EXPIRY-2',
  ))
    doubts[clause] =
      `the provider says that its tokens live ${claimText(those)}, not 24 hours, which is no proof`;
  return doubts;
}

/** `24 h`, `30 d` or `for ever`. */
function lifeText(ms: number): string {
  if (isADay(ms)) return '24 h';
  return ms === Number.POSITIVE_INFINITY ? 'for ever' : timeText(ms);
}
