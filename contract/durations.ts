/** Milliseconds; the contract calculates only in them. */
export const seconds = (count: number): number => count * 1000;
export const minutes = (count: number): number => seconds(60 * count);
export const hours = (count: number): number => minutes(60 * count);
export const days = (count: number): number => hours(24 * count);

/** The validity of every access token (Limits). */
export const lifetime = hours(24);

/** `24 h 00 min 00.000 s`, with days in front where there are any beyond the first. */
export function duration(ms: number): string {
  const rest = Math.abs(Math.round(ms));
  const sign = ms < 0 && rest > 0 ? '-' : '';
  const wholeDays = rest >= days(2) ? Math.floor(rest / days(1)) : 0;
  const left = rest - days(wholeDays);
  const two = (value: number): string => String(value).padStart(2, '0');
  const clock = `${Math.floor(left / hours(1))} h ${two(Math.floor(left / minutes(1)) % 60)} min`;
  return `${sign}${wholeDays > 0 ? `${wholeDays} d ` : ''}${clock} ${((left % minutes(1)) / 1000).toFixed(3).padStart(6, '0')} s`;
}

/** A length of time in the largest unit that it fills: `30 s`, `1.5 h`, `12 d`. */
export function timeText(ms: number): string {
  const units = { d: days(1), h: hours(1), min: minutes(1) };
  const [unit, unitMs] = Object.entries(units).find(([, each]) => ms >= each) ?? ['s', seconds(1)];
  return `${Math.round((ms / unitMs) * 10) / 10} ${unit}`;
}
