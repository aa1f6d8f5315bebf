import { doubtedUntil } from '../schedule/maintenance.ts';
import type { ContractStatus } from '../target/contract-status.ts';
import type { WatchedTarget } from '../target/plan.ts';
import type { Run } from '../target/run.ts';
import type { History } from './history.ts';
import { keep, type PersistedTarget, type Streak } from './persisted-target.ts';
import type { MonitorContext } from './watched.ts';

/** Where the runs of one target are written down. */
export interface RunRecorder {
  /** Of each probe, by its name. */
  readonly histories: ReadonlyMap<string, History>;
  /** Takes a run that has ended to wherever it is to be seen. */
  take(run: Run): void;
}

/** What it goes to, and what was known before. */
interface Places extends Pick<MonitorContext, 'metrics' | 'log' | 'state' | 'time'> {
  readonly standing: ContractStatus;
  readonly memory: PersistedTarget;
}

/** @param names of the probes that are run, each once */
export function createRunRecorder(
  { name, maintenance = [] }: WatchedTarget,
  names: readonly string[],
  { metrics, log, state, time, standing, memory }: Places,
): RunRecorder {
  const histories = new Map(names.map((probe) => [probe, memory.history(probe)]));
  const streaks = new Map(names.map((probe) => [probe, memory.streak(probe)]));
  for (const [probe, { failures, lastKeptAt }] of streaks)
    metrics.streak(name, probe, failures, lastKeptAt);

  /** Also a run that only began in maintenance, or saw it come and go, may have met with what was done there. */
  function inMaintenance({ startedAt: from }: Run): boolean {
    const now = time.wall();
    return doubtedUntil(maintenance, Math.min(from, now), now) !== undefined;
  }

  /** The figures of a run. */
  function count(run: Run, streak: Streak, counts: boolean): void {
    const { probe, findings } = run.outcome;
    const latest = standing.latest().filter(({ outcome }) => outcome.probe.name === probe.name);
    const kept = latest.every(({ outcome }) => outcome.ending === 'kept');
    metrics.ran(run, kept);
    if (run.http?.clockOffsetSeconds !== undefined)
      metrics.clockOffset(name, run.http.clockOffsetSeconds);
    metrics.streak(name, probe.name, streak.failures, streak.lastKeptAt);
    if (counts)
      for (const clause of new Set(findings.map((finding) => finding.clause)))
        metrics.violated(name, clause);
  }

  return {
    histories,
    take(run) {
      const { probe, ending } = run.outcome;
      // Maintenance silences verdicts, not probing.
      const counts = ending === 'kept' || !inMaintenance(run);
      const changes = counts ? standing.take(run) : [];
      const streak = streakAfter(streaks.get(probe.name), run);
      streaks.set(probe.name, streak);
      const history = histories.get(probe.name);
      history?.add(run);
      if (history !== undefined) keep(state, { run, counts, standing, changes, history, streak });
      count(run, streak, counts);
      if (changes.some(({ is }) => is === 'verdict')) metrics.verdicts(name, standing.verdicts());
      for (const change of changes) {
        if (change.is === 'fact') metrics.observationChanged(name, change.now.id);
        log.changed(name, change);
      }
      if (ending === 'defect') log.defect(run);
    },
  };
}

function streakAfter(before: Streak = { failures: 0 }, { startedAt, outcome }: Run): Streak {
  if (outcome.ending === 'kept') return { failures: 0, lastKeptAt: startedAt };
  return { ...before, failures: before.failures + 1 };
}
