import { html, type Markup } from './markup.ts';

/** `2026-03-01 12:04:05 UTC`: the on-call engineer compares it with logs. */
export const clock = (at: Date): Markup =>
  html`<time datetime="${at.toISOString()}">${day(at)} ${at.toISOString().slice(11, 19)} UTC</time>`;

/** `2026-03-01`. */
const day = (at: Date): string => at.toISOString().slice(0, 10);

/** `2026-03-01 12:00 UTC`. */
export const hour = (at: Date): string => `${day(at)} ${at.toISOString().slice(11, 16)} UTC`;

/** The same as an element. */
export const hourTime = (at: Date): Markup =>
  html`<time datetime="${at.toISOString()}">${hour(at)}</time>`;

/** The time between two instants, in its largest unit. */
export const span = (from: Date, to: Date): string =>
  period((to.getTime() - from.getTime()) / 1000);

/** Seconds in their largest unit, rounded down. */
export function period(seconds: number): string {
  const whole = Math.max(0, Math.round(seconds));
  if (whole < 120) return `${whole} s`;
  if (whole < 7200) return `${Math.floor(whole / 60)} min`;
  return whole < 172_800 ? `${Math.floor(whole / 3600)} h` : `${Math.floor(whole / 86_400)} d`;
}

/** A token's age in whole seconds: `23 h 59 min 30 s`. */
export function age(seconds: number): string {
  const [hours, minutes, rest] = parts(seconds);
  return `${hours} h ${two(minutes)} min ${two(rest)} s`;
}

/** The same for narrow places: `23:59:30`. */
export function shortAge(seconds: number): string {
  const [hours, minutes, rest] = parts(seconds);
  return `${hours}:${two(minutes)}:${two(rest)}`;
}

const parts = (seconds: number): readonly [number, number, number] => [
  Math.floor(seconds / 3600),
  Math.floor((seconds % 3600) / 60),
  Math.floor(seconds % 60),
];

const two = (value: number): string => String(value).padStart(2, '0');

/** Milliseconds, with one decimal place for small values; from ten seconds on, seconds. */
export const shortDuration = (seconds: number): string =>
  seconds < 10
    ? `${(seconds * 1000).toFixed(seconds < 0.01 ? 1 : 0)} ms`
    : `${seconds.toFixed(1)} s`;

/** A share in percent, rounded down: only a complete share is 100 %. */
export function percent(part: number, whole: number): string {
  if (whole === 0) return 'none';
  const hundredths = Math.floor((part * 10_000) / whole);
  return `${(hundredths / 100).toFixed(hundredths % 100 === 0 ? 0 : 2)} %`;
}

/** `1 run`, `12,000 runs`. */
export const count = (number: number, noun: string): string =>
  `${number.toLocaleString('en')} ${number === 1 ? noun : `${noun}s`}`;

export const words = (name: string): string => name.replaceAll('-', ' ');
