import { days, hours, minutes } from '../../contract/time/clock.ts';
import type { Lines } from '../watch/log.ts';
import type { Status } from '../watch/status.ts';
import { age } from '../web/page/wording.ts';

/** Formats `day 2 04:10` from the milliseconds since the start. */
export function momentOf(elapsedMs: number): string {
  const two = (count: number): string => String(Math.floor(count)).padStart(2, '0');
  const hour = (elapsedMs % days(1)) / hours(1);
  const minute = (elapsedMs % hours(1)) / minutes(1);
  return `day ${Math.floor(elapsedMs / days(1)) + 1} ${two(hour)}:${two(minute)}`;
}

/** Log lines for a reader, with the time of the demo instead of the time of day. */
export const moments = (out: Lines, elapsedMs: () => number): Lines => ({
  write: (text) => out.write(`${momentOf(elapsedMs())}${text.replace(/^\d\d:\d\d:\d\d/, '')}`),
});

/** Reports, once per clause, that a clause about token lifetimes is proven. The log omits this. */
export function proofs(report: (line: string) => void): (status: Status) => void {
  const narrated = new Set<string>();
  return ({ targets }) => {
    for (const { clauses, token } of targets)
      for (const { id, text, verdict } of clauses) {
        if (!id.startsWith('EXPIRY') || verdict !== 'holds' || narrated.has(id)) continue;
        narrated.add(id);
        report(`${id} holds: ${text}${boundsOf(id, token)}`);
      }
  };
}

/** The bounds that canaries have proven so far, each rounded so that it still holds. */
function boundsOf(id: string, token: Status['targets'][number]['token']): string {
  const { atLeastSeconds, atMostSeconds } = token ?? {};
  if (id === 'EXPIRY-1' && atLeastSeconds !== undefined)
    return ` (a token lived at least ${age(Math.floor(atLeastSeconds))})`;
  if (id === 'EXPIRY-2' && atMostSeconds !== undefined)
    return ` (a token lived at most ${age(Math.ceil(atMostSeconds))})`;
  return '';
}
