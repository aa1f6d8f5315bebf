const dayMs = 86_400_000;

/** Cached, because creating one takes 50 µs and some kilobytes. */
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
  // `GMT`, `GMT+05:30`; for historical dates also with seconds.
  const [, sign, hours = 0, minutes = 0, seconds = 0] =
    /^GMT([+-])(\d\d):(\d\d)(?::(\d\d))?$/.exec(text) ?? [];
  const size = ((Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1000;
  return sign === '-' ? -size : size;
}

/**
 * The instant at which the clocks of a zone show a local time (RFC 5545 3.3.5). A time that occurs twice, because
 * clocks go back, means the first of the two. A time that is skipped, because clocks go forward, is read with the
 * offset before the change: the skipped 02:30 becomes 03:30.
 * @param local what the clocks show, as milliseconds since 1970 if it were UTC @param timeZone of the IANA database
 * @returns milliseconds since 1970 @throws RangeError for an unknown zone
 */
export function instantOf(local: number, timeZone: string): number {
  // Every zone is less than a day from UTC, and changes its clocks at most once in two days.
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
