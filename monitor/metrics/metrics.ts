import type { MustId, OpenId } from '../../contract/clauses.ts';
import type { CanaryMetrics } from '../canary/canary-monitor.ts';
import type { Share } from '../config/shard.ts';
import type { Cause } from '../schedule/schedule.ts';
import type { KnownVerdict, TargetState } from '../target/contract-status.ts';
import type { Run } from '../target/run.ts';
import { ownMetrics, type StateFile } from './own.ts';
import {
  type Expected,
  expectProbes,
  recordProcessing,
  recordRun,
  type TargetRecord,
  targetRecord,
} from './record.ts';
import { probeText, seriesOf, targetText } from './text.ts';

/**
 * All that the monitor exports. Labels are names of targets and probes, and closed enumerations: no address, no text.
 * Whatever is told of a target that is not expected, or not any more, is dropped: a run may outlive its target.
 */
export interface Metrics extends CanaryMetrics {
  /**
   * Makes the series of a target before anything has happened, so that `increase()` sees the first event too. Told
   * again, it keeps what it has counted of the probes that stay.
   */
  expect(target: string, probes: readonly string[], expected: Expected): void;
  /** @param success whether the latest run of the probe on each of its endpoints was a success */
  ran(run: Run, success: boolean): void;
  /** @param lastKeptAt milliseconds since 1970 */
  streak(target: string, probe: string, consecutiveFailures: number, lastKeptAt?: number): void;
  verdicts(target: string, verdicts: readonly KnownVerdict[]): void;
  /** A run found a clause broken. */
  violated(target: string, clause: MustId): void;
  observationChanged(target: string, fact: OpenId): void;
  unexpectedRejection(target: string): void;
  /** How far the provider's clock is ahead of ours. */
  clockOffset(target: string, seconds: number): void;
  /** How long the provider worked on one request that it has answered. */
  processed(target: string, seconds: number): void;
  maintained(target: string, inMaintenance: boolean): void;
  missed(cause: Cause, count: number): void;
  began(lagSeconds: number): void;
  /** The file of targets was read, at the start or later. @param atMs milliseconds since 1970 */
  reloaded(succeeded: boolean, atMs: number): void;
  /** Which targets of the file are watched here, from now on. */
  shares(share: Share): void;
  state(now: StateFile): void;
  /** How many targets are in which state. */
  states(counts: Readonly<Record<TargetState, number>>): void;
  /** Drops all series of a target. */
  forget(target: string): void;
  /** The text that Prometheus scrapes: the monitor's own, and every target's while they are not too many. */
  text(): Promise<string>;
  /** The series of one target, or of one of its probes; undefined when there is none of that name. */
  of(target: string, probe?: string): Promise<string> | undefined;
  /** How many series the targets may have in all. */
  series(): number;
  /** Whether `text` leaves the targets out, for they have too many series. */
  crowded(): boolean;
  readonly contentType: string;
}

/** @param mostSeries above this number of series, `text` omits single targets */
export function metricsOf({
  version,
  mostSeries = 10_000,
}: {
  readonly version: string;
  readonly mostSeries?: number;
}): Metrics {
  const own = ownMetrics(version);
  const records = new Map<string, TargetRecord>();

  function on(name: string, change: (target: TargetRecord) => void): void {
    const target = records.get(name);
    if (target !== undefined) change(target);
  }
  const series = (): number => [...records.values()].reduce((sum, one) => sum + seriesOf(one), 0);
  const crowded = (): boolean => series() > mostSeries;

  return {
    expect(name, probes, expected) {
      const target = records.get(name) ?? targetRecord(name, expected);
      records.set(name, target);
      target.expected = expected;
      expectProbes(target, probes);
    },
    ran(run, success) {
      own.ended(run.outcome.ending);
      const probe = records.get(run.target)?.probes.get(run.outcome.probe.name);
      if (probe !== undefined) recordRun(probe, run, success);
    },
    streak(name, probeName, consecutiveFailures, lastKeptAt) {
      const probe = records.get(name)?.probes.get(probeName);
      if (probe === undefined) return;
      probe.consecutiveFailures = consecutiveFailures;
      if (lastKeptAt !== undefined) probe.lastKeptAt = lastKeptAt;
    },
    verdicts: (name, standing) =>
      on(name, ({ verdicts }) => {
        for (const { clause, verdict } of standing) verdicts[clause.id] = verdict;
      }),
    violated: (name, clause) =>
      on(name, ({ violations }) => {
        violations[clause] += 1;
      }),
    observationChanged: (name, fact) =>
      on(name, ({ observationChanges }) => {
        observationChanges[fact] += 1;
      }),
    canaryChecked: (name, phase, verdict) =>
      on(name, ({ canaryChecks }) => {
        canaryChecks[phase][verdict] += 1;
      }),
    canaries: (name, counts) =>
      on(name, (target) => {
        target.canaries = counts;
      }),
    lifetime: (name, bounds) =>
      on(name, (target) => {
        target.lifetime = bounds;
      }),
    unexpectedRejection: (name) =>
      on(name, (target) => {
        target.unexpectedRejections += 1;
      }),
    clockOffset: (name, seconds) =>
      on(name, (target) => {
        target.clockOffsetSeconds = seconds;
      }),
    processed: (name, seconds) => on(name, (target) => recordProcessing(target, seconds)),
    maintained: (name, inMaintenance) =>
      on(name, (target) => {
        target.inMaintenance = inMaintenance;
      }),
    missed: own.missed,
    began: own.began,
    reloaded: own.reloaded,
    shares: own.shares,
    state: own.state,
    states: own.states,
    forget: (name) => void records.delete(name),
    async text() {
      const isCrowded = crowded();
      own.omitted(isCrowded ? records.size : 0);
      return (await own.text()) + (isCrowded ? '' : await targetText([...records.values()]));
    },
    of(name, probeName) {
      const target = records.get(name);
      if (target === undefined || probeName === undefined) return target && targetText([target]);
      return target.probes.has(probeName) ? probeText(target, probeName) : undefined;
    },
    series,
    crowded,
    contentType: own.contentType,
  };
}
