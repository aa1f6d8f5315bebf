import { history } from '../../monitor/history.ts';
import type { Run } from '../../monitor/run.ts';
import { standingOf } from '../../monitor/standing.ts';
import { type Status, statusOf } from '../../monitor/status.ts';
import { probes } from '../../probes/index.ts';
import { slotsFor, target } from './runs.ts';

/** Midnight of some day, when the monitor of these tests started. */
export const start = Date.UTC(2027, 2, 1);

/** What the monitor says after these runs, a quarter of an hour after its start. */
export function statusWith(runs: readonly Run[]): Status {
  const slots = slotsFor(probes);
  const standing = standingOf(slots, probes, start);
  const histories = new Map(slots.map(({ probe }) => [probe.name, history()]));
  for (const run of runs) {
    standing.take(run);
    histories.get(run.outcome.probe.name)?.add(run);
  }
  return {
    version: '1.2.3',
    startedAt: new Date(start),
    now: new Date(start + 15 * 60_000),
    draining: false,
    runs: {
      expected: runs.length,
      run: runs.length,
      missed: 0,
      skipped: 0,
      waiting: 0,
      because: { overlap: 0, suspended: 0, draining: 0 },
    },
    targets: [statusOf({ target, slots, standing, histories })],
  };
}
