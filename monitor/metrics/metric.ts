import { setImmediate as nextTurn } from 'node:timers/promises';
import { type Distribution, processingBounds } from '../status/speed.ts';

/** A metric as data: a row of monitor/metrics.md, and how its series are read. */
export interface Metric<Of> {
  readonly type: 'gauge' | 'counter' | 'histogram';
  readonly name: string;
  readonly labels: readonly string[];
  readonly help: string;
  /** The series of a target, without the label `target`, or of the monitor. */
  read(subject: Of): readonly Sample[];
}

/** A value and the values of its labels. A boolean is written as 1 or 0; an unknown value has no series. */
export type Sample = readonly [value: Value, ...labels: readonly string[]];

type Value = number | boolean | Distribution | undefined;

/** By name and labels, such as `probe_success{target,endpoint}`. Gauges, and counters: their names end in `_total`. */
type Table<Of> = Readonly<
  Record<string, Pick<Metric<Of>, 'help' | 'read'> & { readonly type?: 'histogram' }>
>;

export const defineMetrics = <Of>(table: Table<Of>): Metric<Of>[] =>
  Object.entries(table).map(([series, metric]) => {
    const [name = '', ...labels] = series.match(/\w+/g) ?? [];
    return { type: name.endsWith('_total') ? 'counter' : 'gauge', name, labels, ...metric };
  });

/**
 * Metrics in Prometheus' text format. With thousands of series prom-client takes many times as long. After each metric the
 * event loop turns once, so that probes do not wait.
 * @param firstLabels the values of the labels that every series of a subject has
 */
export async function formatMetrics<Of>(
  metrics: readonly Metric<Of>[],
  subjects: readonly Of[],
  firstLabels: (subject: Of) => readonly string[],
): Promise<string> {
  let text = '';
  for (const { name, labels, type, help, read } of metrics) {
    let lines = '';
    for (const subject of subjects)
      for (const [value, ...ownLabels] of read(subject))
        lines += formatSeries({ name, labels }, [...firstLabels(subject), ...ownLabels], value);
    if (lines !== '') text += `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n${lines}`;
    await nextTurn();
  }
  return text;
}

type Series = Pick<Metric<never>, 'name' | 'labels'>;

function formatSeries({ name, labels }: Series, values: readonly string[], value: Value): string {
  if (typeof value === 'object') return formatHistogram({ name, labels }, values, value);
  const pairs = values.map((text, index) => `${labels[index]}="${escapeLabel(text)}"`).join();
  return Number.isFinite(Number(value)) ? `${name}${pairs && `{${pairs}}`} ${Number(value)}\n` : '';
}

function formatHistogram(
  { name, labels }: Series,
  values: readonly string[],
  { counts, sum, count }: Distribution,
) {
  const bucket = { name: `${name}_bucket`, labels: [...labels, 'le'] };
  return [...processingBounds, '+Inf']
    .map((bound, index) => formatSeries(bucket, [...values, `${bound}`], counts[index] ?? count))
    .concat(formatSeries({ name: `${name}_sum`, labels }, values, sum))
    .concat(formatSeries({ name: `${name}_count`, labels }, values, count))
    .join('');
}

const escapeLabel = (text: string): string =>
  text.replaceAll(/[\\"\n]/g, (character) => (character === '\n' ? '\\n' : `\\${character}`));
