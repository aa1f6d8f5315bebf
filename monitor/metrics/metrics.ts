import type { MustId, OpenId } from '../../contract/clauses.ts';
import type { Cause } from '../schedule/schedule.ts';
import type { KnownVerdict, TargetState } from '../target/contract-status.ts';
import type { Run } from '../target/run.ts';
import type { Share } from '../target/shard.ts';
import { figuresOf, restore } from './figures.ts';
import type { LatestRun, Metrics } from './metrics-interface.ts';
import type { NotificationGauges } from './notification-gauges.ts';
import { type FleetFigures, type MonitorFigures, monitorFigures, type StateFile } from './own.ts';
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

export type { Metrics } from './metrics-interface.ts';

/**
 * @param mostSeries above this number of series, `text` omits the targets
 * @param apart whether `text` omits all targets: in a fleet each is scraped separately, because it may move
 */
export const metricsOf = (options: {
  readonly version: string;
  readonly mostSeries?: number;
  readonly apart?: boolean;
}): Metrics => new MonitorMetrics(options);

class MonitorMetrics implements Metrics {
  readonly #own: MonitorFigures;
  readonly #mostSeries: number;
  readonly #isApart: boolean;
  readonly #records = new Map<string, TargetRecord>();
  /** Targets whose metrics changed since the last call. */
  readonly #changed = new Set<string>();

  constructor({ version, mostSeries = 10_000, apart = false }: Parameters<typeof metricsOf>[0]) {
    this.#own = monitorFigures(version);
    this.#mostSeries = mostSeries;
    this.#isApart = apart;
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
    this.#own.ended(run.result.outcome);
    const probe = this.#probe(run.target, run.result.probe.name);
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
    // This is called every second, and an unchanged value is not a change.
    if (this.#records.get(name)?.inMaintenance !== inMaintenance)
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

  certificate(isUsable: boolean): void {
    this.#own.certificate(isUsable);
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

  restore(name: string, figures: unknown): void {
    if (figures !== undefined) this.#change(name, (target) => restore(target, figures));
  }

  figures(name: string): string | undefined {
    const target = this.#records.get(name);
    if (target === undefined || !this.#changed.delete(name)) return undefined;
    return JSON.stringify(figuresOf(target));
  }

  latest(name: string): LatestRun | undefined {
    let latest: LatestRun | undefined;
    for (const [probe, { last }] of this.#records.get(name)?.probes ?? [])
      if (last !== undefined && last.startedAt >= (latest?.ranAt ?? 0))
        latest = { probe, ranAt: last.startedAt, success: last.success };
    return latest;
  }

  fleet(now: FleetFigures): void {
    this.#own.fleet(now);
  }

  certificateExpiry(name: string): number | undefined {
    return this.#records.get(name)?.certificate.earliestExpiry;
  }

  notified(...message: Parameters<Metrics['notified']>): void {
    this.#own.notified(...message);
  }

  notifications(now: NotificationGauges): void {
    this.#own.notifications(now);
  }

  forget(name: string): void {
    this.#records.delete(name);
    this.#changed.delete(name);
  }

  async text(): Promise<string> {
    const targets = this.#isApart || this.crowded() ? [] : [...this.#records.values()];
    this.#own.omitted(this.#isApart ? 0 : this.#records.size - targets.length);
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
    return !this.#isApart && this.series() > this.#mostSeries;
  }

  #probe(target: string, name: string): ProbeRecord | undefined {
    this.#changed.add(target);
    return this.#records.get(target)?.probes.get(name);
  }

  #change(name: string, change: (target: TargetRecord) => void): void {
    const target = this.#records.get(name);
    if (target === undefined) return;
    this.#changed.add(name);
    change(target);
  }
}
