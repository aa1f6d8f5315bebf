import type { MustId, OpenId } from '../../contract/clauses.ts';
import type { ClauseVerdict } from '../../contract/round/verdict.ts';
import type { CanaryPhase, CanaryState, CanaryVerdict, Lifetime } from '../canary/verdict.ts';
import type { Run } from '../round/run.ts';
import { MonitorFigures } from './own.ts';
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
 * All that the monitor exports. Labels are names of targets and probes, and closed enumerations: no address, no
 * text. Records of a target that is not expected are dropped: a run may outlive its target.
 */
export class Metrics extends MonitorFigures {
  readonly #records = new Map<string, TargetRecord>();

  /**
   * Creates the series of a target before any event, so that `increase()` sees the first event too. A second call
   * keeps the counters of the remaining probes.
   */
  expect(name: string, probes: readonly string[], expected: Expected): void {
    const target = this.#records.get(name) ?? targetRecord(name, expected);
    this.#records.set(name, target);
    target.expected = expected;
    expectProbes(target, probes);
  }

  /** @param success whether the latest run of the probe on each of its endpoints was a success */
  ran(run: Run, success: boolean): void {
    this.ended(run.result.outcome);
    const probe = this.#probe(run.target, run.result.probe.name);
    if (probe !== undefined) recordRun(probe, run, success);
  }

  /** @param lastKeptAt milliseconds since 1970 */
  streak(name: string, probeName: string, consecutiveFailures: number, lastKeptAt?: number): void {
    const probe = this.#probe(name, probeName);
    if (probe === undefined) return;
    probe.consecutiveFailures = consecutiveFailures;
    if (lastKeptAt !== undefined) probe.lastKeptAt = lastKeptAt;
  }

  verdicts(name: string, standing: readonly ClauseVerdict[]): void {
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

  canaryChecked(name: string, phase: CanaryPhase, verdict: CanaryVerdict): void {
    this.#change(name, ({ canaryChecks }) => {
      canaryChecks[phase][verdict] += 1;
    });
  }

  canaries(name: string, canaries: Readonly<Record<CanaryState, number>>): void {
    this.#change(name, (target) => Object.assign(target, { canaries }));
  }

  lifetime(name: string, lifetime: Lifetime): void {
    this.#change(name, (target) => Object.assign(target, { lifetime }));
  }

  /** How far the provider's clock is ahead of ours. */
  clockOffset(name: string, clockOffsetSeconds: number): void {
    this.#change(name, (target) => Object.assign(target, { clockOffsetSeconds }));
  }

  /** The provider's processing time of one answered request. */
  processed(name: string, seconds: number): void {
    this.#change(name, (target) => recordProcessing(target, seconds));
  }

  maintained(name: string, inMaintenance: boolean): void {
    this.#change(name, (target) => Object.assign(target, { inMaintenance }));
  }

  /** Drops all series of a target. */
  forget(name: string): void {
    this.#records.delete(name);
  }

  /** What Prometheus scrapes: the monitor's own metrics, and those of all targets. */
  override async text(): Promise<string> {
    return (await super.text()) + (await targetText([...this.#records.values()]));
  }

  /** The series of one target, or of one of its probes; undefined for an unknown name. */
  of(name: string, probeName?: string): Promise<string> | undefined {
    const target = this.#records.get(name);
    if (target === undefined || probeName === undefined) return target && targetText([target]);
    return target.probes.has(probeName) ? probeText(target, probeName) : undefined;
  }

  /** How many series the targets may have in all. */
  series(): number {
    return [...this.#records.values()].reduce((sum, one) => sum + seriesOf(one), 0);
  }

  #probe(target: string, name: string): ProbeRecord | undefined {
    return this.#records.get(target)?.probes.get(name);
  }

  #change(name: string, change: (target: TargetRecord) => void): void {
    const target = this.#records.get(name);
    if (target !== undefined) change(target);
  }
}
