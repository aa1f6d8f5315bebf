import { setImmediate as otherWork } from 'node:timers/promises';
import { type Distribution, processingBounds } from '../status/speed.ts';

/** A metric as data: a row of monitor/metrics.md, and how its series are read. */
export interface Metric<Of> {
  readonly type: 'gauge' | 'counter' | 'histogram';
  readonly name: string;
  readonly labels: readonly string[];
  readonly help: string;
  /** The series of a target, without the label `target`, or of the monitor. */
  read(of: Of): readonly Sample[];
}

/** A value and the values of its labels. A truth is 1 or 0; a value that is not known has no series. */
export type Sample = readonly [value: Value, ...labels: readonly string[]];

type Value = number | boolean | Distribution | undefined;

/** By name and labels, such as `probe_success{target,endpoint}`. Gauges, and counters: their names end in `_total`. */
type Table<Of> = Readonly<
  Record<string, Pick<Metric<Of>, 'help' | 'read'> & { readonly type?: 'histogram' }>
>;

export const metricsOf = <Of>(table: Table<Of>): Metric<Of>[] =>
  Object.entries(table).map(([series, metric]) => {
    const [name = '', ...labels] = series.match(/\w+/g) ?? [];
    return { type: name.endsWith('_total') ? 'counter' : 'gauge', name, labels, ...metric };
  });

/**
 * Metrics in Prometheus' text format. prom-client needs many times as long for so many series. The process does other
 * work, such as probes, after each metric.
 * @param firstLabels the values of the labels that all series of these have
 */
export async function textOf<Of>(
  metrics: readonly Metric<Of>[],
  all: readonly Of[],
  firstLabels: (of: Of) => readonly string[],
): Promise<string> {
  let text = '';
  for (const { name, labels, type, help, read } of metrics) {
    let lines = '';
    for (const one of all)
      for (const [value, ...own] of read(one))
        lines += linesOf({ name, labels }, [...firstLabels(one), ...own], value);
    if (lines !== '') text += `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n${lines}`;
    await otherWork();
  }
  return text;
}

type Series = Pick<Metric<never>, 'name' | 'labels'>;

function linesOf({ name, labels }: Series, values: readonly string[], value: Value): string {
  if (typeof value === 'object') return histogramLines({ name, labels }, values, value);
  const pairs = values.map((text, index) => `${labels[index]}="${escaped(text)}"`).join();
  return Number.isFinite(Number(value)) ? `${name}${pairs && `{${pairs}}`} ${Number(value)}\n` : '';
}

function histogramLines({ name, labels }: Series, values: readonly string[], all: Distribution) {
  const bucket = { name: `${name}_bucket`, labels: [...labels, 'le'] };
  return [...processingBounds, '+Inf']
    .map((bound, index) => linesOf(bucket, [...values, `${bound}`], all.counts[index] ?? all.count))
    .concat(linesOf({ name: `${name}_sum`, labels }, values, all.sum))
    .concat(linesOf({ name: `${name}_count`, labels }, values, all.count))
    .join('');
}

const escaped = (text: string): string =>
  text.replaceAll(/[\\"\n]/g, (character) => (character === '\n' ? '\\n' : `\\${character}`));
