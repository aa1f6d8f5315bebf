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
  const wholeDays = rest >= days(2) ? Math.floor(rest / days(1)) : 0;
  const wholeHours = Math.floor((rest - days(wholeDays)) / hours(1));
  const [, minute, second] = new Date(rest).toISOString().slice(0, -1).split(':');
  const sign = ms < 0 && rest > 0 ? '-' : '';
  return `${sign}${wholeDays > 0 ? `${wholeDays} d ` : ''}${wholeHours} h ${minute} min ${second} s`;
}

/** A length of time in the largest unit that it fills: `30 s`, `1.5 h`, `12 d`. */
export function timeText(ms: number): string {
  const units = { d: days(1), h: hours(1), min: minutes(1) };
  const [unit, unitMs] = Object.entries(units).find(([, each]) => ms >= each) ?? ['s', seconds(1)];
  return `${Math.round((ms / unitMs) * 10) / 10} ${unit}`;
}
