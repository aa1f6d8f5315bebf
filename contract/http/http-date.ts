/**
 * A date of a header in milliseconds since 1970. RFC 9110 5.6.7 has three forms, all of them in UTC, but the oldest,
 * `Sun Nov  6 08:49:37 1994`, does not name it: JavaScript would read it in the zone of this machine.
 */
export function httpDate(value: string | undefined): number | undefined {
  if (value === undefined || !/^(Mon|Tue|Wed|Thu|Fri|Sat|Sun)/.test(value)) return undefined;
  const instant = Date.parse(/(GMT|[+-]\d{4})$/.test(value) ? value : `${value} GMT`);
  return Number.isNaN(instant) ? undefined : instant;
}
