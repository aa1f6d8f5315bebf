import type { Journal } from './journal.ts';
import type { View } from './monitor.ts';
import type { SimulatedProvider } from './provider.ts';
import { toleranceMs } from './witness.ts';

/** Eight days of a canary every four hours, and some more because the wall clock is set back repeatedly. */
const mostCanaries = 72;
/** The timers of the schedule, of the writer, and of network requests to two targets. */
const mostSleepers = 40;

/**
 * Memory does not grow without limit, and the known bounds of token lifetimes are true.
 * @param maintained whether there ever was maintenance, in which canaries may be lost
 */
export function checkBounds(
  { targets }: View,
  providers: ReadonlyMap<string, SimulatedProvider>,
  { sleepers, maintained }: { readonly sleepers: number; readonly maintained: boolean },
  journal: Journal,
): void {
  if (sleepers > mostSleepers) journal.complain(`${sleepers} wait for an instant`);
  for (const { status, token } of targets) {
    const { target: name, checks, events, endpoints } = status;
    const { alive = 0, expired = 0, failed = 0, lost = 0 } = token?.canaries ?? {};
    const canaries = alive + expired + failed + lost;
    if (canaries > mostCanaries) journal.complain(`${name}: ${canaries} canaries`);
    if (checks.length > 60 || events.length > 100)
      journal.complain(`${name}: too many checks or events are listed`);
    if (Object.values(endpoints).some(({ halfHours }) => halfHours.length > 96))
      journal.complain(`${name}: too many half hours`);
    const wrong = providers.get(name)?.wrong ?? [];
    if (lost > 0 && !maintained && wrong.every(({ admitted }) => admitted))
      journal.complain(`${name}: ${lost} canaries are lost for no reason`);
    const { atLeastSeconds = 0, atMostSeconds = Infinity } = token ?? {};
    if (atLeastSeconds > 86_400 && !wrong.some(({ admitted }) => admitted))
      journal.complain(`${name}: a token lived at least ${atLeastSeconds} s, and none did`);
    if (atMostSeconds < 86_400 - toleranceMs / 1000 && wrong.every(({ admitted }) => admitted))
      journal.complain(`${name}: a token lived at most ${atMostSeconds} s, and none did`);
  }
}
