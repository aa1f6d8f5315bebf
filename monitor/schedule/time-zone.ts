const dayMs = 86_400_000;

/** Making one takes 50 µs and some kilobytes. */
const forms = new Map<string, Intl.DateTimeFormat>();

function formOf(timeZone: string): Intl.DateTimeFormat {
  const form =
    forms.get(timeZone) ?? new Intl.DateTimeFormat('en', { timeZone, timeZoneName: 'longOffset' });
  forms.set(timeZone, form);
  return form;
}

/** How far the clocks of a zone are ahead of UTC at an instant. Milliseconds. */
function offsetAt(instant: number, timeZone: string): number {
  const parts = formOf(timeZone).formatToParts(instant);
  const text = parts.find(({ type }) => type === 'timeZoneName')?.value ?? '';
  // `GMT`, `GMT+05:30`; long ago also with seconds.
  const [, sign, hours = 0, minutes = 0, seconds = 0] =
    /^GMT([+-])(\d\d):(\d\d)(?::(\d\d))?$/.exec(text) ?? [];
  const size = ((Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1000;
  return sign === '-' ? -size : size;
}

/**
 * The instant at which the clocks of a zone show a local time, by the rule of RFC 5545 3.3.5. Where clocks go back and
 * show it twice, it is the first of the two. Where they go forward and skip it, it is when they would have shown it,
 * had they not gone forward: at 02:30, which is skipped, they show 03:30.
 * @param local what the clocks show, as milliseconds since 1970 if it were UTC @param timeZone of the IANA database
 * @returns milliseconds since 1970 @throws RangeError for a zone that is not known
 */
export function instantOf(local: number, timeZone: string): number {
  // No zone is as much as a day away from UTC, and none changes its clocks twice in two days.
  const before = offsetAt(local - dayMs, timeZone);
  const after = offsetAt(local + dayMs, timeZone);
  const found = [local - before, local - after]
    .filter((instant) => instant + offsetAt(instant, timeZone) === local)
    .sort((one, other) => one - other);
  return found[0] ?? local - before;
}

/** Whether a text names a zone of the IANA database: the runtime also accepts offsets such as +02:00. */
export function isTimeZone(text: string): boolean {
  try {
    return /^[a-z]/i.test(text) && formOf(text) !== undefined;
  } catch {
    return false;
  }
}
