import type { MustId, OpenId } from '../../contract/clauses.ts';
import type { CanaryMetrics } from '../canary/canary-monitor.ts';
import type { Share } from '../config/shard.ts';
import type { Cause } from '../schedule/schedule.ts';
import type { KnownVerdict, TargetState } from '../target/contract-status.ts';
import type { Run } from '../target/run.ts';
import { type Own, ownMetrics, type StateFile } from './own.ts';
import {
  type Expected,
  expectProbes,
  type ProbeRecord,
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
export const metricsOf = (options: {
  readonly version: string;
  readonly mostSeries?: number;
}): Metrics => new MonitorMetrics(options);

class MonitorMetrics implements Metrics {
  readonly #own: Own;
  readonly #mostSeries: number;
  readonly #records = new Map<string, TargetRecord>();

  constructor({ version, mostSeries = 10_000 }: Parameters<typeof metricsOf>[0]) {
    this.#own = ownMetrics(version);
    this.#mostSeries = mostSeries;
  }

  get contentType(): string {
    return this.#own.contentType;
  }

  expect(name: string, probes: readonly string[], expected: Expected): void {
    const target = this.#records.get(name) ?? targetRecord(name, expected);
    this.#records.set(name, target);
    target.expected = expected;
    expectProbes(target, probes);
  }

  ran(run: Run, success: boolean): void {
    this.#own.ended(run.outcome.ending);
    const probe = this.#probe(run.target, run.outcome.probe.name);
    if (probe !== undefined) recordRun(probe, run, success);
  }

  streak(name: string, probeName: string, consecutiveFailures: number, lastKeptAt?: number): void {
    const probe = this.#probe(name, probeName);
    if (probe === undefined) return;
    probe.consecutiveFailures = consecutiveFailures;
    if (lastKeptAt !== undefined) probe.lastKeptAt = lastKeptAt;
  }

  verdicts(name: string, standing: readonly KnownVerdict[]): void {
    this.#change(name, ({ verdicts }) => {
      for (const { clause, verdict } of standing) verdicts[clause.id] = verdict;
    });
  }

  violated(name: string, clause: MustId): void {
    this.#change(name, ({ violations }) => {
      violations[clause] += 1;
    });
  }

  observationChanged(name: string, fact: OpenId): void {
    this.#change(name, ({ observationChanges }) => {
      observationChanges[fact] += 1;
    });
  }

  canaryChecked(...[name, phase, verdict]: Parameters<Metrics['canaryChecked']>): void {
    this.#change(name, ({ canaryChecks }) => {
      canaryChecks[phase][verdict] += 1;
    });
  }

  canaries(...[name, canaries]: Parameters<Metrics['canaries']>): void {
    this.#change(name, (target) => Object.assign(target, { canaries }));
  }

  lifetime(...[name, lifetime]: Parameters<Metrics['lifetime']>): void {
    this.#change(name, (target) => Object.assign(target, { lifetime }));
  }

  unexpectedRejection(name: string): void {
    this.#change(name, (target) => {
      target.unexpectedRejections += 1;
    });
  }

  clockOffset(name: string, clockOffsetSeconds: number): void {
    this.#change(name, (target) => Object.assign(target, { clockOffsetSeconds }));
  }

  processed(name: string, seconds: number): void {
    this.#change(name, (target) => recordProcessing(target, seconds));
  }

  maintained(name: string, inMaintenance: boolean): void {
    this.#change(name, (target) => Object.assign(target, { inMaintenance }));
  }

  missed(cause: Cause, count: number): void {
    this.#own.missed(cause, count);
  }

  began(lagSeconds: number): void {
    this.#own.began(lagSeconds);
  }

  reloaded(succeeded: boolean, atMs: number): void {
    this.#own.reloaded(succeeded, atMs);
  }

  shares(share: Share): void {
    this.#own.shares(share);
  }

  state(now: StateFile): void {
    this.#own.state(now);
  }

  states(counts: Readonly<Record<TargetState, number>>): void {
    this.#own.states(counts);
  }

  forget(name: string): void {
    this.#records.delete(name);
  }

  async text(): Promise<string> {
    const targets = this.crowded() ? [] : [...this.#records.values()];
    this.#own.omitted(this.#records.size - targets.length);
    return (await this.#own.text()) + (await targetText(targets));
  }

  of(name: string, probeName?: string): Promise<string> | undefined {
    const target = this.#records.get(name);
    if (target === undefined || probeName === undefined) return target && targetText([target]);
    return target.probes.has(probeName) ? probeText(target, probeName) : undefined;
  }

  series(): number {
    return [...this.#records.values()].reduce((sum, one) => sum + seriesOf(one), 0);
  }

  crowded(): boolean {
    return this.series() > this.#mostSeries;
  }

  #probe(target: string, name: string): ProbeRecord | undefined {
    return this.#records.get(target)?.probes.get(name);
  }

  #change(name: string, change: (target: TargetRecord) => void): void {
    const target = this.#records.get(name);
    if (target !== undefined) change(target);
  }
}
