import { setImmediate as turn } from 'node:timers/promises';
import { AggregatorRegistry } from 'prom-client';
import type { Family, Labels, Value } from './family.ts';
import { certificateFamilies, measuredFamilies } from './measured.ts';
import { countFamilies, probeFamilies } from './of-probe.ts';
import { targetFamilies } from './of-target.ts';
import type { TargetRecord } from './record.ts';

/** Rendering pauses after this time, so that no probe waits for a scrape. */
const longestMs = 2;

/** This number of targets or probes has at most some hundred series in a family, which print faster than that. */
const batchSize = 8;

interface Labelled {
  readonly labels: Labels;
}

/** Metrics of one kind of record, and how a target's records are found. */
interface Group {
  /** How many series a target may have at most. */
  size(target: TargetRecord): number;
  /** The samples of each metric, a few records at a time. @param probe only of this one */
  samples(targets: readonly TargetRecord[], probe?: string): Iterable<Iterable<Sampled>>;
}

/** A metric in the form that prom-client's cluster mode exchanges between processes. */
interface Sampled {
  readonly name: string;
  readonly help: string;
  readonly type: string;
  readonly aggregator: 'first';
  readonly values: readonly Sample[];
}

interface Sample {
  readonly labels: Labels;
  readonly value: number;
  readonly metricName?: string;
}

const probesOf = ({ probes }: TargetRecord) => [...probes.values()];

const groups: readonly Group[] = [
  group(measuredFamilies, (target) =>
    probesOf(target).flatMap(({ measured }) => (measured === undefined ? [] : [measured])),
  ),
  group(certificateFamilies, ({ certificate }) => [certificate]),
  group(countFamilies, ({ counts }) => [counts]),
  group(probeFamilies, probesOf),
  group(targetFamilies, (target) => [target]),
];

/** The series of targets; each metric name has one header. */
export const targetText = (targets: readonly TargetRecord[]): Promise<string> => print(targets);

/** The series of one probe on one target. */
export const probeText = (target: TargetRecord, probe: string): Promise<string> =>
  print([target], probe);

/** The maximum number of series of a target. */
export const seriesOf = (target: TargetRecord): number =>
  groups.reduce((sum, { size }) => sum + size(target), 0);

function group<Of extends Labelled>(
  families: readonly Family<Of>[],
  recordsOf: (target: TargetRecord) => readonly Of[],
): Group {
  function* batches(family: Family<Of>, records: readonly Of[]): Generator<Sampled> {
    const { name, help, type } = family;
    for (let from = 0; from < records.length; from += batchSize) {
      const some = records.slice(from, from + batchSize);
      const values = some.flatMap((record) =>
        family
          .read(record)
          .flatMap(([more, value]) => samplesOf(name, { ...record.labels, ...more }, value)),
      );
      if (values.length > 0) yield { name, help, type, aggregator: 'first', values };
    }
  }
  return {
    size: (target) =>
      recordsOf(target).reduce(
        (sum, record) => sum + families.reduce((own, { size }) => own + size(record), 0),
        0,
      ),
    *samples(targets, probe) {
      const records = targets
        .flatMap(recordsOf)
        .filter(({ labels }) => probe === undefined || labels.probe === probe);
      for (const family of families) yield batches(family, records);
    },
  };
}

/** Prints metric by metric, a few records at a time, with pauses. */
async function print(targets: readonly TargetRecord[], probe?: string): Promise<string> {
  let text = '';
  let since = performance.now();
  for (const { samples } of groups)
    for (const metric of samples(targets, probe)) {
      let headed = false;
      for (const some of metric) {
        const [head, body] = split(await AggregatorRegistry.aggregate([[some]]).metrics());
        text += headed ? body : head + body;
        headed = true;
        if (performance.now() - since < longestMs) continue;
        await turn();
        since = performance.now();
      }
    }
  return text;
}

/** Splits a text into its two header lines and the rest. */
function split(text: string): readonly [string, string] {
  const end = text.indexOf('\n', text.indexOf('\n') + 1) + 1;
  return [text.slice(0, end), text.slice(end)];
}

/** Samples in prom-client's form. A histogram has buckets, up to +Inf, its sum and count. */
function samplesOf(name: string, labels: Labels, value: Value): Sample[] {
  if (value === undefined) return [];
  if (typeof value === 'number') return [{ labels, value }];
  const { sum, count, atMost } = value;
  const buckets = [...atMost, ['+Inf', count] as const];
  return [
    ...buckets.map(([le, most]) => ({
      metricName: `${name}_bucket`,
      labels: { ...labels, le: String(le) },
      value: most,
    })),
    { metricName: `${name}_sum`, labels, value: sum },
    { metricName: `${name}_count`, labels, value: count },
  ];
}
