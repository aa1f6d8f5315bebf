import { field } from '../../contract/json-value.ts';
import type { Window } from '../loop/maintenance.ts';
import type { Complaints, Path } from './complaints.ts';

export function windowsOf(
  value: unknown,
  at: Path,
  complaints: Complaints,
): readonly Window[] | undefined {
  if (!Array.isArray(value)) return undefined;
  return value.flatMap((one, index): Window[] => {
    const [from, until] = ['from', 'until'].map((name) =>
      instantAt(field(one, name), [...at, index, name], complaints),
    );
    if (from === undefined || until === undefined) return [];
    if (from >= until) complaints.about([...at, index, 'until'], 'is not after from');
    const note = field(one, 'note');
    return [{ from, until, ...(typeof note === 'string' ? { note } : {}) }];
  });
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
