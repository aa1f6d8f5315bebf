import { type Alert, type Message, messageOf } from './alert.ts';
import type { Condition } from './conditions.ts';

export interface FiringAlert {
  readonly alert: Alert;
  /** Whether the alert is resolved only after its condition has been absent for `resolveAfterMs`. */
  readonly isHeld: boolean;
  /**
   * Since when the condition is absent (milliseconds since 1970), and for how long that was observed
   * (milliseconds).
   */
  readonly quiet?: { readonly since: number; readonly forMs: number };
}

/** The alerts of one target, by the keys of their conditions. */
export interface Alerts {
  readonly firing: ReadonlyMap<string, FiringAlert>;
  /** How long each condition was observed that has not yet lasted long enough (milliseconds). */
  readonly pending: ReadonlyMap<string, number>;
}

export const noAlerts: Alerts = { firing: new Map(), pending: new Map() };

/** What is observed of a target at one time. */
export interface Observation {
  readonly conditions: readonly Condition[];
  /** During maintenance alerts neither begin nor end. */
  readonly isSilenced: boolean;
  /** How long the target was watched since the previous observation, without pauses and clock changes. */
  readonly watchedMs: number;
  /** How long the condition of a held alert must be absent before the alert is resolved. */
  readonly resolveAfterMs: number;
}

/**
 * Decides which alerts begin and end. It is a pure function; other modules deliver and store the result.
 * @param now milliseconds since 1970
 */
export function decide(
  before: Alerts,
  observation: Observation,
  now: number,
): { readonly alerts: Alerts; readonly messages: readonly Message[] } {
  const { conditions, isSilenced } = observation;
  if (isSilenced) return { alerts: { firing: before.firing, pending: new Map() }, messages: [] };
  const firing = new Map<string, FiringAlert>();
  const pending = new Map<string, number>();
  const messages: Message[] = [];
  const seen = new Set(conditions.map(({ key }) => key));
  for (const [key, one] of before.firing) {
    const next = seen.has(key)
      ? { alert: one.alert, isHeld: one.isHeld }
      : quieter(one, observation, now);
    if ('endsAt' in next) messages.push(messageOf('resolved', one.alert, next.endsAt));
    else firing.set(key, next);
  }
  for (const { key, forMs, alert } of conditions) {
    if (firing.has(key) || alert === undefined) continue;
    const lasted = before.pending.get(key);
    const seenMs = lasted === undefined ? 0 : lasted + observation.watchedMs;
    if (seenMs < forMs) pending.set(key, seenMs);
    else {
      const begun = { ...alert, startsAt: alert.startsAt ?? now };
      firing.set(key, { alert: begun, isHeld: 'clause' in alert.labels });
      messages.push(messageOf('firing', begun));
    }
  }
  return { alerts: { firing, pending }, messages };
}

/** An alert whose condition is absent. */
function quieter(
  { alert, isHeld, quiet }: FiringAlert,
  { watchedMs, resolveAfterMs }: Observation,
  now: number,
): FiringAlert | { readonly endsAt: number } {
  const since = quiet?.since ?? Math.max(now, alert.startsAt);
  const forMs = quiet === undefined ? 0 : quiet.forMs + watchedMs;
  if (forMs >= (isHeld ? resolveAfterMs : 0)) return { endsAt: since };
  return { alert, isHeld, quiet: { since, forMs } };
}
