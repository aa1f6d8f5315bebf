import type { TokenStatus } from '../../monitor/canary/keeper.ts';
import type { Run } from '../../monitor/round/run.ts';
import type { Plan } from '../../monitor/status/judge.ts';
import { reduce } from '../../monitor/status/reduce.ts';
import { newStatus, type Status } from '../../monitor/status/status.ts';
import {
  type MonitorView,
  type TargetView,
  createTargetView as viewOfTarget,
} from '../../monitor/status/view.ts';
import { probes } from '../../probes/index.ts';
import { placesFor, target } from './runs.ts';

/** Midnight of a day, when the monitor of these tests started: milliseconds since 1970. */
export const start = Date.UTC(2027, 2, 1);

/** A quarter of an hour after the start. */
export const now = start + 900_000;

/** All probes on two endpoints: one for reading, and one for writing. */
const plan: Plan = { places: placesFor(probes), probes, hasCanaries: true };

/** The status of a target after these rounds. */
export const statusAfter = (...rounds: readonly (readonly Run[])[]): Status =>
  rounds
    .flat()
    .reduce(
      (before, run) => reduce(before, run, plan),
      newStatus(target.name, target.connection.origin.href, start),
    );

/** A target with this status, as page and metrics show it. */
export const viewWith = (status: Status, change: Partial<TargetView> = {}): TargetView => ({
  ...viewOfTarget(target, status, 60),
  ...change,
});

/** A monitor of these targets, a quarter of an hour after its start. */
export const monitorWith = (
  targets: readonly TargetView[],
  change: Partial<MonitorView> = {},
): MonitorView => ({
  version: '1.2.3',
  startedAt: start,
  now,
  draining: false,
  missedTicks: 0,
  own: {
    targetsInFile: targets.length,
    loadedAt: start,
    failedWrites: 0,
    isStateWritable: true,
  },
  targets,
  ...change,
});

/** What canaries show of tokens that live this long. */
export const tokenWith = (seconds: number, change: Partial<TokenStatus> = {}): TokenStatus => ({
  canaries: { alive: 3, expired: 12, failed: Math.abs(seconds - 86_400) > 5 ? 2 : 0, lost: 1 },
  toleranceSeconds: 5,
  atLeastSeconds: seconds - 15.3,
  atMostSeconds: seconds + 30.4,
  ...change,
});
