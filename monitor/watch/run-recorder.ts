import { doubtedUntil } from '../loop/maintenance.ts';
import type { Change, ContractStatus } from '../target/contract-status.ts';
import { type Run, withoutFacts } from '../round/run.ts';
import type { WatchedTarget } from '../round/watched-target.ts';
import type { History } from './history.ts';
import { Latency } from './latency.ts';
import type { MonitorContext } from './monitor-context.ts';
import { keep, type PersistedTarget, type Streak } from './persisted-target.ts';

/** Where runs are recorded, and the state before. */
interface Places extends Pick<MonitorContext, 'metrics' | 'log' | 'state' | 'time' | 'retention'> {
  readonly standing: ContractStatus;
  readonly memory: PersistedTarget;
}

export class RunRecorder {
  /** By the names of probes. */
  readonly histories: ReadonlyMap<string, History>;
  readonly #target: WatchedTarget;
  readonly #places: Places;
  readonly #streaks: Map<string, Streak>;
  readonly #latency: Latency;

  /** @param names of the probes that are run, without repetitions */
  constructor(target: WatchedTarget, names: readonly string[], places: Places) {
    const { memory, metrics, state } = places;
    this.#target = target;
    this.#places = places;
    this.histories = new Map(names.map((probe) => [probe, memory.history(probe)]));
    this.#streaks = new Map(names.map((probe) => [probe, memory.streak(probe)]));
    this.#latency = new Latency(target.name, state);
    for (const [probe, { failures, lastKeptAt }] of this.#streaks)
      metrics.streak(target.name, probe, failures, lastKeptAt);
  }

  take(run: Run): void {
    const { state, standing, log, retention } = this.#places;
    const { probe, outcome, unproven } = run.result;
    const kept = withoutFacts(run);
    // Maintenance suppresses verdicts, but not probing. Answers that prove nothing do not change a verdict then either.
    const isProof = outcome === 'passed' && unproven === undefined;
    const counts = isProof || !this.#isInMaintenance(run);
    const changes = counts ? standing.take(kept) : [];
    const streak = streakAfter(this.#streaks.get(probe.name), run);
    this.#streaks.set(probe.name, streak);
    const history = this.histories.get(probe.name);
    history?.add(kept);
    if (history !== undefined)
      keep(state, { run: kept, counts, standing, changes, history, streak });
    this.#latency.take(run, retention.now());
    this.#count(run, streak, counts);
    this.#report(changes);
    if (outcome === 'defect') log.defect(run);
  }

  /** Maintenance may affect a run that overlaps it at any time. */
  #isInMaintenance({ startedAt: from }: Run): boolean {
    const now = this.#places.time.wall();
    return doubtedUntil(this.#target.maintenance ?? [], Math.min(from, now), now) !== undefined;
  }

  /** Updates the metrics with a run. */
  #count(run: Run, streak: Streak, counts: boolean): void {
    const { metrics, standing } = this.#places;
    const { name } = this.#target;
    const { probe, outcome, findings } = run.result;
    metrics.ran(run, outcome === 'passed' && standing.passes(probe));
    if (run.http?.clockOffsetSeconds !== undefined)
      metrics.clockOffset(name, run.http.clockOffsetSeconds);
    metrics.streak(name, probe.name, streak.failures, streak.lastKeptAt);
    if (counts)
      for (const clause of new Set(findings.map((finding) => finding.clause)))
        metrics.violated(name, clause);
  }

  #report(changes: readonly Change[]): void {
    const { metrics, log, standing } = this.#places;
    const { name } = this.#target;
    if (changes.some(({ is }) => is === 'verdict')) metrics.verdicts(name, standing.verdicts());
    for (const change of changes) {
      if (change.is === 'fact') metrics.observationChanged(name, change.now.id);
      log.changed(name, change);
    }
  }
}

function streakAfter(before: Streak = { failures: 0 }, { startedAt, result }: Run): Streak {
  if (result.outcome === 'passed') return { failures: 0, lastKeptAt: startedAt };
  return { ...before, failures: before.failures + 1 };
}
