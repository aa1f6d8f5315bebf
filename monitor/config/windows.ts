import { field } from '../../contract/json-value.ts';
import { type Window, windowAt } from '../schedule/maintenance.ts';
import { isTimeZone } from '../schedule/time-zone.ts';
import { type Complaints, hint, nearWord, type Path } from './complaints.ts';
import { secondsAt } from './duration.ts';

/** The days as a file names them, numbered as `Date` does. */
export const weekdays = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];

export function windowsOf(
  value: unknown,
  at: Path,
  complaints: Complaints,
): readonly Window[] | undefined {
  if (!Array.isArray(value)) return undefined;
  const windows = value.flatMap((one, index) => {
    const window = windowOf(one, [...at, index], complaints);
    const note = field(one, 'note');
    return window === undefined ? [] : [typeof note === 'string' ? { ...window, note } : window];
  });
  if (neverEnds(windows)) complaints.about(at, 'never ends: its windows fill the week');
  return windows;
}

/** Whether weekly windows cover the whole week. */
function neverEnds(windows: readonly Window[]): boolean {
  const weekly = windows.filter((window) => 'days' in window);
  const whole = windowAt(weekly, 0);
  return whole !== undefined && whole.until - whole.from >= 7 * daySeconds * 1000;
}

const daySeconds = 86_400;

const forms = [
  ['from', 'until'],
  ['days', 'at', 'for'],
] as const;

function windowOf(value: unknown, at: Path, complaints: Complaints): Window | undefined {
  const has = (name: string): boolean => field(value, name) !== undefined;
  const begun = forms.filter((names) => names.some(has));
  if (begun.length !== 1 || !begun.flat().every(has)) {
    complaints.about(at, 'needs from and until alone, or days, at and for alone');
    return undefined;
  }
  if (has('from') && has('timezone')) {
    const found = 'belongs to days, at and for: from and until have an offset of their own';
    complaints.about([...at, 'timezone'], found, { is: 'name' });
    return undefined;
  }
  return has('from') ? once(value, at, complaints) : weekly(value, at, complaints);
}

function once(value: unknown, at: Path, complaints: Complaints): Window | undefined {
  const [from, until] = ['from', 'until'].map((name) =>
    instantAt(field(value, name), [...at, name], complaints),
  );
  if (from === undefined || until === undefined) return undefined;
  if (from < until) return { from, until };
  complaints.about([...at, 'until'], 'is not after from');
  return undefined;
}

function weekly(value: unknown, at: Path, complaints: Complaints): Window | undefined {
  const zone = field(value, 'timezone');
  const timeZone = typeof zone === 'string' ? zone : undefined;
  if (timeZone !== undefined && !isTimeZone(timeZone)) {
    const found = `is not a time zone of the IANA database${hint(meantBy(timeZone))}`;
    // If it cannot be a name at all, the schema reports it.
    if (/^[a-z]/i.test(timeZone)) complaints.about([...at, 'timezone'], found);
    return undefined;
  }
  const named = field(value, 'days');
  const days = named === 'daily' ? [...weekdays.keys()] : daysIn(named);
  const start = minutesIn(field(value, 'at'));
  const bounds = [60, 7 * daySeconds] as const;
  const seconds = secondsAt(field(value, 'for'), [...at, 'for'], bounds, complaints);
  if (days.length === 0 || start === undefined || seconds === undefined) return undefined;
  return { days, at: start * 60_000, length: seconds * 1000, timeZone };
}

/** The time zone that was probably meant: `Europe/Berlin` for `Europe/Berln`, `berlin` or `Germany/Berlin`. */
function meantBy(name: string): string | undefined {
  const known = Intl.supportedValuesOf('timeZone');
  const city = `/${name.split('/').at(-1)}`.toLowerCase();
  return nearWord(name, known) ?? known.find((zone) => zone.toLowerCase().endsWith(city));
}

const daysIn = (value: unknown): number[] =>
  (Array.isArray(value) ? value : []).map((day) => weekdays.indexOf(day)).filter((day) => day >= 0);

/** The minutes after midnight in `02:00`. */
function minutesIn(value: unknown): number | undefined {
  const [, hours, minutes] = /^(\d\d):(\d\d)$/.exec(typeof value === 'string' ? value : '') ?? [];
  return hours === undefined ? undefined : Number(hours) * 60 + Number(minutes);
}

/** An RFC 3339 instant as milliseconds since 1970; undefined, and recorded, for a day that does not exist. */
function instantAt(value: unknown, at: Path, complaints: Complaints): number | undefined {
  const text = typeof value === 'string' ? value : '';
  const [, day] = /^(\d{4}-\d\d-\d\d)T/.exec(text) ?? [];
  if (day === undefined) return undefined;
  const ms = Date.parse(text);
  const midnight = Date.parse(`${day}T00:00:00Z`);
  if (!Number.isNaN(ms) && new Date(midnight).toISOString().startsWith(day)) return ms;
  complaints.about(at, 'is not an instant of the calendar');
  return undefined;
}
