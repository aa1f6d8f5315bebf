import { html } from 'hono/html';

/** `2026-03-01 12:04:05 UTC`: the on-call engineer compares it with logs. @param at milliseconds since 1970 */
export function clock(at: number) {
  const text = new Date(at).toISOString();
  return html`<time datetime="${text}">${text.slice(0, 19).replace('T', ' ')} UTC</time>`;
}

/** The time between two instants (milliseconds), in its largest unit. */
export const span = (from: number, to: number): string => period((to - from) / 1000);

/** Seconds in their largest unit, rounded down. */
export function period(seconds: number): string {
  const whole = Math.max(0, Math.round(seconds));
  if (whole < 120) return `${whole} s`;
  if (whole < 7200) return `${Math.floor(whole / 60)} min`;
  return whole < 172_800 ? `${Math.floor(whole / 3600)} h` : `${Math.floor(whole / 86_400)} d`;
}

/** A token's age in whole seconds: `23 h 59 min 30 s`. */
export function age(seconds: number): string {
  const two = (value: number): string => String(Math.floor(value)).padStart(2, '0');
  return `${Math.floor(seconds / 3600)} h ${two((seconds % 3600) / 60)} min ${two(seconds % 60)} s`;
}

/** Milliseconds, with one decimal place for small values; from ten seconds on, seconds. */
export function duration(seconds: number | undefined): string {
  if (seconds === undefined) return '–';
  if (seconds >= 10) return `${seconds.toFixed(1)} s`;
  return `${(seconds * 1000).toFixed(seconds < 0.01 ? 1 : 0)} ms`;
}
