import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { MetricDescription } from './family.ts';

type Change<Label extends string> = (labels: Readonly<Record<Label, string>>, by: number) => void;

/** prom-client names these gauges like counters, which `promtool check metrics` reports as an error. */
const misnamed = ['handles', 'requests', 'resources'].map((what) => `nodejs_active_${what}_total`);

/** These need a timer every 10 ms, most of the cost of an idle monitor. The lag of the schedule shows the same. */
const costly = ['min', 'max', 'mean', 'stddev', 'p50', 'p90', 'p99'].map(
  (what) => `nodejs_eventloop_lag_${what}_seconds`,
);

/**
 * The metrics of this process, and those that are created here. They have a separate registry, so that no other
 * library's metrics get in. prom-client treats a missing label as another series; here it is a type error.
 */
export class ProcessMetrics {
  readonly registry = new Registry();
  /** Of the created metrics. */
  readonly descriptions: MetricDescription[] = [];

  constructor() {
    collectDefaultMetrics({ register: this.registry, eventLoopMonitoringPrecision: 3_600_000 });
    for (const name of [...misnamed, ...costly]) this.registry.removeSingleMetric(name);
  }

  gauge<const Label extends string>(
    name: string,
    help: string,
    labelNames: readonly Label[] = [],
  ): Change<Label> {
    const metric = new Gauge<string>(this.#described('gauge', name, help, labelNames));
    // Without this, a metric without labels would be 0 before its value is known.
    metric.remove({});
    return (labels, value) => metric.set(labels, value);
  }

  /** Creates one series whose labels hold the information. New information replaces it. */
  info<const Label extends string>(
    name: string,
    help: string,
    labelNames: readonly Label[] = [],
  ): (labels: Readonly<Record<Label, string>>) => void {
    const metric = new Gauge<string>(this.#described('gauge', name, help, labelNames));
    return (labels) => {
      metric.reset();
      metric.set(labels, 1);
    };
  }

  counter<const Label extends string>(
    name: string,
    help: string,
    labelNames: readonly Label[] = [],
  ): Change<Label> {
    const metric = new Counter<string>(this.#described('counter', name, help, labelNames));
    return (labels, value) => metric.inc(labels, value);
  }

  histogram(name: string, help: string, buckets: number[]): (value: number) => void {
    const metric = new Histogram({ ...this.#described('histogram', name, help, []), buckets });
    return (value) => metric.observe(value);
  }

  #described(
    type: MetricDescription['type'],
    name: string,
    help: string,
    labelNames: readonly string[],
  ) {
    this.descriptions.push({ type, name, help, labels: labelNames });
    return { name, help, labelNames, registers: [this.registry] };
  }
}
