import { days, hours, minutes } from '../../contract/time/clock.ts';
import type { Lines } from '../watch/log.ts';
import type { Status } from '../watch/status.ts';

/** `day 2 04:10`, on a clock that began at the start: both in milliseconds. */
export function momentOf(elapsedMs: number): string {
  const two = (count: number): string => String(Math.floor(count)).padStart(2, '0');
  const [hour, minute] = [(elapsedMs % days(1)) / hours(1), (elapsedMs % hours(1)) / minutes(1)];
  return `day ${Math.floor(elapsedMs / days(1)) + 1} ${two(hour)}:${two(minute)}`;
}

/** Lines of the log for a person, with the moment of the demo instead of the time of day. */
export const moments = (out: Lines, elapsedMs: () => number): Lines => ({
  write: (text) => out.write(`${momentOf(elapsedMs())}${text.replace(/^\d\d:\d\d:\d\d/, '')}`),
});

/** Tells what the log passes over, that a clause about a token's life is proven: once for each. */
export function proofs(report: (line: string) => void): (status: Status) => void {
  const message = new Set<string>();
  return ({ targets }) => {
    for (const { clauses, token } of targets)
      for (const { id, text, verdict } of clauses) {
        if (!id.startsWith('EXPIRY') || verdict !== 'holds' || message.has(id)) continue;
        message.add(id);
        report(`${id} holds: ${text}${boundsOf(id, token)}`);
      }
  };
}

/** What canaries have shown by then. */
function boundsOf(id: string, token: Status['targets'][number]['token']): string {
  const seconds = { 'EXPIRY-1': token?.atLeastSeconds, 'EXPIRY-2': token?.atMostSeconds }[id];
  if (seconds === undefined) return '';
  return ` (a token lived at ${id === 'EXPIRY-1' ? 'least' : 'most'} ${age(seconds)})`;
}

const age = (seconds: number): string =>
  `${Math.floor(seconds / 3600)} h ${String(Math.floor((seconds % 3600) / 60)).padStart(2, '0')} min ${String(Math.floor(seconds % 60)).padStart(2, '0')} s`;
