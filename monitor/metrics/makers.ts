import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import type { MetricDescription } from './family.ts';

type Change<Label extends string> = (labels: Readonly<Record<Label, string>>, by: number) => void;

/** Creates metrics in a registry. prom-client treats a missing label as another series; here it is a type error. */
export class Makers {
  readonly descriptions: MetricDescription[] = [];
  readonly #registers: Registry[];

  constructor(registry: Registry) {
    this.#registers = [registry];
  }

  gauge<const Label extends string>(
    name: string,
    help: string,
    labelNames: readonly Label[] = [],
  ): Change<Label> {
    const metric = new Gauge<string>({ name, help, labelNames, registers: this.#registers });
    this.descriptions.push({ type: 'gauge', name, help, labels: labelNames });
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
    const metric = new Gauge<string>({ name, help, labelNames, registers: this.#registers });
    this.descriptions.push({ type: 'gauge', name, help, labels: labelNames });
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
    const metric = new Counter<string>({ name, help, labelNames, registers: this.#registers });
    this.descriptions.push({ type: 'counter', name, help, labels: labelNames });
    return (labels, value) => metric.inc(labels, value);
  }

  histogram(name: string, help: string, buckets: number[]): (value: number) => void {
    const metric = new Histogram({ name, help, buckets, registers: this.#registers });
    this.descriptions.push({ type: 'histogram', name, help, labels: [] });
    return (value) => metric.observe(value);
  }
}
